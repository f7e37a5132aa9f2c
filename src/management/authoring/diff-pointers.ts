/** Lists where two JSON texts differ, as JSON pointers. Numbers are compared as JavaScript reads them. */

export interface PointerChange {
  /** RFC 6901; '' is the whole document. */
  readonly path: string;
  readonly change: 'added' | 'changed' | 'removed';
}

/** In document order of the old text, at most `countMax` of them. Levels are bounded by the limit on stored texts. */
export function diffPointers(
  before: Uint8Array,
  after: Uint8Array,
  countMax: number,
): PointerChange[] {
  const changes: PointerChange[] = [];
  compare(parse(before), parse(after), '', changes, countMax);
  return changes;
}

function parse(json: Uint8Array): unknown {
  return JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString());
}

function compare(
  before: unknown,
  after: unknown,
  path: string,
  changes: PointerChange[],
  countMax: number,
): void {
  if (changes.length >= countMax || before === after) return;
  if (Array.isArray(before) && Array.isArray(after)) {
    const shared = Math.min(before.length, after.length);
    for (let index = 0; index < shared; index++) {
      compare(before[index], after[index], `${path}/${index}`, changes, countMax);
    }
    for (let index = shared; index < before.length; index++) {
      add(changes, `${path}/${index}`, 'removed', countMax);
    }
    for (let index = shared; index < after.length; index++) {
      add(changes, `${path}/${index}`, 'added', countMax);
    }
  } else if (isObject(before) && isObject(after)) {
    for (const [key, value] of Object.entries(before)) {
      const below = `${path}/${escapeKey(key)}`;
      if (Object.hasOwn(after, key)) compare(value, after[key], below, changes, countMax);
      else add(changes, below, 'removed', countMax);
    }
    for (const key of Object.keys(after)) {
      if (!Object.hasOwn(before, key)) add(changes, `${path}/${escapeKey(key)}`, 'added', countMax);
    }
  } else {
    add(changes, path, 'changed', countMax);
  }
}

function add(
  changes: PointerChange[],
  path: string,
  change: PointerChange['change'],
  countMax: number,
): void {
  if (changes.length < countMax) changes.push({ path, change });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
