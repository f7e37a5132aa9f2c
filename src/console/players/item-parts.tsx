/** Parts that say what a player was given of a content item: the outcome, and what it came from. */
import { Anchor, Badge, Group, Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { PlayerItem } from '../../contract/schemas/players/player-item.js';
import { pathOf } from '../parts/environments.js';
import { useSession } from '../session/session.js';
import { outcomeLabels } from './between.js';

const outcomeColours: Readonly<Record<PlayerItem['outcome'], string>> = {
  delivered: 'teal',
  not_delivered: 'gray',
  not_known: 'orange',
  rejected: 'red',
};

export function OutcomeBadge({ outcome }: Pick<PlayerItem, 'outcome'>) {
  return (
    <Badge variant="dot" flex="none" color={outcomeColours[outcome]}>
      {outcomeLabels[outcome]}
    </Badge>
  );
}

export interface OfItemProps {
  readonly env: string;
  readonly item: PlayerItem;
}

/** The outcome, and below it the revision with the version line and the release, or why there is none. */
export function Given({ env, item }: OfItemProps) {
  const { outcome, detail } = item;
  return (
    <>
      <OutcomeBadge outcome={outcome} />
      <Text size="xs" mt={4} style={{ overflowWrap: 'anywhere' }} component="div">
        {outcome === 'delivered' ? <Source env={env} item={item} /> : detail}
      </Text>
    </>
  );
}

/** Such as `r5, from version 1.4.0, in release #3`. */
function Source({ env, item: { id, revision, line, release } }: OfItemProps) {
  return (
    <>
      {revision !== null && <RevisionLink env={env} id={id} revision={revision} />}
      {line !== null && `, from version ${line}`}
      {release !== null && (
        <>
          , in release <PlaceLink to={pathOf.release(env, release)}>#{release}</PlaceLink>
        </>
      )}
    </>
  );
}

export interface RevisionLinkProps {
  readonly env: string;
  readonly id: string;
  readonly revision: number;
}

/** To what the revision changed, in the history of the content item. */
export function RevisionLink({ env, id, revision }: RevisionLinkProps) {
  return <PlaceLink to={pathOf.diff(env, id, revision - 1, revision)}>r{revision}</PlaceLink>;
}

/** The rules that applied, with their variants and experiments. */
export function AppliedRules({ env, item: { variants } }: OfItemProps) {
  if (variants.length === 0) return <Text size="xs">none</Text>;
  return (
    <Group gap={4} component="span">
      {variants.map(({ rule, segment, variant, experiment }) => (
        <Text size="xs" component="span" key={rule} style={{ overflowWrap: 'anywhere' }}>
          {segment}
          {variant !== null && (
            <>
              {' '}
              → <b>{variant}</b>
            </>
          )}
          {experiment !== null && (
            <>
              {' '}
              (experiment{' '}
              <PlaceLink to={pathOf.experiment(env, experiment)}>{experiment}</PlaceLink>)
            </>
          )}
        </Text>
      ))}
    </Group>
  );
}

/** The saved segments with their revisions of that moment. */
export function UsedSegments({ env, item: { segments } }: OfItemProps) {
  if (segments.length === 0) return <Text size="xs">none</Text>;
  return (
    <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
      {segments.map(({ name, revision }, index) => (
        <Fragment key={name}>
          {index > 0 && ', '}
          <PlaceLink to={pathOf.segment(env, name, 'history')}>{name}</PlaceLink>
          {revision !== null && ` r${revision}`}
        </Fragment>
      ))}
    </Text>
  );
}

/** A link for those who may see where it leads; the role support may not. */
export function PlaceLink({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  if (useSession().role === 'support') return children;
  return (
    <Anchor component={Link} href={to} inherit underline="always">
      {children}
    </Anchor>
  );
}
