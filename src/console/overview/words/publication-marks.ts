/** Where the timeline marks what became live: what is too close together is one mark. Pure, but for the zone of the browser. */
import type { OverviewPublication } from '../../../contract/operations/overview.js';
import { percentOf, type Scale } from '../../calendar/time-scale.js';
import { formatInstant } from '../../parts/time/wall-time.js';
import { describePublication } from './describe-publication.js';

export interface PublicationMark {
  /** Of the oldest one. */
  readonly atMs: number;
  /** A line for each publication, the oldest first. */
  readonly titles: readonly string[];
}

/** Per cent of the range: about the width of a mark. */
const apartMin = 1.5;

/** The oldest first; those before the range are left out. */
export function marksOf(
  publications: readonly OverviewPublication[],
  scale: Scale,
): readonly PublicationMark[] {
  const marks: { atMs: number; titles: string[] }[] = [];
  for (const publication of publications.toReversed()) {
    const atMs = Date.parse(publication.at);
    if (atMs < scale.fromMs) continue;
    const title = `${formatInstant(atMs, atMs)}: ${publication.contents[0]?.id ?? ''} ${describePublication(publication)}`;
    const last = marks.at(-1);
    if (last !== undefined && percentOf(scale, atMs) - percentOf(scale, last.atMs) < apartMin) {
      last.titles.push(title);
    } else {
      marks.push({ atMs, titles: [title] });
    }
  }
  return marks;
}
