/** Formats what a player was given. */

import { type PlayerItemPair, pairItems } from '../../contract/players/pair-items.js';
import type { PlayerItem } from '../../contract/schemas/players/player-item.js';
import type { ClientResponse } from '../client/admin-client.js';
import { rawMember } from '../terminal/json-body.js';
import { type Column, formatTable } from '../terminal/table.js';

const columns: readonly Column<PlayerItem>[] = [
  { title: 'CONTENT', text: ({ id }) => id },
  { title: 'REVISION', text: ({ revision }) => String(revision ?? '') },
  { title: 'LINE', text: ({ line }) => line ?? '' },
  { title: 'RELEASE', text: ({ release }) => String(release ?? '') },
  { title: 'RULES', text: rulesOf },
  { title: 'BYTES', text: ({ bytes }) => String(bytes ?? '') },
  { title: 'DIGEST', text: ({ digest }) => digest?.slice(0, digestChars) ?? '' },
  { title: 'DETAIL', text: ({ detail }) => detail ?? '' },
];

/** Enough to compare by eye. */
const digestChars = 12;

const pairColumns: readonly Column<PlayerItemPair>[] = [
  { title: 'CONTENT', text: ({ id }) => id },
  { title: 'FIRST', text: ({ first }) => describeSide(first) },
  { title: 'SECOND', text: ({ second }) => describeSide(second) },
];

/** @param others of another moment; null: of none */
export function formatItems(
  items: readonly PlayerItem[],
  others: readonly PlayerItem[] | null,
): string {
  if (others === null) return formatTable(columns, items, 'There are no content items.');
  const different = pairItems(items, others).filter(({ isSame }) => !isSame);
  return formatTable(pairColumns, different, 'The responses are the same at both moments.');
}

/** One content item with its response, cut out of the text: 1.10 must not turn into 1.1. */
export function formatItem({
  value,
  text,
}: ClientResponse<{ readonly at: string; readonly items: readonly PlayerItem[] }>): string {
  const [item] = value.items;
  if (item === undefined) return '';
  const why = (item.rules ?? []).map(({ segment, reason }) => `${segment}: ${reason}\n`);
  const segments = item.segments.map(
    ({ name, revision }) => `segment ${name}, revision ${revision}`,
  );
  const about = [`${item.id} at ${value.at}: ${describeSide(item)}`, ...segments].join('; ');
  const list = rawMember(text, 'items');
  const response =
    item.outcome === 'delivered' ? `\n${rawMember(list.slice(1, -1), 'answer')}\n` : '';
  return `${about}\n${why.join('')}${response}`;
}

function describeSide(item: PlayerItem | null): string {
  if (item === null) return 'not there';
  const { outcome, detail, revision, line, release } = item;
  if (outcome !== 'delivered') return detail ?? outcome;
  const rules = rulesOf(item);
  return [
    `revision ${revision}, line ${line}`,
    ...(release === null ? [] : [`in the ramp of release ${release}`]),
    ...(rules === '' ? [] : [rules]),
  ].join('; ');
}

function rulesOf({ variants }: PlayerItem): string {
  return variants
    .map(({ segment, variant, experiment }) => {
      const named = variant === null ? segment : `${segment}/${variant}`;
      return experiment === null ? named : `${named} (experiment ${experiment})`;
    })
    .join(', ');
}
