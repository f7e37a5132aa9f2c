/** What is behind an event: from where and when exactly, and what was before and after. */
import { Anchor, Code, List, Skeleton, Stack, Text, Title } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Link } from 'wouter';
import type { AuditEvent } from '../../contract/operations/audit.js';
import { pathOf } from '../parts/environments.js';
import { exactTime } from '../parts/when.js';
import classes from './activity.module.css';
import { changedContents } from './changed-contents.js';
import { comparedRevisions, comparedSegmentRevisions } from './compared-revisions.js';
import { ContentChanges } from './content-changes.js';
import { SegmentChanges } from './segment-changes.js';

const DiffView = lazy(async () => ({
  default: (await import('../parts/code/diff-view.js')).DiffView,
}));

export function EventDetails({ event }: { readonly event: AuditEvent }) {
  const { id, at, userName, userId, action, address, environment, name, details } = event;
  const { before, after, note, ...others } = details;
  const compared = comparedRevisions(event);
  const segment = comparedSegmentRevisions(event);
  const contents = changedContents(event);
  const hasStates = isState(before) || isState(after);
  const rest = contents.length > 0 ? {} : others;
  return (
    <Stack gap="md">
      <dl className={classes['facts']}>
        <dt>When</dt>
        <dd>{exactTime(at)}</dd>
        <dt>Who</dt>
        <dd>
          {userName}
          {userId === '' ? ', the server itself' : <span className="mono"> ({userId})</span>}
        </dd>
        {address !== '' && (
          <>
            <dt>From</dt>
            <dd className="mono">{address}</dd>
          </>
        )}
        <dt>Action</dt>
        <dd className="mono">
          {action}
          {name !== '' && ` · ${name}`}
        </dd>
        {typeof note === 'string' && note !== '' && (
          <>
            <dt>Note</dt>
            <dd>{note}</dd>
          </>
        )}
        <dt>Event</dt>
        <dd className="mono">{id}</dd>
      </dl>
      {contents.length > 0 && (
        <div>
          <Title order={2} size="sm" mb={4}>
            Contents that changed
          </Title>
          <List size="sm">
            {contents.map(({ content, change, words }) => (
              <List.Item key={`${change} ${content}`}>
                <Anchor
                  component={Link}
                  href={pathOf.content(environment, content)}
                  underline="always"
                >
                  {content}
                </Anchor>{' '}
                {change}
                {words}
              </List.Item>
            ))}
          </List>
        </div>
      )}
      {compared !== null && <ContentChanges {...compared} />}
      {segment !== null && <SegmentChanges {...segment} />}
      {compared === null && segment === null && hasStates && (
        <div>
          <Suspense fallback={<Skeleton h={120} />}>
            <DiffView
              before={stateText(before)}
              after={stateText(after)}
              beforeLabel={isState(before) ? 'Before' : 'Before: nothing'}
              afterLabel={isState(after) ? 'After' : 'After: nothing'}
              maxRows={20}
            />
          </Suspense>
        </div>
      )}
      {compared === null && Object.keys(rest).length > 0 && (
        <div>
          <Text size="sm" c="dimmed" mb={4}>
            Also noted
          </Text>
          <Code block tabIndex={0} role="region" aria-label="Also noted">
            {JSON.stringify(rest, null, 2)}
          </Code>
        </div>
      )}
    </Stack>
  );
}

function isState(value: unknown): boolean {
  return value !== null && value !== undefined;
}

function stateText(value: unknown): string {
  return isState(value) ? JSON.stringify(value, null, 2) : '';
}
