/** What happened to an experiment: started, changed, new phases, stopped, decided. Newest first. */
import { Stack, Text, Timeline, Title } from '@mantine/core';
import type { Experiment } from '../../../contract/schemas/experiment.js';
import { LogTimeline } from '../../parts/data/log-timeline.js';
import { When } from '../../parts/time/when.js';

export function LogSection({ log }: Pick<Experiment, 'log'>) {
  return (
    <Stack gap="sm" component="section" aria-labelledby="log-title">
      <Title order={2} size="h4" id="log-title">
        Log
      </Title>
      <LogTimeline>
        {log.toReversed().map(({ at, user, what }) => (
          <Timeline.Item key={`${at} ${what}`} component="li">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {what}
            </Text>
            <Text size="xs" c="dimmed">
              {user}, <When at={at} span inherit />
            </Text>
          </Timeline.Item>
        ))}
      </LogTimeline>
    </Stack>
  );
}
