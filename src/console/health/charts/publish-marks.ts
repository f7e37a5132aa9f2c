/** What was published in the time that the charts show, as numbered marks. Pure. */
import type { PublishedChange } from '../../../contract/operations/health/changes.js';
import { pathOf } from '../../parts/environments.js';
import { type Span, spans } from './metrics-history.js';

export interface PublishMark {
  /** From 1, oldest first: the same on every chart and in the list. */
  readonly number: number;
  /** Seconds since the epoch. */
  readonly at: number;
  /** Such as "published shop". */
  readonly words: string;
  readonly change: PublishedChange;
}

/** @param changes oldest first */
export function marksOf(
  changes: readonly PublishedChange[],
  span: Span,
  nowMs: number,
): PublishMark[] {
  const from = nowMs / 1_000 - spans[span];
  return changes
    .map((change) => ({ change, at: Date.parse(change.at) / 1_000 }))
    .filter(({ at }) => at >= from)
    .map(({ change, at }, index) => {
      return { number: index + 1, at, words: wordsOf(change), change };
    });
}

const verbs: Readonly<Record<string, string>> = {
  'content.delete': 'deleted',
  'content.publish': 'published',
  'content.put': 'published',
  'content.remove-line': 'removed a version line of',
  'content.restore': 'restored',
  'content.rollback': 'rolled back',
  'environment.import': 'imported into',
  'environment.sync': 'synced into',
  'experiment.phase': 'began another phase of experiment',
  'experiment.start': 'started experiment',
  'experiment.stop': 'stopped experiment',
  'release.live': 'release is live:',
  'release.pause': 'paused release',
  'release.resume': 'resumed release',
  'release.revert': 'reverted release',
  'release.start': 'started release',
  'release.step': 'next step of release',
  'release.stop': 'stopped release',
  'segment.delete': 'deleted segment',
  'segment.put': 'changed segment',
  'segment.rollback': 'rolled back segment',
};

function wordsOf({ action, title }: PublishedChange): string {
  return `${verbs[action] ?? action} ${title}`;
}

export function describeMark({ number, words }: Pick<PublishMark, 'number' | 'words'>): string {
  return `${number}: ${words}`;
}

/** The others are in the list below the charts. */
const marksNamedMax = 5;

/** In one sentence, for screen readers; '' where there are none. */
export function marksSummary(marks: readonly PublishMark[]): string {
  if (marks.length === 0) return '';
  const earlier = marks.length - marksNamedMax;
  const named = marks.slice(-marksNamedMax).map(describeMark);
  const all = earlier > 0 ? [`${earlier} earlier ones`, ...named] : named;
  return `Published in this time, and marked: ${all.join(', ')}.`;
}

/** A pointer that is so close to a mark points at it: a hundredth of the chart. */
export function marksNear(
  marks: readonly PublishMark[],
  at: number,
  span: Span,
): readonly PublishMark[] {
  return marks.filter((mark) => Math.abs(mark.at - at) <= spans[span] / 100);
}

/** The screen of what was changed. */
export function placeOf({ environment, action, name }: PublishedChange): string {
  switch (action.split('.')[0]) {
    case 'content':
      return pathOf.content(environment, name, 'history');
    case 'segment':
      return pathOf.segment(environment, name);
    case 'release':
      return pathOf.release(environment, Number(name));
    case 'experiment':
      return pathOf.experiment(environment, name);
    default:
      return pathOf.contents(environment);
  }
}

/** Marks that would cover each other, as one. */
export interface MarkGroup {
  /** Of the first. */
  readonly x: number;
  /** Such as "3" or "3–5". */
  readonly label: string;
}

/** @param xs where the marks are, in pixels, ascending; @param apartMin in pixels */
export function groupMarks(
  marks: readonly { readonly number: number; readonly x: number }[],
  apartMin: number,
): MarkGroup[] {
  const groups: { x: number; first: number; last: number }[] = [];
  for (const { number, x } of marks) {
    const group = groups.at(-1);
    if (group !== undefined && x - group.x < apartMin) group.last = number;
    else groups.push({ x, first: number, last: number });
  }
  return groups.map(({ x, first, last }) => {
    return { x, label: first === last ? `${first}` : `${first}–${last}` };
  });
}
