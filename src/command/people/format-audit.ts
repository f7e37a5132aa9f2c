/** Formats audit events. */

import type {
  AuditEvent,
  AuditedContent,
  AuditIndex,
  ChangedItem,
} from '../../contract/operations/audit.js';
import { oneLine } from '../terminal/output.js';
import { type Column, formatTable } from '../terminal/table.js';

/** A value in a line of text: what is longer can be had with --json. */
const valueCharsMax = 60;

const columns: readonly Column<AuditEvent>[] = [
  { title: 'TIME', text: (event) => event.at },
  { title: 'WHO', text: (event) => event.userName },
  { title: 'FROM', text: (event) => event.address },
  { title: 'ACTION', text: (event) => event.action },
  { title: 'ENVIRONMENT', text: (event) => event.environment },
  { title: 'NAME', text: (event) => event.name },
  { title: 'WHAT', text: (event) => formatWhat(event) },
];

export function formatAuditTable(events: readonly AuditEvent[]): string {
  return formatTable(columns, events, 'No events.');
}

/** One event on a line of its own, for events that come one by one. */
export function formatAuditLine(event: AuditEvent): string {
  const from = event.address === '' ? '' : ` (${event.address})`;
  const where = [event.environment, event.name].filter((part) => part !== '').join('/');
  const what = formatWhat(event);
  const parts = [event.at, `${event.userName}${from}`, event.action, where, what];
  return oneLine(parts.filter((part) => part !== '').join('  '));
}

/** What happened to the content that was asked for comes first, then which values changed. */
function formatWhat({ content, details, items = [] }: AuditEvent): string {
  const words = [
    content === undefined ? '' : formatContent(content),
    ...items.map(formatItem),
    formatDetails(details),
  ];
  return words.filter((text) => text !== '').join(', ');
}

/** Places of one item in a line of text. */
const placesShownMax = 2;

function formatItem({ content, places, shown }: ChangedItem): string {
  if (shown.length === 0) return '';
  const some = shown.slice(0, placesShownMax).map(({ path, before, after }) => {
    return `${path} ${formatValue(before ?? 'none')} -> ${formatValue(after ?? 'none')}`;
  });
  const left = places - some.length;
  return `${content}: ${some.join('; ')}${left > 0 ? ` and ${left} more` : ''}`;
}

/** What a search by path or value has not looked at. */
export function indexNotes({ from, until, cut }: AuditIndex): string[] {
  return [
    ...(from === null ? [] : [`Changes before ${from} are not indexed yet.`]),
    ...(until === null ? [] : [`Changes after ${until} are not indexed yet.`]),
    ...(cut === 0 ? [] : [`${cut} items changed more values than are indexed; see --name.`]),
  ];
}

function formatContent(content: AuditedContent): string {
  const { id, change, before, after, newest, from } = content;
  const parts = [`${id}: ${change}`];
  if (newest === null) {
    if (before !== null) parts.push(`live before: ${before}`);
  } else {
    if (before !== after) parts.push(`live: ${before ?? 'none'} -> ${after ?? 'none'}`);
    if (newest !== after && change !== 'removed') parts.push(`newest: ${newest}`);
  }
  if (from !== null) parts.push(`source: ${from}`);
  return parts.join(', ');
}

/** `role: editor -> owner, label: ci`: what changed, then what else there is to know. */
export function formatDetails(details: Readonly<Record<string, unknown>>): string {
  const { before, after, ...others } = details;
  const [old, now] = [membersOf(before), membersOf(after)];
  const wasNothing = before === undefined || before === null;
  const names = new Set([...Object.keys(old), ...Object.keys(now)]);
  const changes = [...names].flatMap((name) => {
    const [was, is] = [formatValue(old[name]), formatValue(now[name])];
    if (was === is) return [];
    return [wasNothing ? `${name}: ${is}` : `${name}: ${was} -> ${is}`];
  });
  const rest = Object.entries(others).map(([name, value]) => `${name}: ${formatValue(value)}`);
  return [...changes, ...rest].join(', ');
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function formatValue(value: unknown): string {
  if (value === undefined) return 'none';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > valueCharsMax ? `${text.slice(0, valueCharsMax)}…` : text;
}
