/** Saves and deletes the named conditions of an environment. */
import { type ConditionFault, compileCondition } from '../../content/condition/condition.js';
import {
  deleteSegment,
  findSegment,
  listSegmentUses,
  putSegment,
  type Segment,
} from '../store/segments.js';
import type { Write } from '../store/write.js';
import { editEnvironment } from './edit-environment.js';
import { type InputFault, Refusal } from './refusal.js';

export interface SegmentEdit {
  /** JSON text. */
  readonly condition: string;
  /** Left out: stays as it is. */
  readonly description?: string | undefined;
}

export interface SavedSegment {
  readonly created: boolean;
  readonly segment: Segment;
  /** What is valid but can hardly be meant. */
  readonly warnings: readonly InputFault[];
}

/** The saved conditions are compiled here only to find faults; delivery compiles them again. */
export async function saveSegment(
  write: Write,
  environment: string,
  name: string,
  edit: SegmentEdit,
): Promise<SavedSegment | Refusal> {
  const editable = await editEnvironment(write, environment);
  if (editable instanceof Refusal) return editable;
  const warnings: ConditionFault[] = [];
  const condition = compileCondition(JSON.parse(edit.condition), warnings);
  if (typeof condition !== 'function') {
    return new Refusal('invalid_segment', 'The condition has faults.', condition);
  }
  const before = await findSegment(write.db, environment, name);
  const description = edit.description ?? before?.description ?? '';
  const saved = { environment, name, condition: edit.condition, description };
  const created = await putSegment(write, saved);
  const times = { createdAtMs: before?.createdAtMs ?? write.at, updatedAtMs: write.at };
  return { created, segment: { ...saved, ...times }, warnings };
}

/** Refuses while a newest or live revision refers to the segment. */
export async function removeSegment(
  write: Write,
  environment: string,
  name: string,
): Promise<{ readonly name: string } | Refusal> {
  const editable = await editEnvironment(write, environment);
  if (editable instanceof Refusal) return editable;
  if ((await findSegment(write.db, environment, name)) === null) {
    return segmentUnknown(environment, name);
  }
  const uses = await listSegmentUses(write.db, environment, name);
  if (uses.length > 0) {
    const contents = uses.map((use) => use.content).join(', ');
    return new Refusal('segment_in_use', `The segment "${name}" is used by: ${contents}.`);
  }
  await deleteSegment(write, environment, name);
  return { name };
}

export function segmentUnknown(environment: string, name: string): Refusal {
  return new Refusal(
    'segment_not_found',
    `The environment "${environment}" has no segment "${name}".`,
  );
}
