/** Configurations, and the pages of a refresh of which they are made. What is not as the server writes it is no page. */
import { attempt } from './attempt.js';
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
  /** What a server that collects receipts wants back. */
  receipt?: unknown;
}

/** Everything that one player gets. Where the server confirms it, the same object has the newer origin. */
export interface Configuration extends Origin {
  readonly entriesById: Entries;
  readonly fingerprint: string;
  readonly appVersion: string | undefined;
  readonly source: Source;
}

export type Known = Configuration | undefined;

export interface Page extends Origin {
  /** What is new. */
  readonly entriesById: Entries;
  /** Ids in lower case. */
  readonly gone: readonly string[];
  readonly more: boolean;
  /** The instant that caused an event. */
  readonly at?: string;
  readonly takes?: unknown;
}

export function makeConfiguration(
  entriesById: Entries,
  { store, sequence, changesAt, receipt }: Origin,
  appVersion: string | undefined,
  source: Source,
): Configuration {
  const fingerprint = fingerprintOf(entriesById);
  return { store, sequence, changesAt, receipt, entriesById, fingerprint, appVersion, source };
}

export function fingerprintOf(entriesById: Entries): string {
  // Ids are ASCII, so this is the order of their bytes.
  const lines = [...entriesById].map(([id, { tag }]) => `${id}:${tag}\n`).sort();
  return checksum(lines.join('')).crc;
}

export function byId(entries: readonly Entry[]): Entries {
  return new Map(entries.map((entry) => [entry.id.toLowerCase(), entry]));
}

/** Ids of what one has and the other has not, or has otherwise. */
export function differingIds(one: Entries | undefined, other: Entries): string[] {
  return [...new Map([...(one ?? []), ...other])]
    .filter(([id]) => one?.get(id)?.tag !== other.get(id)?.tag)
    .map(([, { id }]) => id)
    .sort();
}

/** What `loadout export --baseline` wrote. @returns undefined: it cannot be read */
export function readBaseline(text: string): Known {
  return attempt(() => {
    const { format, appVersion, contents, ...origin } = JSON.parse(text);
    const entriesById = readEntries(contents);
    return format === 1
      ? makeConfiguration(entriesById, origin, appVersion ?? undefined, 'baseline')
      : undefined;
  });
}

/** @returns undefined: garbage */
export function readPage(text: string): Page | undefined {
  return attempt(() => {
    const { contents, ...page } = JSON.parse(text);
    const { store, sequence, changesAt, more } = page;
    const entriesById = readEntries(contents);
    const gone = page.gone.map((id: string) => id.toLowerCase());
    return typeof store === 'string' &&
      sequence >= 0 &&
      (changesAt === null || Date.parse(changesAt) > 0) &&
      typeof more === 'boolean'
      ? { ...page, entriesById, gone }
      : undefined;
  });
}

/** Throws if they are not as the server writes them. */
function readEntries(contents: Record<string, Entry & { meta?: Entry }>): Entries {
  return byId(
    Object.entries(contents).map(([id, { data, hash, tag, crc, meta, seg = meta?.seg }]) => {
      const isWhole = typeof data === 'string' && checksum(data).crc === crc;
      if (!isWhole || !tag || !Array.isArray(seg)) throw new Error(id);
      return { id, data, hash, tag, crc, seg };
    }),
  );
}
