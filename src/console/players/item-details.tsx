/** One content item of a look-up, opened: the response with marks, what differs between the moments, and why. */
import { Alert, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { Facts } from '../parts/data/facts.js';
import { Loaded } from '../parts/data/loaded.js';
import { pathOf } from '../parts/environments.js';
import { formatBytes } from '../parts/format-bytes.js';
import { exactTime } from '../parts/time/formats.js';
import { useUnmutatedLive } from '../preview/evaluate.js';
import { type Against, comparedView } from '../preview/results/compared-view.js';
import { DeliveredResponse } from '../preview/results/delivered-response.js';
import { JsonView } from '../preview/results/json-view.js';
import { PlaceChanges } from '../preview/results/place-changes.js';
import { RuleResults } from '../preview/results/rule-results.js';
import { useSession } from '../session/session.js';
import { AppliedRules, OutcomeBadge, PlaceLink, RevisionLink, UsedSegments } from './item-parts.js';
import { type KnownMoment, type LookedUp, usePlayerItem } from './player-look-up.js';

export interface ItemDetailsProps {
  readonly id: string;
  readonly first: KnownMoment;
  /** Null: there is one moment. */
  readonly second: KnownMoment | null;
}

export function ItemDetails({ id, first, second }: ItemDetailsProps) {
  const one = usePlayerItem(first, id);
  const other = usePlayerItem(second, id);
  return (
    <Loaded query={one} label={`Loading ${id}`}>
      {(before) =>
        second === null ? (
          <OneMoment moment={first} found={before} />
        ) : (
          <Loaded query={other} label={`Loading ${id}`}>
            {(after) => <TwoMoments moments={[first, second]} found={[before, after]} />}
          </Loaded>
        )
      }
    </Loaded>
  );
}

interface OneMomentProps {
  readonly moment: KnownMoment;
  readonly found: LookedUp;
}

function OneMoment({ moment, found }: OneMomentProps) {
  const { item, data } = found;
  const { env, user } = moment;
  // The role support may not evaluate revisions, so it sees no marks.
  const mayEvaluate = useSession().role !== 'support';
  const isMutated = item.variants.length > 0;
  const unmutated = useUnmutatedLive(
    { saved: { env, id: item.id }, user },
    item.revision,
    mayEvaluate && isMutated && data !== null,
  );
  return (
    <Stack gap="md">
      <ItemFacts moment={moment} found={found} />
      <Delivered
        id={item.id}
        data={data}
        against={{ kind: 'rules', label: 'changed by rules', text: unmutated }}
      />
      <Why of={found} />
      {found.wrapped !== null && <DeliveredResponse wrapped={found.wrapped} />}
    </Stack>
  );
}

interface TwoMomentsProps {
  readonly moments: readonly [KnownMoment, KnownMoment];
  readonly found: readonly [LookedUp, LookedUp];
}

function TwoMoments({ moments, found }: TwoMomentsProps) {
  const [before, after] = found;
  const [first, second] = moments;
  const { id } = after.item;
  const isInBoth = before.data !== null && after.data !== null;
  const shown = after.data === null ? before : after;
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Moment at={first.at}>
          <ItemFacts moment={first} found={before} />
        </Moment>
        <Moment at={second.at}>
          <ItemFacts moment={second} found={after} />
        </Moment>
      </SimpleGrid>
      {before.item.revision !== null &&
        after.item.revision !== null &&
        before.item.revision !== after.item.revision && (
          <Text size="sm">
            <PlaceLink to={pathOf.diff(first.env, id, before.item.revision, after.item.revision)}>
              What changed from r{before.item.revision} to r{after.item.revision}
            </PlaceLink>
          </Text>
        )}
      <Delivered
        id={id}
        data={shown.data}
        against={{
          kind: 'live',
          label: 'differs from the earlier moment',
          text: isInBoth ? before.data : null,
        }}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {found.map((of, index) => (
          <Moment key={moments[index]?.at} at={moments[index]?.at ?? ''}>
            <Why of={of} />
            {of.wrapped !== null && <DeliveredResponse wrapped={of.wrapped} />}
          </Moment>
        ))}
      </SimpleGrid>
    </Stack>
  );
}

function Moment({ at, children }: { readonly at: string; readonly children: ReactNode }) {
  return (
    <Stack gap="xs" miw={0}>
      <Text size="sm" fw={500}>
        {exactTime(at)}
      </Text>
      {children}
    </Stack>
  );
}

function ItemFacts({ moment: { env }, found: { item } }: OneMomentProps) {
  const { id, outcome, detail, revision, line, hash, release, bytes, segments, variants } = item;
  return (
    <Facts
      facts={{
        Outcome: <OutcomeBadge outcome={outcome} />,
        Why: outcome === 'delivered' ? null : detail,
        Revision: revision === null ? null : <RevisionLink env={env} id={id} revision={revision} />,
        'Version line': line === null ? null : `from ${line}`,
        Release:
          release === null ? null : (
            <PlaceLink to={pathOf.release(env, release)}>#{release}</PlaceLink>
          ),
        'Rules that applied': variants.length === 0 ? null : <AppliedRules env={env} item={item} />,
        'Segments in its rules':
          segments.length === 0 ? null : <UsedSegments env={env} item={item} />,
        Hash: hash === null ? null : <span className="mono">{hash}</span>,
        Size: bytes === null ? null : formatBytes(bytes),
      }}
    />
  );
}

interface DeliveredProps {
  readonly id: string;
  /** JSON; null: none was delivered. */
  readonly data: string | null;
  readonly against: Against;
}

function Delivered({ id, data, against: { kind, label, text } }: DeliveredProps) {
  const view = useMemo(
    () => (data === null ? null : comparedView(data, [{ kind, label, text }])),
    [data, kind, label, text],
  );
  if (data === null) return null;
  if (view === null)
    return <Text size="sm">This response is too large to show formatted. Copy it below.</Text>;
  const [comparison = null] = view.comparisons;
  const changes = comparison?.changes ?? [];
  return (
    <Stack gap={6}>
      {changes.length > 0 && (
        <>
          <Title order={3} size="h6">
            {kind === 'rules' ? 'Changed by rules' : 'Different values'} ({changes.length})
          </Title>
          <PlaceChanges changes={changes} />
        </>
      )}
      {kind === 'live' && comparison !== null && changes.length === 0 && (
        <Alert variant="light">
          The data is the same at both moments. What else differs, such as the revision or its hash,
          is above.
        </Alert>
      )}
      <Title order={3} size="h6">
        Delivered data
      </Title>
      <JsonView lines={view.lines} label={`Delivered data of ${id}`} legend={view.legend} />
    </Stack>
  );
}

function Why({ of: { item } }: { readonly of: LookedUp }) {
  if (item.rules === null || item.outcome !== 'delivered') return null;
  return (
    <Stack gap={6}>
      <Title order={3} size="h6">
        Why
      </Title>
      <RuleResults rules={item.rules} />
    </Stack>
  );
}
