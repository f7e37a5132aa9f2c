/** What happened, one `Timeline.Item` below the other, as a list for screen readers. */
import { Timeline } from '@mantine/core';
import type { ReactNode } from 'react';

export function LogTimeline({ children }: { readonly children: ReactNode }) {
  return (
    <Timeline
      bulletSize={12}
      lineWidth={2}
      component="ol"
      active={-1}
      m={0}
      pl={6}
      style={{ listStyle: 'none' }}
    >
      {children}
    </Timeline>
  );
}
