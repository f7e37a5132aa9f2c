/** Decides what an edit of many content items does, on a snapshot. `plan` names what it looked at (D37). */
import { contentKey } from '../../content/content-id.js';
import { editedItemsMax } from '../../contract/limits.js';
import { Problem } from '../../contract/problems.js';
import { readContentStates, type StoredContent } from '../store/contents/content-states.js';
import type { Db } from '../store/dialect.js';
import { environmentUnknown } from '../store/edit-environment.js';
import { type Environment, findEnvironment } from '../store/environments.js';
import { EventLoopYielder } from '../store/event-loop-yielder.js';
import { readLayers } from '../store/layers/read-layers.js';
import { listSegments } from '../store/segments/segments.js';
import { PlanId } from '../transfer/plan-id.js';
import type { EditRequest } from './edit-request.js';
import { newestState, type PlannedItem, planItem } from './planned-item.js';
import { type SetDeps, type SetTexts, setInTexts, type TextToSet } from './set-in-texts.js';

export interface EditPlan {
  /** Names the request, and the state of the environment as far as it concerns the request. */
  readonly id: string;
  readonly environment: Environment;
  /** One for each id, in the order of the request. */
  readonly items: readonly PlannedItem[];
}

/** What the items of a request are now. */
export interface EditedStates {
  readonly environment: Environment;
  /** See `EditPlan.id`. */
  readonly planId: string;
  /** By lower-case id. */
  readonly states: ReadonlyMap<string, StoredContent>;
}

/** The same on a snapshot and within the edit's own transaction. */
export async function readEditedStates(
  db: Db,
  request: EditRequest,
): Promise<EditedStates | Problem> {
  const environment = await findEnvironment(db, request.environment);
  if (environment === null) return environmentUnknown(request.environment);
  const all = await readContentStates(db, environment.id);
  const states = new Map<string, StoredContent>();
  const used = new Set<string>();
  const { edit, isDraft, release, isPartial } = request;
  const value = edit.kind === 'set' ? Buffer.from(edit.value).toString() : null;
  const planId = new PlanId().add(['edit', environment.id, { ...edit, value }]);
  // Which release takes it may be chosen after the dry run.
  planId.add([isDraft, release !== null, isPartial]);
  const pace = new EventLoopYielder();
  for (const id of request.ids) {
    const idLower = contentKey(id);
    const stored = all.get(idLower);
    planId.add([idLower, stored === undefined]);
    if (stored !== undefined) {
      states.set(idLower, stored);
      planId.addContent(stored);
      for (const segment of stored.deleted ? [] : newestState(stored).segments) used.add(segment);
    }
    await pace.step();
  }
  // What its checks depend on beside the items.
  for (const segment of await listSegments(db, environment.id)) {
    if (used.has(segment.name)) planId.addSegment(segment);
  }
  planId.add(['layers', await readLayers(db, environment.id)]);
  return { environment, planId: planId.text, states };
}

/** @throws WorkFailed, WorkTooLong, WorkOverloaded */
export async function planEdit(
  db: Db,
  deps: SetDeps,
  request: EditRequest,
): Promise<EditPlan | Problem> {
  const read = await readEditedStates(db, request);
  if (read instanceof Problem) return read;
  const { environment, planId: id, states } = read;
  const { edit, ids } = request;
  const texts =
    edit.kind === 'set' ? await setInTexts(db, deps, edit, textsOf(states.values())) : noTexts;
  if (texts instanceof Problem) return texts;
  const items = ids.map((one) => planItem(request, one, states.get(contentKey(one)), texts));
  const heavy = items.filter(isHeavy).length;
  if (heavy > editedItemsMax) {
    const detail = `The edit would change ${heavy} content items; the limit is ${editedItemsMax} at once.`;
    return new Problem('limit_reached', detail);
  }
  return { id, environment, items };
}

const noTexts: SetTexts = new Map();

function* textsOf(states: Iterable<StoredContent>): Generator<TextToSet> {
  for (const stored of states) if (!stored.deleted) yield* newestState(stored).lines;
}

/** It gets a new revision, or players receive something else. */
function isHeavy({ save, isDeleted }: PlannedItem): boolean {
  return isDeleted || (save !== null && (save.delivered || save.revisions.length > 0));
}
