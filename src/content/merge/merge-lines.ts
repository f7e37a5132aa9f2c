/**
 * Merges two edits of one text line by line (diff3): for texts that are not JSON, such as a description, or JSON that is not
 * finished. What both changed at the same lines is a conflict. Pure.
 */
import { alignSequences } from '../align-sequences.js';
import type { MergeNode } from './merge-tree.js';
import { changedByOne, mapVersions, type Versions } from './versions.js';

/** Lines of `base` from `start` to `end` became those from `from` to `to`. */
interface Hunk {
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

/** Line breaks included. */
const anyLine = /[^\n]*\n|[^\n]+$/g;

export function mergeLines(texts: Versions<string>): MergeNode {
  const lines = mapVersions(texts, (text) => text.match(anyLine) ?? []);
  const theirs = hunksOf(lines.base, lines.theirs);
  const mine = hunksOf(lines.base, lines.mine);
  const parts: MergeNode[] = [];
  let at = 0;
  while (theirs.length > 0 || mine.length > 0) {
    const cluster = takeCluster(theirs, mine);
    parts.push(sourcePart(lines.base.slice(at, cluster.start)));
    parts.push(mergedPart(lines, cluster));
    at = cluster.end;
  }
  parts.push(sourcePart(lines.base.slice(at)));
  return { kind: 'sequence', parts };
}

function hunksOf(before: readonly string[], after: readonly string[]): Hunk[] {
  const partners = alignSequences(before, after);
  const hunks: Hunk[] = [];
  let start = 0;
  let from = 0;
  for (let index = 0; index <= before.length; index++) {
    const partner = index < before.length ? (partners[index] as number) : after.length;
    if (partner < 0) continue;
    if (index > start || partner > from) hunks.push({ start, end: index, from, to: partner });
    start = index + 1;
    from = partner + 1;
  }
  return hunks;
}

interface Cluster {
  readonly start: number;
  readonly end: number;
  readonly theirs: readonly Hunk[];
  readonly mine: readonly Hunk[];
}

/** Removes the next hunks that touch each other from both lists. */
function takeCluster(theirs: Hunk[], mine: Hunk[]): Cluster {
  const start = Math.min(theirs[0]?.start ?? Infinity, mine[0]?.start ?? Infinity);
  const taken = { theirs: [] as Hunk[], mine: [] as Hunk[] };
  let end = start;
  const take = (from: Hunk[], to: Hunk[]): boolean => {
    const [hunk] = from;
    if (hunk === undefined || hunk.start > end) return false;
    from.shift();
    to.push(hunk);
    end = Math.max(end, hunk.end);
    return true;
  };
  while (take(theirs, taken.theirs) || take(mine, taken.mine));
  return { start, end, ...taken };
}

function mergedPart(lines: Versions<readonly string[]>, cluster: Cluster): MergeNode {
  const { start, end } = cluster;
  const base = lines.base.slice(start, end).join('');
  const sides = {
    base,
    theirs: sideOf(lines.theirs, cluster, cluster.theirs) ?? base,
    mine: sideOf(lines.mine, cluster, cluster.mine) ?? base,
  };
  const source = changedByOne(sides);
  if (source !== undefined) return { kind: 'source', source };
  const place = end - start > 1 ? `lines ${start + 1} to ${end}` : `line ${start + 1}`;
  return { kind: 'conflict', conflict: { place, element: null, ...sides } };
}

/** What the lines of a cluster are on one side: between its hunks they are those of the base, moved. */
function sideOf(
  lines: readonly string[],
  { start, end }: Cluster,
  hunks: readonly Hunk[],
): string | null {
  const [first] = hunks;
  const last = hunks.at(-1);
  if (first === undefined || last === undefined) return null;
  return lines.slice(first.from - (first.start - start), last.to + (end - last.end)).join('');
}

function sourcePart(lines: readonly string[]): MergeNode {
  return { kind: 'source', source: lines.join('') };
}
