/** Unleash's segments: saved segments, and parts of the conditions of strategies with constraints of their own. */

import { pointerText } from '../../../content/json/pointer-text.js';
import { conditionProblem } from '../conditions.js';
import type { ConvertedSegment } from '../conversion.js';
import type { ReportBuilder } from '../conversion-report.js';
import { segmentName } from '../names.js';
import { NotCarried } from '../not-carried.js';
import { checkMembers } from '../source.js';
import { type Held, heldBy } from './constraints.js';
import type { UnleashSegment } from './read-export.js';
import { constraintMembers } from './schema.js';

export class Segments {
  readonly #segments: ReadonlyMap<number, UnleashSegment>;
  /** Those that can be carried over. */
  readonly #held = new Map<number, Held>();

  constructor(segments: ReadonlyMap<number, UnleashSegment>, report: ReportBuilder) {
    this.#segments = segments;
    for (const [id, segment] of segments) {
      const held = convert(segment, report);
      if (held !== null) this.#held.set(id, held);
    }
  }

  /** A segment that depends on the time is part of windows, and cannot be saved. */
  convert(report: ReportBuilder): ConvertedSegment[] {
    return [...this.#segments].flatMap(([id, { name, description }]) => {
      const held = this.#held.get(id);
      if (held === undefined || !isSavable(held)) return [];
      const saved = segmentName(name);
      report.renamed('segment', name, saved);
      return [{ name: saved, description, when: JSON.stringify(held.when) }];
    });
  }

  savedAs(id: number): string | null {
    const [segment, held] = [this.#segments.get(id), this.#held.get(id)];
    return segment !== undefined && held !== undefined && isSavable(held)
      ? segmentName(segment.name)
      : null;
  }

  /** @throws NotCarried */
  held(id: number): Held {
    const held = this.#held.get(id);
    if (held !== undefined) return held;
    const name = this.#segments.get(id)?.name;
    throw new NotCarried(
      name === undefined
        ? `the segment ${id} is not in the export`
        : `the segment ${name} cannot be carried over`,
    );
  }
}

function isSavable({ fromMs, untilMs }: Held): boolean {
  return fromMs === null && untilMs === null;
}

function convert({ name, constraints, path }: UnleashSegment, report: ReportBuilder): Held | null {
  const place = pointerText(path);
  const differences = new Set<string>();
  try {
    if (constraints === null)
      throw new NotCarried('the export has its name, and not its constraints');
    for (const [index, constraint] of constraints.entries()) {
      const at = [...path, 'constraints', String(index)];
      checkMembers(constraint, constraintMembers, name, at, report);
    }
    const held = heldBy(constraints, { report, differs: (message) => differences.add(message) });
    const problem = conditionProblem(held.when);
    if (problem !== null) throw new NotCarried(`Loadout does not admit its condition: ${problem}`);
    for (const message of differences) report.add('approximated', name, place, message);
    if (differences.size === 0) report.add('exact', name, place, 'segment');
    return held;
  } catch (error) {
    if (!(error instanceof NotCarried)) throw error;
    report.add(
      'left-out',
      name,
      place,
      `${error.message}; strategies with the segment admit nobody`,
    );
    return null;
  }
}
