/** Configurations, and the pages of a refresh of which they are made. What is not as the server writes it is no page. */
import { checksum } from './checksum.js';

export interface Entry {
  /** As delivered; ids are matched without case. */
  readonly id: string;
  /** JSON text. */
  readonly data: string;
  readonly hash: string;
  readonly tag: string;
  readonly crc: string;
  /** The rules that applied. */
  readonly seg: readonly unknown[];
}

/** By id in lower case. */
export type Entries = ReadonlyMap<string, Entry>;

export type Source = 'server' | 'cache' | 'baseline' | 'default';

/** What the response with the last page says of the whole. */
export interface Origin {
  readonly store: string;
  readonly sequence: number;
  /** RFC 3339. */
  readonly changesAt: string | null;
  /** What a server that collects receipts wants back; undefined: nothing. */
  readonly receipt?: unknown;
}

/** Everything that one player gets. Where the server confirms it, the same object has the newer origin. */
export interface Configuration extends Origin {
  readonly entries: Entries;
  readonly fingerprint: string;
  readonly appVersion: string | undefined;
  readonly source: Source;
  /** Parsed data, as far as it was asked for. */
  readonly parsed: Map<Entry, unknown>;
}

export interface Page {
  readonly origin: Origin;
  readonly entries: readonly Entry[];
  readonly gone: readonly string[];
  readonly more: boolean;
  readonly at: string | undefined;
  readonly takesEvents: boolean;
}

export function makeConfiguration(
  entries: Entries,
  origin: Origin,
  appVersion: string | undefined,
  source: Source,
): Configuration {
  // Ids are ASCII, so this is the order of their bytes.
  const lines = [...entries].map(([id, { tag }]) => `${id}:${tag}\n`).sort();
  const fingerprint = checksum(lines.join('')).crc;
  return { ...origin, entries, fingerprint, appVersion, source, parsed: new Map() };
}

export function byId(entries: readonly Entry[]): Entries {
  return new Map(entries.map((entry) => [entry.id.toLowerCase(), entry]));
}

/** Ids of what one has and the other has not, or otherwise. */
export function differingIds(one: Entries | undefined, other: Entries): string[] {
  const all = new Map([...(one ?? []), ...other]);
  return [...all]
    .filter(([id]) => one?.get(id)?.tag !== other.get(id)?.tag)
    .map(([, { id }]) => id)
    .sort();
}

/** What `loadout export --baseline` wrote. @returns null: it cannot be read */
export function readBaseline(text: string): Configuration | null {
  try {
    const { format, store, sequence, appVersion, contents } = JSON.parse(text);
    const entries = readEntries(contents);
    if (format !== 1 || !entries.every(isEntry)) return null;
    const origin = { store, sequence, changesAt: null };
    return makeConfiguration(byId(entries), origin, appVersion ?? undefined, 'baseline');
  } catch {
    return null;
  }
}

/** @returns null: garbage */
export function readPage(text: string): Page | null {
  try {
    const { store, sequence, changesAt, contents, gone, more, at, receipt, takes } =
      JSON.parse(text);
    const entries = readEntries(contents);
    const isPage =
      typeof store === 'string' &&
      Number.isSafeInteger(sequence) &&
      (changesAt === null || Date.parse(changesAt) >= 0) &&
      Array.isArray(gone) &&
      gone.every((id) => typeof id === 'string') &&
      typeof more === 'boolean' &&
      (!more || entries.length > 0) &&
      entries.every(isEntry);
    if (!isPage) return null;
    return {
      origin: { store, sequence, changesAt, ...(receipt && { receipt }) },
      entries,
      gone,
      more,
      at,
      takesEvents: Array.isArray(takes) && takes.includes('events'),
    };
  } catch {
    return null;
  }
}

function readEntries(contents: Record<string, Entry & { meta?: Entry }>): Entry[] {
  return Object.keys(contents).map((id) => {
    const { data, hash, tag, crc, meta, seg } = contents[id] as Entry & { meta?: Entry };
    return { id, data, hash, tag, crc, seg: meta ? meta.seg : seg };
  });
}

function isEntry({ data, tag, crc, seg }: Entry): boolean {
  return typeof tag === 'string' && Array.isArray(seg) && checksum(data).crc === crc;
}
