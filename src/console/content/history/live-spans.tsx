/** When a revision was live: the last times, and the others on request. */
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { RevisionSummary } from '../../../contract/operations/history/content-history.js';
import { formatLiveSpan } from './format-live-span.js';

const shownMax = 2;

export function LiveSpans({ row }: { readonly row: RevisionSummary }) {
  const { revision, liveSpans } = row;
  const [isWhole, setIsWhole] = useState(false);
  if (liveSpans.length === 0) return null;
  const shown = isWhole ? liveSpans : liveSpans.slice(-shownMax);
  const more = liveSpans.length - shown.length;
  return (
    <>
      {shown.toReversed().map((span) => (
        <Text key={span.from} size="xs">
          {formatLiveSpan(span, Date.now())}
        </Text>
      ))}
      {more > 0 && (
        <Button
          size="compact-xs"
          variant="subtle"
          aria-label={`Show ${more} more times that r${revision} was live`}
          onClick={() => setIsWhole(true)}
        >
          {more} more
        </Button>
      )}
    </>
  );
}
