/** The `repeat` of a rule as its fields: reads them, and changes one without touching the others. Pure. */
import { type Weekday, weekdays } from '../../../content/mapping/window.js';
import { setMember } from '../rules/json-source.js';

export interface RepeatFields {
  readonly days: readonly Weekday[];
  /** HH:MM. */
  readonly from: string;
  readonly until: string;
  /** Days from the start of an occurrence to its end. */
  readonly plusDays: number;
  readonly everyWeeks: number;
}

const order = ['days', 'from', 'until', 'plusDays', 'everyWeeks'] as const;

/** @returns null where the fields cannot show it: it is edited as JSON then */
export function repeatFields(source: string): RepeatFields | null {
  const value: unknown = JSON.parse(source);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const { days, from, until, plusDays, everyWeeks } = value as Readonly<Record<string, unknown>>;
  const known: readonly unknown[] = weekdays;
  if (!Array.isArray(days) || !days.every((day) => known.includes(day))) return null;
  if (typeof from !== 'string' || typeof until !== 'string') return null;
  if (!isCountOrAbsent(plusDays) || !isCountOrAbsent(everyWeeks)) return null;
  return {
    days: weekdays.filter((day) => days.includes(day)),
    ...{ from, until },
    plusDays: plusDays ?? plusDaysMin(from, until),
    everyWeeks: everyWeeks ?? 1,
  };
}

function isCountOrAbsent(value: unknown): value is number | undefined {
  return value === undefined || (typeof value === 'number' && Number.isInteger(value));
}

/** An end that is not after the start is on the next day at the earliest. */
export function plusDaysMin(from: string, until: string): number {
  return until > from ? 0 : 1;
}

function leastOf({ from, until }: RepeatFields): number {
  return plusDaysMin(from, until);
}

/** The source of a new one. */
export function repeatSource(fields: RepeatFields): string {
  const members = order.flatMap((name) => {
    const source = memberSource(fields, name);
    return source === null ? [] : [`"${name}": ${source}`];
  });
  return `{ ${members.join(', ')} }`;
}

/** Null: what the server assumes where the member is absent. */
function memberSource(fields: RepeatFields, name: (typeof order)[number]): string | null {
  if (name === 'plusDays' && fields.plusDays === leastOf(fields)) return null;
  if (name === 'everyWeeks' && fields.everyWeeks === 1) return null;
  const value = fields[name];
  return Array.isArray(value)
    ? `[${value.map((day) => JSON.stringify(day)).join(', ')}]`
    : JSON.stringify(value);
}

/** Changes the members whose values differ; a number of days that the times no longer allow becomes the least. */
export function changeRepeat(
  mapping: string,
  index: number,
  before: RepeatFields,
  change: Partial<RepeatFields>,
): string {
  const wanted = { ...before, ...change };
  const least = leastOf(wanted);
  // Without a word on it, an occurrence ends as soon as its times allow.
  const wasLeast = before.plusDays === leastOf(before);
  const follows = change.plusDays === undefined && wasLeast;
  const after = { ...wanted, plusDays: follows ? least : Math.max(wanted.plusDays, least) };
  let changed = mapping;
  for (const name of order) {
    // Where the times change what an absent `plusDays` means, it may have to be written, or go.
    const isSame = String(before[name]) === String(after[name]);
    if (isSame && (name !== 'plusDays' || least === leastOf(before))) continue;
    changed = setMember(changed, [index, 'repeat'], name, memberSource(after, name), order);
  }
  return changed;
}
