/** What a player was given at one moment or at two, as it arrives: the facts, the link to send, the filters, and the table. */
import { Alert, Button, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { useMemo, useState } from 'react';
import { pairItems } from '../../contract/players/pair-items.js';
import { memberSources } from '../api/raw-json.js';
import { counted } from '../parts/counted.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { formatMoment } from '../parts/time/formats.js';
import type { AskedPlayer } from '../preview/contexts/asked-player.js';
import { filtered, type ItemFilter, noFilter, rowsOfOne } from './item-filter.js';
import { ItemFilters } from './item-filters.js';
import { ItemsTable } from './items-table.js';
import { SendLink } from './send-link.js';
import { useAllItems } from './use-all-items.js';

export interface PlayerResultProps {
  readonly environment: string;
  readonly asked: AskedPlayer;
  /** Differs at each look-up. */
  readonly turn: number;
}

export function PlayerResult({ environment, asked, turn }: PlayerResultProps) {
  const { user, at, other } = asked;
  const isCompared = other !== undefined;
  const first = useAllItems({ env: environment, user, at }, turn);
  const second = useAllItems(isCompared ? { env: environment, user, at: other } : null, turn);
  const [filter, setFilter] = useState<ItemFilter>(noFilter);
  const isComplete = first.isComplete && (!isCompared || second.isComplete);
  const rows = useMemo(() => {
    if (!isCompared) return rowsOfOne(first.items);
    const pairs = pairItems(first.items, second.items);
    // The pages of the two moments may end at different content items.
    return isComplete ? pairs : pairs.filter((pair) => pair.first !== null && pair.second !== null);
  }, [isCompared, isComplete, first.items, second.items]);
  const shown = useMemo(() => filtered(rows, filter, isCompared), [rows, filter, isCompared]);
  const { at: firstAt, uid, mod } = first;
  if (firstAt === null || (isCompared && second.at === null)) {
    const failed = first.error === null ? second : first;
    return failed.error === null ? (
      <Waiting text="Looking up the content items…" />
    ) : (
      <ProblemAlert
        error={failed.error}
        title="The player could not be looked up"
        onRetry={failed.more}
      />
    );
  }
  // "Now" is a moment from here on: details and the link are of what is shown.
  const moment = { env: environment, user, at: firstAt };
  const otherMoment = second.at === null ? null : { ...moment, at: second.at };
  const more = (): void => {
    first.more();
    second.more();
  };
  const error = first.error ?? second.error;
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <div>
          <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
            {user.u === '' ? 'A player without a user id' : user.u}
          </Title>
          <Text size="sm">
            {momentText(firstAt)}
            {otherMoment !== null && ` and ${momentText(otherMoment.at)}`}
            <Text span inherit c="dimmed">
              {' '}
              · bucket {mod}, hash {uid}
            </Text>
          </Text>
        </div>
        <SendLink
          env={environment}
          asked={{ user, at: firstAt, ...(otherMoment !== null && { other: otherMoment.at }) }}
        />
      </Group>
      {rows.length > 0 && memberSources(user.p)?.size === 0 && (
        <Text size="sm" c="dimmed">
          No attributes were entered, so rules that ask for one treat it as absent. If the game sent
          attributes, enter them and look the player up again.
        </Text>
      )}
      <ItemFilters rows={rows} filter={filter} onChange={setFilter} isCompared={isCompared} />
      {error !== null && (
        <ProblemAlert error={error} title="Some content items were not looked up" onRetry={more} />
      )}
      {first.isLoading || second.isLoading ? (
        <Waiting text={`Looked up ${counted(rows.length, 'content item')} so far…`} />
      ) : (
        <Text size="sm" role="status">
          {describeCount(shown.length, rows.length, isCompared)}
          {!isComplete && ' There are more.'}
        </Text>
      )}
      {isComplete && rows.length === 0 && (
        <Alert variant="light" title="No content items">
          This environment has no content items.
        </Alert>
      )}
      {shown.length > 0 && <ItemsTable rows={shown} first={moment} second={otherMoment} />}
      {!isComplete && !first.isLoading && !second.isLoading && error === null && (
        <Button variant="default" size="xs" onClick={more} style={{ alignSelf: 'center' }}>
          Look up more
        </Button>
      )}
    </Stack>
  );
}

function Waiting({ text }: { readonly text: string }) {
  return (
    <Group gap="xs" role="status">
      <Loader size="xs" aria-hidden />
      <Text size="sm">{text}</Text>
    </Group>
  );
}

function momentText(at: string): string {
  return formatMoment(new Date(at), Date.now());
}

function describeCount(shown: number, all: number, isCompared: boolean): string {
  const of = shown === all ? '' : ` of ${all.toLocaleString('en')}`;
  const what = isCompared ? ' at both moments' : '';
  return `${shown.toLocaleString('en')}${of} ${all === 1 ? 'content item' : 'content items'}${what}.`;
}
