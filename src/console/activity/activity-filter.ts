/** The filter of the activity: as the address bar keeps it, and as the admin API takes it. Pure. */
import { requestOf } from '../../contract/client.js';
import type { AuditQuery } from '../../contract/operations/audit.js';

export const periods = {
  '1h': { label: 'The last hour', ms: 3_600_000 },
  '24h': { label: 'The last 24 hours', ms: 86_400_000 },
  '7d': { label: 'The last 7 days', ms: 7 * 86_400_000 },
  '30d': { label: 'The last 30 days', ms: 30 * 86_400_000 },
} as const;

export type Period = keyof typeof periods;

export interface ActivityFilter {
  readonly environment: string;
  readonly action: string;
  readonly user: string;
  readonly name: string;
  /** Parts of notes, names and people's names. */
  readonly words: string;
  /** Part of a changed path, or a JSON pointer. */
  readonly path: string;
  /** A value before or after. */
  readonly value: string;
  /** '' is any time; `custom` uses `from` and `until`. */
  readonly period: Period | 'custom' | '';
  /** Local times as an input of the type datetime-local writes them; '' is open. */
  readonly from: string;
  readonly until: string;
}

const names = [
  ...(['environment', 'action', 'user', 'name', 'words', 'path', 'value'] as const),
  ...(['period', 'from', 'until'] as const),
];

export function filterOf(params: URLSearchParams): ActivityFilter {
  const read = Object.fromEntries(names.map((name) => [name, params.get(name) ?? '']));
  const { period = '' } = read;
  const isKnown = period in periods || period === 'custom';
  return { ...read, period: isKnown ? period : '' } as ActivityFilter;
}

/** Only the parts that narrow. */
export function paramsOf(filter: ActivityFilter): URLSearchParams {
  const isCustom = filter.period === 'custom';
  const params = new URLSearchParams();
  for (const name of names) {
    const isTime = name === 'from' || name === 'until';
    if (filter[name] !== '' && (isCustom || !isTime)) params.set(name, filter[name]);
  }
  return params;
}

/** Converts local times to RFC 3339; leaves out what is not a time. */
export function queryOf(filter: ActivityFilter, nowMs: number): AuditQuery {
  const { environment, action, user, name, words, path, value } = filter;
  const texts = Object.entries({ environment, action, user, name, words, path, value });
  return {
    ...Object.fromEntries(texts.filter(([, text]) => text !== '')),
    ...timesOf(filter, nowMs),
  };
}

function timesOf(
  { period, from, until }: ActivityFilter,
  nowMs: number,
): Pick<AuditQuery, 'from' | 'until'> {
  if (period === '') return {};
  if (period !== 'custom') return { from: new Date(nowMs - periods[period].ms).toISOString() };
  const [first, last] = [Date.parse(from), Date.parse(until)];
  return {
    ...(Number.isNaN(first) ? {} : { from: new Date(first).toISOString() }),
    ...(Number.isNaN(last) ? {} : { until: new Date(last).toISOString() }),
  };
}

/** The path of all events as NDJSON; the browser sends the session cookie with it. */
export function exportPath(query: AuditQuery): string {
  return requestOf('GET /audit/export', { query }).path;
}

/** What was typed into the search: words, and what they say of paths and values, as in `path:price`. */
export interface TypedSearch {
  readonly words: string;
  /** Null: nothing. */
  readonly path: string | null;
  readonly value: string | null;
}

export function readSearch(typed: string): TypedSearch {
  const found: { path: string | null; value: string | null } = { path: null, value: null };
  const words = typed.replace(prefixed, (_, kind: 'path' | 'value', quoted, bare) => {
    found[kind] = kind === 'value' && quoted !== undefined ? `"${quoted}"` : (quoted ?? bare);
    return ' ';
  });
  return { ...found, words: words.trim().replace(blanks, ' ') };
}

const prefixed = /(?:^|\s)(path|value):(?:"([^"]*)"|(\S+))/g;
const blanks = /\s+/g;

/** The parts that narrow, in words: for an empty result, which offers to leave each out. */
export function partsOf(
  filter: ActivityFilter,
): { label: string; without: Partial<ActivityFilter> }[] {
  const { environment, action, user, name, words, path, value, period } = filter;
  const timeLabel =
    period === '' || period === 'custom' ? 'the custom time' : periods[period].label.toLowerCase();
  const parts: [string, string, Partial<ActivityFilter>][] = [
    [words, `the words “${words}”`, { words: '' }],
    [
      path,
      path.startsWith('/') ? `changes at or below ${path}` : `a changed path with “${path}”`,
      { path: '' },
    ],
    [value, `the value ${value}`, { value: '' }],
    [name, `the name “${name}”`, { name: '' }],
    [user, `the person “${user}”`, { user: '' }],
    [action, `the action ${action}`, { action: '' }],
    [environment, `the environment ${environment}`, { environment: '' }],
    [period, timeLabel, { period: '', from: '', until: '' }],
  ];
  return parts.filter(([text]) => text !== '').map(([, label, without]) => ({ label, without }));
}
