/**
 * The content items of a refresh, each once. Clients that hold the same items send their ids in the same order, so what
 * such a list names is remembered: an unchanged start-up then looks nothing up.
 */
import { contentKey } from '../../content/content-id.js';
import { heldListsMax } from '../limits.js';
import type { ServedEnvironment } from '../published/published-index.js';
import type { ServedContent } from '../render/served-content.js';
import type { RefreshRequest } from './refresh-request.js';

export interface RefreshContents {
  /** As the client wrote them, in `ids` or else in `have`, or as in the catalog. */
  readonly names: readonly string[];
  readonly contents: readonly ServedContent[];
  /** The tags that the client holds; '' for none, and it ends where no further ones are held. */
  readonly tags: readonly string[];
  /** What the client named and the environment does not have. */
  readonly unknown: readonly string[];
  /** How many of `contents` the client named; the others are the catalog's. */
  readonly listed: number;
  /** What selecting from all of them costs, see `ContentPlan.ordinaryWork`. */
  readonly ordinaryWork: number;
}

/** Each id stands in one spelling in `ids`, and in one, perhaps another, in `have`. */
export function refreshContents(
  environment: ServedEnvironment,
  request: RefreshRequest,
): RefreshContents {
  if (request.ids !== null) return lookedUp(environment, request);
  const lists = listsOf(environment);
  const { heldIds } = request;
  for (const list of lists.known) {
    if (isList(list, heldIds)) return { ...list, tags: request.heldTags };
  }
  const found = lookedUp(environment, request);
  if (found.unknown.length > 0) return found;
  // Without the tags, which may be texts of any length.
  lists.known[lists.next] = { ...found, tags: noIds };
  lists.next = (lists.next + 1) % heldListsMax;
  return found;
}

/** Lists of `have` whose ids are all there: names beyond the catalog's are not kept. */
interface HeldLists {
  /** `ServedEnvironment.contentsVersion` that they hold for. */
  readonly version: number;
  readonly known: RefreshContents[];
  /** The place of the one to be replaced next. */
  next: number;
}

const heldLists = new WeakMap<ServedEnvironment, HeldLists>();

function listsOf(environment: ServedEnvironment): HeldLists {
  const known = heldLists.get(environment);
  if (known !== undefined && known.version === environment.contentsVersion) return known;
  const fresh: HeldLists = { version: environment.contentsVersion, known: [], next: 0 };
  heldLists.set(environment, fresh);
  return fresh;
}

/** Whether these are the ids that the list begins with, and no fewer than the client named. */
function isList({ names, listed }: RefreshContents, ids: readonly string[]): boolean {
  if (listed !== ids.length) return false;
  for (let at = 0; at < listed; at += 1) if (names[at] !== ids[at]) return false;
  return true;
}

/** Goes up by one with each list that is looked up; see `ServedContent.namedBy`. */
let lookupNumber = 0;

function lookedUp(
  environment: ServedEnvironment,
  { heldIds, heldTags, ids }: RefreshRequest,
): RefreshContents {
  lookupNumber += 1;
  const names: string[] = [];
  const contents: ServedContent[] = [];
  const tags: string[] = [];
  const unknown: string[] = [];
  let ordinaryWork = 0;
  const add = (id: string, content: ServedContent): void => {
    content.namedBy = lookupNumber;
    content.namedAt = names.length;
    ordinaryWork += content.ordinaryWork;
    names.push(id);
    contents.push(content);
  };
  const unknownIds = new Set<string>();
  for (const id of ids ?? noIds) {
    const content = environment.content(id);
    if (content !== undefined) {
      add(id, content);
      tags.push('');
    } else {
      unknownIds.add(contentKey(id));
      unknown.push(id);
    }
  }
  for (let at = 0; at < heldIds.length; at += 1) {
    const id = heldIds[at] as string;
    const tag = heldTags[at] as string;
    const content = environment.content(id);
    if (content === undefined) {
      if (unknownIds.size === 0 || !unknownIds.has(contentKey(id))) unknown.push(id);
    } else if (content.namedBy === lookupNumber) {
      tags[content.namedAt] = tag;
    } else {
      add(id, content);
      tags.push(tag);
    }
  }
  const listed = names.length;
  if (ids === null) {
    for (const content of environment.contents.values()) {
      if (content.namedBy !== lookupNumber) add(content.id, content);
    }
  }
  return { names, contents, tags, unknown, listed, ordinaryWork };
}

const noIds: readonly string[] = [];
