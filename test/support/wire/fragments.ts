/** Sends requests cut into pieces, many at a time, and compares each answer with that of the whole request. */
import type { RequestKind } from './request-kinds.js';
import { comparable, SegmentWire, type WireOptions } from './segment-wire.js';

export interface Reference {
  readonly kind: RequestKind;
  /** Bytes that come back, and whether the connection ends. */
  readonly bytes: number;
  readonly closes: boolean;
  readonly text: string;
}

/** A request and where it is cut, ascending. */
export interface Cut {
  readonly reference: Reference;
  readonly at: readonly number[];
}

export interface Difference {
  readonly kind: string;
  readonly at: readonly number[];
  readonly expected: string;
  readonly got: string;
}

const quietMillis = 500;

/** What each kind is answered when it comes in one piece; asked for three times, after which caches are warm. */
export async function referencesOf(
  wire: WireOptions,
  kinds: readonly RequestKind[],
): Promise<Reference[]> {
  return Promise.all(
    kinds.map(async (kind) => {
      let reference: Reference | null = null;
      for (let round = 0; round < 3; round++) {
        const connection = await SegmentWire.open(wire);
        const reply = await connection.exchangeUntilQuiet(kind.bytes, quietMillis);
        connection.close();
        const { bytes, closed } = reply;
        reference = { kind, bytes: bytes.byteLength, closes: closed, text: comparable(reply) };
      }
      if (reference === null || reference.bytes === 0) throw new Error(`no answer: ${kind.name}`);
      return reference;
    }),
  );
}

/** @param connections as many requests are under way at once, each on a connection of its own that is kept */
export async function findDifferences(
  wire: WireOptions,
  cuts: Iterable<Cut>,
  connections: number,
): Promise<Difference[]> {
  const differences: Difference[] = [];
  const queue = cuts[Symbol.iterator]() as IterableIterator<Cut>;
  const work = async (): Promise<void> => {
    let connection: SegmentWire | null = null;
    for (const { reference, at } of queue) {
      connection ??= await SegmentWire.open(wire);
      const { kind, bytes, closes, text } = reference;
      const reply = await connection.exchange(segmentsOf(kind.bytes, at), bytes, closes);
      const got = comparable(reply);
      if (got !== text) differences.push({ kind: kind.name, at, expected: text, got });
      if (got !== text || closes || !connection.usable) {
        connection.close();
        connection = null;
      }
    }
    connection?.close();
  };
  await Promise.all(Array.from({ length: connections }, work));
  return differences;
}

/** At every position; of a request of more than `wholeBytesMax`, at about so many of them. */
export function cutsInTwo(
  reference: Reference,
  wholeBytesMax: number,
  sampleCount: number,
  random: () => number,
): readonly Cut[] {
  const { byteLength } = reference.kind.bytes;
  const all = Array.from({ length: byteLength - 1 }, (_, index) => index + 1);
  const isWhole = byteLength <= wholeBytesMax;
  const some = isWhole ? all : all.filter(() => random() < sampleCount / all.length);
  return some.map((at) => ({ reference, at: [at] }));
}

/** At so many pairs of positions. */
export function cutsInThree(
  reference: Reference,
  count: number,
  random: () => number,
): readonly Cut[] {
  const { byteLength } = reference.kind.bytes;
  return Array.from({ length: count }, () => {
    const first = 1 + Math.floor(random() * (byteLength - 2));
    const second = first + 1 + Math.floor(random() * (byteLength - first - 1));
    return { reference, at: [first, second] };
  });
}

/** Every pair of positions. */
export function* allCutsInThree(reference: Reference): Generator<Cut> {
  const { byteLength } = reference.kind.bytes;
  for (let first = 1; first < byteLength - 1; first++) {
    for (let second = first + 1; second < byteLength; second++) {
      yield { reference, at: [first, second] };
    }
  }
}

function segmentsOf(bytes: Buffer, at: readonly number[]): Buffer[] {
  const ends = [...at, bytes.byteLength];
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

/** The differences in short, for a failure that can be read: the first of each kind, and how many there are. */
export function describeDifferences(differences: readonly Difference[]): string[] {
  const byKind = new Map<string, Difference[]>();
  for (const difference of differences) {
    byKind.set(difference.kind, [...(byKind.get(difference.kind) ?? []), difference]);
  }
  return [...byKind].map(([kind, found]) => {
    const { at, expected, got } = found[0] as Difference;
    const answers = `${firstLine(got)} instead of ${firstLine(expected)}`;
    return `${kind}: ${found.length} cuts, first at ${at.join(' and ')}: ${answers}`;
  });
}

function firstLine(text: string): string {
  return JSON.stringify(text.slice(0, 60).split('\r\n')[0]);
}
