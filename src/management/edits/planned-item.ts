/** What an edit makes of one content item, as far as its state shows. Pure. */
import { compareVersionTexts } from '../../content/version-text.js';
import { tagsMax } from '../../contract/limits.js';
import type { EditedItem, EditedLine } from '../../contract/operations/contents/content-edits.js';
import { Problem, type ValidationIssue } from '../../contract/problems.js';
import { contentUnknown } from '../contents/unknown-content.js';
import type { StoredContent, StoredState } from '../store/contents/content-states.js';
import type { LineDraft } from '../store/contents/revisions.js';
import type { ContentToSave } from '../store/contents/save-contents.js';
import { type EditRequest, type ItemEdit, type SetEdit, staysUnpublished } from './edit-request.js';
import type { SetTexts } from './set-in-texts.js';

export interface PlannedItem {
  /** As it is spelled in the environment, or in the request where there is none. */
  readonly id: string;
  /** Null: there is no such item. */
  readonly stored: StoredContent | null;
  readonly outcome: EditedItem['outcome'];
  /** What is saved; null: nothing is, or the item is deleted. */
  readonly save: ContentToSave | null;
  readonly isDeleted: boolean;
  /** Texts of new version lines, by digest. */
  readonly texts: ReadonlyMap<string, Uint8Array>;
  readonly lines: readonly EditedLine[];
  readonly warnings: readonly ValidationIssue[];
  readonly problem: Problem | null;
}

const noTexts: ReadonlyMap<string, Uint8Array> = new Map();
const nothing = { save: null, isDeleted: false, texts: noTexts, lines: [], warnings: [] } as const;

export function rejectItem(
  item: Pick<PlannedItem, 'id' | 'stored'>,
  problem: Problem,
): PlannedItem {
  const { id, stored } = item;
  return { ...nothing, id, stored, outcome: 'rejected', problem };
}

/** @param texts what becomes of the texts of its newest revision, where a value is set */
export function planItem(
  request: EditRequest,
  id: string,
  stored: StoredContent | undefined,
  texts: SetTexts,
): PlannedItem {
  if (stored === undefined || stored.deleted) {
    return rejectItem({ id, stored: null }, contentUnknown(request.environment, id));
  }
  const { edit } = request;
  switch (edit.kind) {
    case 'tags':
      return planTags(stored, edit);
    case 'set':
      return planSet(request, edit, stored, texts);
    case 'publish':
      return planPublish(request, stored);
    case 'delete': {
      const base = { ...nothing, id: stored.id, stored, problem: null };
      return { ...base, outcome: 'changed', isDeleted: true };
    }
  }
}

/** The newest revision. */
export function newestState({ draft, live }: StoredContent): StoredState {
  const state = draft ?? live;
  if (state === null) throw new Error('a content item that is there has a revision');
  return state;
}

/** Tags after an edit, in their order: those that are added come last. */
export function tagsAfter(
  tags: readonly string[],
  { add, remove }: Pick<Extract<ItemEdit, { readonly kind: 'tags' }>, 'add' | 'remove'>,
): string[] {
  const kept = tags.filter((tag) => !remove.includes(tag));
  return [...new Set([...kept, ...add])];
}

function planTags(
  stored: StoredContent,
  edit: Extract<ItemEdit, { readonly kind: 'tags' }>,
): PlannedItem {
  const tags = tagsAfter(stored.tags, edit);
  if (tags.length > tagsMax) {
    const detail = `It would have ${tags.length} tags; the limit is ${tagsMax}.`;
    return rejectItem({ id: stored.id, stored }, new Problem('limit_reached', detail));
  }
  if (JSON.stringify(tags) === JSON.stringify(stored.tags)) return unchanged(stored);
  const { description, schema, guards } = stored;
  return changed(stored, { ...kept(stored), about: { description, tags, schema, guards } });
}

function planPublish(request: EditRequest, stored: StoredContent): PlannedItem {
  const { draft, newest } = stored;
  if (draft === null) return unchanged(stored);
  const live = staysUnpublished(request) ? kept(stored).live : newest;
  return changed(stored, { ...kept(stored), live, delivered: live === newest });
}

function planSet(
  request: EditRequest,
  edit: SetEdit,
  stored: StoredContent,
  setTexts: SetTexts,
): PlannedItem {
  const base = newestState(stored);
  const texts = new Map<string, Uint8Array>();
  const after: LineDraft[] = [];
  const lines: EditedLine[] = [];
  const warnings: ValidationIssue[] = [];
  for (const line of base.lines) {
    const { version: appVersion } = line;
    if (edit.appVersion !== undefined && appVersion !== edit.appVersion) {
      after.push(line);
      continue;
    }
    const set = setTexts.get(line.textDigest);
    if (set?.kind === 'invalid') {
      const errors = [{ path: 'edit', appVersion, message: set.message }];
      const problem = new Problem('invalid_content', set.message, errors);
      return rejectItem({ id: stored.id, stored }, problem);
    }
    if (set?.kind !== 'set') {
      const before = set?.kind === 'same' ? set.before : null;
      lines.push({ appVersion, change: set?.kind ?? 'missing', before, after: null });
      after.push(line);
      continue;
    }
    const { before, after: value } = set;
    const change = before === null ? 'created' : 'set';
    lines.push({ appVersion, change, before, after: value });
    warnings.push(...set.warnings.map((warning) => ({ path: 'edit', appVersion, ...warning })));
    texts.set(set.line.textDigest, set.bytes);
    after.push({ ...set.line, version: appVersion });
  }
  if (texts.size === 0) {
    const isSame = lines.some(({ change }) => change === 'same');
    return { ...unchanged(stored), outcome: isSame ? 'unchanged' : 'missing', lines };
  }
  const { mapping, flags, segments } = base;
  const number = stored.newest + 1;
  after.sort((a, b) => compareVersionTexts(a.version, b.version));
  const note =
    request.note === '' ? `Set ${edit.path === '' ? 'the document' : edit.path}.` : request.note;
  const revision = { number, lines: after, mapping, flags, segments, note, synced: null };
  // What players do not receive yet stays a draft.
  const isDelivered = !staysUnpublished(request) && stored.live !== null;
  const live = isDelivered ? number : kept(stored).live;
  const save = {
    ...kept(stored),
    newest: number,
    live,
    revisions: [revision],
    delivered: isDelivered,
  };
  return { ...changed(stored, save), texts, lines, warnings };
}

function unchanged(stored: StoredContent): PlannedItem {
  return { ...nothing, id: stored.id, stored, outcome: 'unchanged', problem: null };
}

function changed(stored: StoredContent, save: ContentToSave): PlannedItem {
  return { ...nothing, id: stored.id, stored, outcome: 'changed', save, problem: null };
}

/** The item as it is. */
function kept(stored: StoredContent): ContentToSave {
  const { idLower, id, description, tags, schema, guards, newest, live } = stored;
  const about = { description, tags, schema, guards };
  return {
    idLower,
    id,
    about,
    newest,
    live: live?.number ?? null,
    revisions: [],
    delivered: false,
  };
}
