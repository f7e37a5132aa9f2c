/** What happened to a release, newest first, and a field to comment on it. */
import { Button, Group, Stack, Text, Textarea, Timeline, Title } from '@mantine/core';
import { useState } from 'react';
import { noteCharsMax } from '../../../contract/limits.js';
import type { TimelineEvent } from '../../../contract/operations/releases/releases.js';
import type { Release } from '../../../contract/schemas/release.js';
import { request } from '../../api/call.js';
import { Loaded } from '../../parts/data/loaded.js';
import { LogTimeline } from '../../parts/data/log-timeline.js';
import { ProblemAlert } from '../../parts/problem-alert.js';
import { When } from '../../parts/time/when.js';
import { useReleaseAct, useTimeline } from '../../releases/release-queries.js';
import { describeTimelineEvent } from '../words/timeline-words.js';

export interface ReleaseTimelineProps {
  readonly env: string;
  readonly release: Release;
}

export function ReleaseTimeline({ env, release }: ReleaseTimelineProps) {
  const timeline = useTimeline(env, release);
  return (
    <Stack gap="sm" component="section" aria-labelledby="timeline-title">
      <Title order={2} size="h4" id="timeline-title">
        Timeline
      </Title>
      <Comment env={env} number={release.release} />
      <Loaded query={timeline} label="Loading the timeline" rowHeight={120}>
        {(events) => <Events events={events} />}
      </Loaded>
    </Stack>
  );
}

function Events({ events }: { readonly events: readonly TimelineEvent[] }) {
  return (
    <LogTimeline>
      {events.toReversed().map((event) => (
        <Timeline.Item key={`${event.at} ${event.event} ${event.by}`} component="li">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {describeTimelineEvent(event)}
          </Text>
          {event.text !== '' && (
            <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
              “{event.text}”
            </Text>
          )}
          <When at={event.at} size="xs" c="dimmed" />
        </Timeline.Item>
      ))}
    </LogTimeline>
  );
}

function Comment({ env, number }: { readonly env: string; readonly number: number }) {
  const [text, setText] = useState('');
  const sending = useReleaseAct(env, () => setText(''));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const comment = text.trim();
        if (comment === '') return;
        sending.mutate({
          number,
          send: (params) =>
            request('POST /environments/:env/releases/:release/comments', {
              params,
              body: { comment },
            }),
        });
      }}
    >
      <Stack gap="xs">
        <Textarea
          label="Comment"
          autosize
          maxRows={8}
          maxLength={noteCharsMax}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {sending.error !== null && <ProblemAlert error={sending.error} />}
        <Group justify="flex-end">
          <Button
            type="submit"
            size="xs"
            variant="default"
            disabled={text.trim() === ''}
            loading={sending.isPending}
          >
            Add comment
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
