/** A user context beside what it gets, which follows the typing. */
import {
  Anchor,
  Button,
  Grid,
  Group,
  Paper,
  SegmentedControl,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { Link, useSearch } from 'wouter';
import { parseInstant } from '../../content/mapping/instant.js';
import { useDraft } from '../draft/draft-context.js';
import { pathOf } from '../parts/environments.js';
import { InstantInput } from '../parts/time/instant-input.js';
import { formatOffset, formatWall, msPerMinute } from '../parts/time/wall-time.js';
import { isPast } from './as-of.js';
import { hashOf } from './contexts/asked-player.js';
import { offsetOf, withOffset } from './contexts/clock-of-user.js';
import { ContextForm } from './contexts/context-form.js';
import { OffsetSelect } from './contexts/offset-select.js';
import { SampleUserPicker } from './contexts/sample-user-picker.js';
import { useKnownAttributes } from './contexts/sample-users.js';
import {
  contextIssues,
  contextOf,
  emptyContext,
  isInvalid,
  type UserContext,
} from './contexts/user-context.js';
import type { Side } from './evaluate.js';
import { OneUserResult } from './one-user-result.js';

const waitMs = 300;

export function OneUser() {
  const { saved, state, isDirty } = useDraft();
  const search = useSearch();
  const [asked] = useState(() => new URLSearchParams(search));
  const [user, setUser] = useState<UserContext>(() => askedUser(asked, lastUser(saved.env)));
  const [at, setAt] = useState<string | null>(() => askedInstant(asked));
  const [wanted, setWanted] = useState<Side>(() => (asked.has('at') ? 'live' : 'typed'));
  // For a past time, the first question is what players got then.
  const [wantedThen, setWantedThen] = useState<Side>('live');
  const [settledUser] = useDebouncedValue(user, waitMs);
  const [typed] = useDebouncedValue(state, waitMs);
  const attributes = useKnownAttributes(saved.env);
  const isUserInvalid = isInvalid(contextIssues(settledUser));
  const hasDraft = saved.newest > 0 && saved.newest !== saved.live;
  const ofPast = isPast(at, Date.now());
  const isFuture = at !== null && !ofPast;
  const sides = [
    { value: 'typed', label: 'As typed', disabled: false },
    { value: 'draft', label: 'Draft', disabled: !hasDraft },
    ofPast
      ? { value: 'live', label: 'Live then', disabled: false }
      : { value: 'live', label: isFuture ? 'Live then' : 'Live', disabled: saved.live === null },
  ];
  const picked = ofPast ? wantedThen : wanted;
  const side = sides.find(({ value }) => value === picked)?.disabled === true ? 'typed' : picked;
  const request = useMemo(
    () => ({ saved, state: typed, side, user: settledUser, at }),
    [saved, typed, side, settledUser, at],
  );
  const change = (next: UserContext): void => {
    setUser(next);
    keepUser(saved.env, next);
  };
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Paper withBorder p="md" component="section" aria-labelledby="preview-user">
          <Stack gap="sm">
            <Title order={2} size="h5" id="preview-user">
              User
            </Title>
            <SampleUserPicker env={saved.env} user={user} onPick={change} />
            <ContextForm value={user} onChange={change} attributes={attributes} />
            <OffsetSelect
              value={offsetOf(user)}
              onChange={(minutes) => change(withOffset(user, minutes))}
            />
            <InstantInput
              label="As of"
              description="A past time shows what was live then; a future time, what rules with a time window and scheduled releases will do."
              whenEmpty="now"
              value={at}
              onChange={setAt}
            />
            <Group>
              <Button
                size="compact-sm"
                variant="subtle"
                onClick={() => {
                  change(emptyContext);
                  setAt(null);
                }}
              >
                Clear the form
              </Button>
              {!isUserInvalid && !isFuture && (
                <Anchor
                  component={Link}
                  href={`${pathOf.players(saved.env)}${hashOf({ user: settledUser, at })}`}
                  size="sm"
                >
                  All content of this player
                </Anchor>
              )}
            </Group>
          </Stack>
        </Paper>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Stack gap="sm">
          <Group gap="sm">
            <SegmentedControl
              aria-label="State of the content"
              value={side}
              onChange={(next) => (ofPast ? setWantedThen : setWanted)(next as Side)}
              data={sides}
            />
            {!ofPast && (
              <Text size="sm">
                {isFuture && side === 'live' ? liveThen : describeSide(side, saved, isDirty)}{' '}
                {describeClock(at, user)}
              </Text>
            )}
          </Group>
          <OneUserResult
            request={request}
            isOther={side !== 'live' && (ofPast || (saved.live !== null && (isDirty || hasDraft)))}
            ofPast={ofPast}
            isUserInvalid={isUserInvalid}
          />
        </Stack>
      </Grid.Col>
    </Grid>
  );
}

const liveThen = 'What is live now, with the scheduled releases that go live by then.';

function describeSide(
  side: Side,
  { newest, live }: { readonly newest: number; readonly live: number | null },
  isDirty: boolean,
): string {
  if (side === 'live') return `Revision ${live}, what players get now.`;
  if (side === 'draft') return `Revision ${newest}, saved and not live.`;
  if (isDirty) return 'With what is not saved yet.';
  return newest === live ? `Revision ${newest}, which is live.` : `Revision ${newest}, the draft.`;
}

/** Of a future time: rules that are open then apply. */
function describeClock(at: string | null, user: UserContext): string {
  if (at === null) return '';
  const atMs = Date.parse(at);
  const offset = offsetOf(user) ?? 0;
  const local = formatWall(atMs + offset * msPerMinute, Date.now());
  return `The player's clock shows ${local} (${formatOffset(offset)}).`;
}

/** A link may name a moment and the player's clock. */
function askedUser(asked: URLSearchParams, user: UserContext): UserContext {
  const offset = asked.get('utcOffset');
  return offset === null || !whole.test(offset) ? user : withOffset(user, Number(offset));
}

function askedInstant(asked: URLSearchParams): string | null {
  const at = asked.get('at');
  return at === null || parseInstant(at) === null ? null : at;
}

const whole = /^-?\d{1,3}$/;

function placeOf(env: string): string {
  return `loadout:preview-user:${env}`;
}

/** The same user is often tried on several content items. */
function lastUser(env: string): UserContext {
  try {
    const kept = sessionStorage.getItem(placeOf(env));
    return kept === null ? emptyContext : contextOf(kept);
  } catch {
    return emptyContext;
  }
}

function keepUser(env: string, { u, v, p }: UserContext): void {
  try {
    JSON.parse(p);
    sessionStorage.setItem(
      placeOf(env),
      `{"u":${JSON.stringify(u)},"v":${JSON.stringify(v)},"p":${p}}`,
    );
  } catch {
    // The attributes are not JSON yet, or the browser stores nothing.
  }
}
