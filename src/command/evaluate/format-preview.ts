/** Formats a preview: shares before and after an edit, and which user contexts get something different. */

import type {
  ChangeKind,
  Preview,
  PreviewChange,
  RuleChange,
  RuleShares,
  SideShares,
} from '../../contract/operations/preview.js';
import type { PointerChange } from '../../contract/schemas/changes.js';
import { formatFirst } from '../client/format-names.js';
import { type Column, formatTable } from '../terminal/table.js';
import { formatSegment, formatTriedOut } from './format-evaluation.js';

/** A line of the table: a line of the content, a rule or a variant, with its share on both sides. */
interface ShareRow {
  readonly what: string;
  /** null: it is not there. */
  readonly now: number | null;
  readonly edit: number | null;
}

const shareColumns: readonly Column<ShareRow>[] = [
  { title: 'OF ALL CONTEXTS', text: ({ what }) => what },
  { title: 'NOW', text: ({ now }) => percent(now) },
  { title: 'EDIT', text: ({ edit }) => percent(edit) },
  { title: 'DIFFERENCE', text: difference },
];

const changeColumns = (isMadeUp: boolean, isOfFile: boolean): readonly Column<PreviewChange>[] => [
  { title: isMadeUp ? 'USERS' : 'CONTEXTS', text: ({ contexts }) => String(contexts) },
  { title: 'CHANGE', text: ({ kind }) => kindTexts[kind] },
  { title: 'NOW', text: ({ now }) => formatSeg(now) },
  { title: 'EDIT', text: ({ edit }) => formatSeg(edit) },
  { title: 'WHERE', text: formatPointers },
  {
    title: isOfFile ? 'FOR INSTANCE LINE' : 'FOR INSTANCE',
    text: ({ examples }) => examples.map(({ at, u }) => (isOfFile ? at - 1 : u)).join(', '),
  },
];

/** Enough to see what an edit is about; --json has them all. */
const shownChangesMax = 10;
const shownPointersMax = 3;
const shownValueCharsMax = 24;

/** @param ofPast it is compared with what was live at a time in the past */
export function formatPreview(value: Preview, ofPast = false): string {
  const { contexts, faulty, errors, now, edit, changed, changes, changesLeftOut } = value;
  const before = ofPast ? 'then' : 'now';
  // The response of an earlier server has no made-up users, no sample and no changes of rules.
  const madeUp = value.madeUp ?? null;
  const sampled = value.sampled ?? null;
  const isMadeUp = madeUp !== null;
  const all = isMadeUp ? madeUpUsersOf(contexts) : contextsOf(contexts);
  const otherwise = isMadeUp
    ? 'would get something different.'
    : `would get a different result than ${before}.`;
  const lines = [
    `${formatTriedOut(value)}, on ${all}; ${formatCompared(value, ofPast)}`,
    '',
    formatTable(titled(shareColumns, before, isMadeUp), shareRows(now, edit), ''),
    `${changed.contexts} of ${all} (${percent(changed.share)}) ${otherwise}`,
    ...formatRuleChanges(value.ruleChanges ?? []),
  ];
  if (changes.length > 0) {
    const shown = changes.slice(0, shownChangesMax);
    const columns = titled(
      changeColumns(isMadeUp, !isMadeUp && sampled === null),
      before,
      isMadeUp,
    );
    lines.push('', formatTable(columns, shown, '').trimEnd());
    const more = changes.length - shown.length + changesLeftOut;
    const what = isMadeUp ? 'users' : 'contexts';
    if (more > 0) lines.push(`… and ${more} more kinds of changes, for fewer ${what} each.`);
  }
  if (madeUp !== null) lines.push('', ...formatMadeUp(value, madeUp.withoutUserId));
  if (sampled !== null) lines.push('', formatSampled(sampled));
  if (faulty > 0) lines.push('', `Not valid, and left out: ${contextsOf(faulty)}.`);
  // The server counts the line that says what is tried out; the file does not have it.
  for (const { line, message } of errors) lines.push(`  line ${line - 1}: it ${message}`);
  return `${lines.join('\n')}\n`;
}

/** What the figures do not say. */
function formatMadeUp(
  { edit }: Preview,
  { contexts, changed }: NonNullable<Preview['madeUp']>['withoutUserId'],
): string[] {
  const lines = [
    'The users are made up from the rules, and no sample of your players: shares are of made-up users.',
  ];
  const missing = edit.rules.filter((rule) => rule.contexts + rule.missed === 0);
  if (missing.length > 0) {
    const names = missing.map(({ segment }) => segment).join(', ');
    lines.push(`Not tried, because no made-up user gets it: ${names}.`);
  }
  if (changed.contexts > 0) {
    lines.push(
      `Of ${contexts} contexts without a user id, which are all in bucket 0, ${changed.contexts} would get something different.`,
    );
  }
  return lines;
}

/** Where the contexts are from, and what they lack. */
function formatSampled({ requests, since, reduced }: NonNullable<Preview['sampled']>): string {
  if (since === null) {
    return 'This server has no contexts of requests: loadout env edit <environment> --traffic contexts has them kept from then on.';
  }
  return `The contexts are a sample of ${requests} requests since ${since}. User ids are pseudonyms, so buckets are drawn again; ${contextsOf(reduced)} ${reduced === 1 ? 'lacks' : 'lack'} attributes that are not kept.`;
}

/**
 * `live is revision 3`; of the past, `live at <time> was revision 3; segment vip, revision 2`; with scheduled releases, `live at
 * <time> will be revision 4, with release 12`.
 */
function formatCompared({ live, compared, at }: Preview, ofPast: boolean): string {
  if (compared !== null && compared.release !== null) {
    return `live at ${at} will be revision ${compared.revision}, with release ${compared.release}`;
  }
  if (!ofPast) return live === null ? 'nothing is live' : `live is revision ${live}`;
  if (compared === null) return `nothing was live at ${at}`;
  const held = [`revision ${compared.revision}`, ...compared.segments.map(formatSegment)];
  return `live at ${at} was ${held.join('; ')}`;
}

function titled<T>(
  columns: readonly Column<T>[],
  before: string,
  isMadeUp: boolean,
): readonly Column<T>[] {
  const others: Readonly<Record<string, string>> = {
    NOW: before.toUpperCase(),
    ...(isMadeUp ? { 'OF ALL CONTEXTS': 'OF MADE-UP USERS' } : {}),
  };
  return columns.map((column) => ({ ...column, title: others[column.title] ?? column.title }));
}

function shareRows(now: SideShares, edit: SideShares): ShareRow[] {
  const versions = new Set([...now.lines, ...edit.lines].map(({ appVersion }) => appVersion));
  const lineShare = (side: SideShares, version: string): number | null =>
    side.lines.find(({ appVersion }) => appVersion === version)?.share ?? null;
  const rows: ShareRow[] = [...versions].map((version) => ({
    what: `line ${version}`,
    now: lineShare(now, version),
    edit: lineShare(edit, version),
  }));
  rows.push({ what: 'not found (404)', now: now.notFound.share, edit: edit.notFound.share });
  const nowRules = new Map(now.rules.map((rule) => [ruleKey(rule, now), rule]));
  const editRules = new Map(edit.rules.map((rule) => [ruleKey(rule, edit), rule]));
  for (const key of new Set([...editRules.keys(), ...nowRules.keys()])) {
    rows.push(...ruleRows(key, nowRules.get(key) ?? null, editRules.get(key) ?? null));
  }
  return rows;
}

/** Rules are the same on both sides by their name; of several with one name, by their order. */
function ruleKey(rule: RuleShares, side: SideShares): string {
  const same = side.rules.filter(({ segment }) => segment === rule.segment);
  const count = same.indexOf(rule) + 1;
  return count === 1 ? rule.segment : `${rule.segment} (${count})`;
}

function ruleRows(name: string, now: RuleShares | null, edit: RuleShares | null): ShareRow[] {
  const rows: ShareRow[] = [
    { what: `rule ${name}`, now: now?.share ?? null, edit: edit?.share ?? null },
  ];
  const variants = [...(edit?.variants ?? []), ...(now?.variants ?? [])].map((one) => one.name);
  for (const variant of new Set(variants)) {
    const shareOn = (rule: RuleShares | null): number | null =>
      rule?.variants.find((one) => one.name === variant)?.share ?? null;
    rows.push({ what: `  variant ${variant}`, now: shareOn(now), edit: shareOn(edit) });
  }
  const missed = (now?.missed ?? 0) + (edit?.missed ?? 0);
  if (missed > 0) {
    const what = `  its change could not apply (${now?.missed ?? 0} now, ${edit?.missed ?? 0} then)`;
    rows.push({ what, now: null, edit: null });
  }
  return rows;
}

const kindTexts: Readonly<Record<ChangeKind, string>> = {
  appeared: 'appears',
  gone: 'is gone',
  data: 'other data',
  hash: 'same data, other hash',
  report: 'same data, other report',
};

function percent(share: number | null): string {
  return share === null ? '-' : `${(share * 100).toFixed(2)} %`;
}

function difference({ now, edit }: ShareRow): string {
  if (now === null || edit === null || now === edit) return '';
  const points = (edit - now) * 100;
  return `${points > 0 ? '+' : ''}${points.toFixed(2)}`;
}

/** `eu, price-test/high`; `404` where there is no response. */
function formatSeg(response: PreviewChange['now']): string {
  if (response === null) return '404';
  const entries = response.seg as readonly { readonly n: string; readonly v: string | null }[];
  const names = entries.map(({ n, v }) => (v === null ? n : `${n}/${v}`));
  return names.length === 0 ? 'no rule' : names.join(', ');
}

/** `/gems: 100 -> 120, + /vat: true, - /old: 1 and 3 more`. */
function formatPointers({ pointers }: PreviewChange): string {
  return pointers === null ? '' : formatFirst(pointers.map(formatPointer), shownPointersMax);
}

function formatPointer({ path, change, before, after }: PointerChange): string {
  const place = path === '' ? '(all of it)' : path;
  switch (change) {
    case 'added':
      return `+ ${place}: ${shorten(after)}`;
    case 'removed':
      return `- ${place}: ${shorten(before)}`;
    case 'changed':
      return `${place}: ${shorten(before)} -> ${shorten(after)}`;
  }
}

function shorten(json: string | null): string {
  const text = json ?? '';
  return text.length <= shownValueCharsMax ? text : `${text.slice(0, shownValueCharsMax)}…`;
}

function madeUpUsersOf(count: number): string {
  return count === 1 ? '1 made-up user' : `${count} made-up users`;
}

function contextsOf(count: number): string {
  return count === 1 ? '1 context' : `${count} contexts`;
}

/** A sentence for each rule of both sides that somebody moves in; none for a rule that is new or removed. */
function formatRuleChanges(changes: readonly RuleChange[]): string[] {
  return changes.flatMap((change) => {
    const { now, edit, segment, test, contexts, otherVariant, left, joined } = change;
    if (now === null || edit === null) return [];
    const parts = [
      ...(otherVariant.contexts > 0
        ? [`${percent(otherVariant.share)} would see another variant`]
        : []),
      ...(left.contexts > 0 ? [`${percent(left.share)} would leave it`] : []),
    ];
    const joins = joined === 0 ? '' : `${joined} would join it`;
    if (parts.length === 0 && joins === '') return [];
    const moved =
      parts.length === 0 ? '' : `of the ${usersOf(contexts)} in it, ${parts.join(' and ')}`;
    const words = [moved, joins].filter((part) => part !== '').join('; ');
    return [`${test ? 'Test' : 'Rule'} ${segment}: ${words}.`];
  });
}

function usersOf(count: number): string {
  return count === 1 ? '1 user' : `${count} users`;
}
