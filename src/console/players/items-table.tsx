/** The content items of a look-up as a table; each opens to its response and why. */
import { Badge, List, Text } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import type { PlayerItemPair } from '../../contract/players/pair-items.js';
import type { PlayerItem } from '../../contract/schemas/players/player-item.js';
import { type Column, DataTable, type Details } from '../parts/data/data-table.js';
import { pathOf } from '../parts/environments.js';
import { formatBytes } from '../parts/format-bytes.js';
import { formatMoment } from '../parts/time/formats.js';
import { changesBetween, describeBetween } from './between.js';
import { ItemDetails } from './item-details.js';
import { AppliedRules, Given, PlaceLink, UsedSegments } from './item-parts.js';
import type { KnownMoment } from './player-look-up.js';

export interface ItemsTableProps {
  readonly rows: readonly PlayerItemPair[];
  readonly first: KnownMoment;
  /** Null: there is one moment. */
  readonly second: KnownMoment | null;
}

export function ItemsTable({ rows, first, second }: ItemsTableProps) {
  const { env, at, user } = first;
  const otherAt = second?.at ?? null;
  const columns = useMemo(
    () => [
      idColumn(env),
      ...(otherAt === null ? columnsOfOne(env) : columnsOfTwo(env, at, otherAt)),
    ],
    [env, at, otherAt],
  );
  const details = useMemo<Details<PlayerItemPair>>(
    () => ({
      label: ({ id }) => `Details of ${id}`,
      show: ({ id }) => (
        <ItemDetails
          id={id}
          first={{ env, user, at }}
          second={otherAt === null ? null : { env, user, at: otherAt }}
        />
      ),
    }),
    [env, user, at, otherAt],
  );
  return (
    <DataTable
      aria-label="Content items"
      rows={rows}
      columns={columns}
      keyOf={({ id }) => id}
      details={details}
    />
  );
}

function idColumn(env: string): Column<PlayerItemPair> {
  return {
    title: 'Content item',
    isHeader: true,
    w: 140,
    sortBy: ({ id }) => id,
    cell: ({ id }) => (
      <Text
        size="sm"
        fw={500}
        className="mono"
        component="span"
        style={{ overflowWrap: 'anywhere' }}
      >
        <PlaceLink to={pathOf.content(env, id)}>{id}</PlaceLink>
      </Text>
    ),
  };
}

function columnsOfOne(env: string): readonly Column<PlayerItemPair>[] {
  return [
    { title: 'Given', cell: ofFirst((item) => <Given env={env} item={item} />) },
    {
      title: 'Rules that applied',
      visibleFrom: 'sm',
      cell: ofFirst((item) => <AppliedRules env={env} item={item} />),
    },
    {
      title: 'Segments in its rules',
      visibleFrom: 'lg',
      cell: ofFirst((item) => <UsedSegments env={env} item={item} />),
    },
    {
      title: 'Size',
      ta: 'right',
      visibleFrom: 'lg',
      sortBy: ({ first }) => first?.bytes ?? 0,
      cell: ofFirst(({ bytes }) => (
        <Text span inherit style={{ whiteSpace: 'nowrap' }}>
          {bytes === null ? '' : formatBytes(bytes)}
        </Text>
      )),
    },
  ];
}

/** Of each moment: they are read side by side. */
const sideWidth = 160;

function columnsOfTwo(env: string, at: string, otherAt: string): readonly Column<PlayerItemPair>[] {
  const title = (moment: string): string => formatMoment(new Date(moment), Date.now());
  const side = (item: PlayerItem | null) =>
    item === null ? 'not there' : <Given env={env} item={item} />;
  return [
    { title: title(at), visibleFrom: 'sm', w: sideWidth, cell: ({ first }) => side(first) },
    // Two moments of a minute have the same words.
    {
      title: title(at) === title(otherAt) ? 'Later' : title(otherAt),
      visibleFrom: 'sm',
      w: sideWidth,
      cell: ({ second }) => side(second),
    },
    { title: 'In between', cell: (pair) => <InBetween pair={pair} /> },
  ];
}

function InBetween({ pair: { isSame, first, second } }: { readonly pair: PlayerItemPair }) {
  const changes = first === null || second === null ? [] : changesBetween(first, second);
  const isKnown = first?.outcome !== 'not_known' && second?.outcome !== 'not_known';
  return (
    <>
      <Badge variant="dot" color={isSame ? 'gray' : 'orange'}>
        {isSame ? 'the same' : isKnown ? 'different' : 'not known'}
      </Badge>
      <List size="xs" listStyleType="none" mt={4}>
        {changes.map((change) => (
          <List.Item key={describeBetween(change)} style={{ overflowWrap: 'anywhere' }}>
            {describeBetween(change)}
          </List.Item>
        ))}
        {changes.length === 0 && !isSame && isKnown && <List.Item>{onlyTime}</List.Item>}
      </List>
    </>
  );
}

/** Neither revision nor segment nor variant differs. */
const onlyTime = 'the response for this player, because of a layer, the holdout or the time';

function ofFirst(cell: (item: PlayerItem) => ReactNode) {
  return ({ first }: PlayerItemPair) => (first === null ? null : cell(first));
}
