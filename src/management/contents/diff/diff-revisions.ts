/** Compares two revisions of a content: each line's JSON and its text with comments, and the rules of the mapping. */
import { pointersPerLineMax } from '../../../contract/limits.js';
import type {
  ContentDiff,
  LineDiff,
  RuleDiff,
} from '../../../contract/operations/history/content-history.js';
import type { Problem } from '../../../contract/problems.js';
import type { Work } from '../../jobs/work.js';
import { pointersPerDiffMax } from '../../limits/bodies.js';
import { diffHereBytesMax } from '../../limits/work.js';
import type { ContentRecord } from '../../store/contents/contents.js';
import { findRevision, listRevisions, type Revision } from '../../store/contents/revisions.js';
import { readText } from '../../store/contents/texts.js';
import type { Db } from '../../store/dialect.js';
import type { Store } from '../../store/store.js';
import { revisionUnknown } from '../unknown-content.js';
import {
  changedLines,
  flagsChange,
  type LinePair,
  mappingChange,
  outlineLine,
} from './changed-lines.js';
import { type DiffLine, diffLine } from './diff-line.js';
import { diffMappings } from './diff-mappings.js';

export interface RevisionPair {
  /** Null: compared with nothing, as the first revision is. */
  readonly from: Revision | null;
  readonly to: Revision;
}

export type RevisionDiff = Pick<ContentDiff, 'lines' | 'mapping' | 'flags'>;

/**
 * @param from null: what is live, or what came before `to` when that is live or older; 0: nothing
 * @param to null: the newest
 */
export async function findPair(
  db: Db,
  content: ContentRecord,
  from: number | null,
  to: number | null,
): Promise<RevisionPair | Problem> {
  const { environment, idLower, id, newest, live } = content;
  const newer = await findRevision(db, environment, idLower, to ?? newest);
  if (newer === null) return revisionUnknown(id, to ?? newest);
  const hasOlderLive = live !== null && live < newer.number;
  const wanted = from ?? (hasOlderLive ? live : await numberBefore(db, content, newer.number));
  if (wanted === 0) return { from: null, to: newer };
  const older = await findRevision(db, environment, idLower, wanted);
  return older === null ? revisionUnknown(id, wanted) : { from: older, to: newer };
}

/** 0: there is none. Not always one less: retention may have removed some. */
async function numberBefore(db: Db, content: ContentRecord, number: number): Promise<number> {
  const [before] = await listRevisions(db, content.environment, content.idLower, number, 1);
  return before?.number ?? 0;
}

/**
 * Reads the texts line by line, each for itself: they never change, and all of them together may be large.
 * @throws WorkFailed, WorkTooLong
 */
export async function diffRevisions(
  store: Store,
  work: Work,
  { from, to }: RevisionPair,
): Promise<RevisionDiff> {
  const lines: LineDiff[] = [];
  let pointersLeft = pointersPerDiffMax;
  for (const pair of changedLines(from, to)) {
    const line = await lineDiff(store, work, pair, Math.min(pointersLeft, pointersPerLineMax));
    pointersLeft -= line.pointers.length;
    lines.push(line);
  }
  const change = mappingChange(from?.mapping ?? null, to.mapping);
  const rules =
    change === 'same' ? [] : await changedRules(store, work, from?.mapping ?? null, to.mapping);
  const flags = changedFlags(from?.flags ?? [], to.flags);
  return { lines, mapping: { change, rules }, flags };
}

function changedFlags(before: readonly string[], after: readonly string[]): ContentDiff['flags'] {
  const [old, now] = [new Set(before), new Set(after)];
  return {
    change: flagsChange(before, after),
    added: after.filter((flag) => !old.has(flag)),
    removed: before.filter((flag) => !now.has(flag)),
  };
}

async function lineDiff(
  store: Store,
  work: Work,
  pair: LinePair,
  pointersMax: number,
): Promise<LineDiff> {
  const texts = await readBoth(store, pair.old?.textDigest ?? null, pair.line?.textDigest ?? null);
  const input = { ...texts, pointersMax };
  const diff = isHeavy(texts) ? await work.run('diffLine', input) : diffLine(input);
  return { ...outlineLine(pair), ...diff };
}

async function changedRules(
  store: Store,
  work: Work,
  before: string | null,
  after: string | null,
): Promise<readonly RuleDiff[]> {
  const texts = await readBoth(store, before, after);
  return isHeavy(texts) ? work.run('diffMappings', texts) : diffMappings(texts);
}

type TextPair = Pick<DiffLine, 'before' | 'after'>;

async function readBoth(
  store: Store,
  before: string | null,
  after: string | null,
): Promise<TextPair> {
  return store.read(async (db) => ({
    before: before === null ? null : await readText(db, before),
    after: after === null ? null : await readText(db, after),
  }));
}

function isHeavy({ before, after }: TextPair): boolean {
  return (before?.byteLength ?? 0) + (after?.byteLength ?? 0) > diffHereBytesMax;
}
