/** The details of an event: the exact time and origin, and the states before and after. */
import { Accordion, Anchor, Code, List, Stack, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import type { AuditEvent, ChangedItem } from '../../contract/operations/audit.js';
import { LazyDiffView } from '../parts/code/lazy.js';
import { Facts } from '../parts/data/facts.js';
import { pathOf } from '../parts/environments.js';
import { exactTime } from '../parts/time/formats.js';
import { type ChangedContent, changedContents, comparedRevisions } from './event-changes.js';
import { RevisionChanges } from './revision-changes.js';

export function EventDetails({ event }: { readonly event: AuditEvent }) {
  const { id, at, userName, userId, action, address, environment, name, details } = event;
  const { before, after, note, ...others } = details;
  const compared = comparedRevisions(event);
  const contents = changedContents(event);
  const isRestShown = contents.length === 0 && compared?.kind !== 'content';
  return (
    <Stack gap="md">
      <Facts
        facts={{
          When: exactTime(at),
          Who: (
            <>
              {userName}
              {userId === '' ? ', the server itself' : <span className="mono"> ({userId})</span>}
            </>
          ),
          From: address === '' ? null : <span className="mono">{address}</span>,
          Action: <span className="mono">{name === '' ? action : `${action} · ${name}`}</span>,
          Note: typeof note === 'string' && note !== '' ? note : null,
          Event: <span className="mono">{id}</span>,
        }}
      />
      {contents.length > 0 && <ContentList env={environment} contents={contents} />}
      {!action.startsWith('content.') && (
        <ItemChanges env={environment} items={event.items ?? []} />
      )}
      {compared !== null && <RevisionChanges {...compared} />}
      {compared === null && (isState(before) || isState(after)) && (
        <LazyDiffView
          before={formatState(before)}
          after={formatState(after)}
          beforeLabel={isState(before) ? 'Before' : 'Before: nothing'}
          afterLabel={isState(after) ? 'After' : 'After: nothing'}
          maxRows={20}
        />
      )}
      {isRestShown && Object.keys(others).length > 0 && (
        <div>
          <Text size="sm" c="dimmed" mb={4}>
            Further details
          </Text>
          <Code block tabIndex={0} role="region" aria-label="Further details">
            {formatState(others)}
          </Code>
        </div>
      )}
    </Stack>
  );
}

interface ItemChangesProps {
  readonly env: string;
  readonly items: readonly ChangedItem[];
}

/** The first few items of a sync, an import or a release, each with its difference. */
function ItemChanges({ env, items }: ItemChangesProps) {
  const compared = items.flatMap(({ content: id, from, to }) =>
    to === null ? [] : [{ kind: 'content' as const, env, id, from, to }],
  );
  if (compared.length === 0) return null;
  return (
    <Accordion variant="contained" multiple>
      {compared.map((pair) => (
        <Accordion.Item key={pair.id} value={pair.id}>
          <Accordion.Control>
            {pair.id}: {pair.from === null ? 'new' : `r${pair.from}`} to r{pair.to}
          </Accordion.Control>
          <Accordion.Panel>
            <RevisionChanges {...pair} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

interface ContentListProps {
  readonly env: string;
  readonly contents: readonly ChangedContent[];
}

function ContentList({ env, contents }: ContentListProps) {
  return (
    <div>
      <Title order={2} size="sm" mb={4}>
        Changed content
      </Title>
      <List size="sm">
        {contents.map(({ content, change, revisions }) => (
          <List.Item key={`${change} ${content}`}>
            <Anchor component={Link} href={pathOf.content(env, content)} underline="always">
              {content}
            </Anchor>{' '}
            {change}
            {revisions}
          </List.Item>
        ))}
      </List>
    </div>
  );
}

function isState(value: unknown): boolean {
  return value !== null && value !== undefined;
}

function formatState(value: unknown): string {
  return isState(value) ? JSON.stringify(value, null, 2) : '';
}
