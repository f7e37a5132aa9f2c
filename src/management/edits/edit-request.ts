/** An edit of many content items as a request has it: which items, what is done to each, and where the result goes. */
import { contentKey } from '../../content/content-id.js';
import { JsonPointer, parsePointer } from '../../content/mutation/json-pointer.js';
import { setValueBytesMax } from '../../contract/limits.js';
import type {
  ContentsEdit,
  ContentsEditBody,
} from '../../contract/operations/contents/content-edits.js';
import { Problem } from '../../contract/problems.js';
import type { ConfirmRequest } from '../guards/confirmation.js';
import { rawMembers } from '../http/body/raw-members.js';
import { bodyIssue } from '../http/problem.js';

type EditKind = ContentsEdit['kind'];
type Described<Kind extends EditKind> = Extract<ContentsEdit, { readonly kind: Kind }>;

export interface SetEdit extends Omit<Described<'set'>, 'value'> {
  /** JSON text, byte for byte as it was sent. */
  readonly value: Uint8Array;
}

export type ItemEdit = SetEdit | Exclude<ContentsEdit, { readonly kind: 'set' }>;

type ReleaseTarget = NonNullable<ContentsEditBody['release']>;

export interface EditRequest extends ConfirmRequest {
  readonly environment: string;
  /** Each once, whatever its case. */
  readonly ids: readonly string[];
  readonly edit: ItemEdit;
  /** Drafts are saved, and go no further. */
  readonly isDraft: boolean;
  /** Null: no release takes the changes. */
  readonly release: ReleaseTarget | null;
  readonly isPartial: boolean;
  readonly note: string;
}

/** Nothing that players receive changes by the request itself. */
export function staysUnpublished({ edit, isDraft, release }: EditRequest): boolean {
  return edit.kind === 'tags' || isDraft || release !== null;
}

/** @param raw the body as it was sent */
export function readEditRequest(
  environment: string,
  body: ContentsEditBody,
  raw: Uint8Array | null,
  confirm: ConfirmRequest,
): EditRequest | Problem {
  const { ids, publish, release = null, partial: isPartial, note } = body;
  const repeated = findRepeated(ids);
  if (repeated !== null) return bodyIssue(`ids[${repeated}]`, `repeats "${ids[repeated] ?? ''}"`);
  const rejected = rejectTarget(body);
  if (rejected !== null) return rejected;
  const edit = body.edit.kind === 'set' ? readSetEdit(body.edit, raw) : body.edit;
  if (edit instanceof Problem) return edit;
  return { environment, ids, edit, isDraft: !publish, release, isPartial, note, ...confirm };
}

/** Place of the first id that was there before; null: each is there once. */
function findRepeated(ids: readonly string[]): number | null {
  const seen = new Set<string>();
  for (const [at, id] of ids.entries()) {
    const before = seen.size;
    if (seen.add(contentKey(id)).size === before) return at;
  }
  return null;
}

/** Why the result cannot go where the request says; null: it can. */
function rejectTarget({ edit: { kind }, publish, release }: ContentsEditBody): Problem | null {
  if (kind === 'tags' && release !== undefined) {
    return bodyIssue('release', 'cannot take tags, which are not part of a revision');
  }
  if (publish || kind === 'set' || kind === 'tags') return null;
  return bodyIssue('publish', `must be true: "${kind}" leaves no draft`);
}

function readSetEdit(edit: Described<'set'>, raw: Uint8Array | null): SetEdit | Problem {
  const path = parsePointer(edit.path);
  if (!(path instanceof JsonPointer)) return bodyIssue('edit.path', path);
  const members = rawMembers(rawMembers(raw ?? new Uint8Array()).get('edit') ?? new Uint8Array());
  // A copy, so that the body is not kept with it.
  const value = members.get('value')?.slice();
  if (value === undefined) return bodyIssue('edit.value', 'is required');
  if (value.byteLength > setValueBytesMax) {
    return bodyIssue(
      'edit.value',
      `has ${value.byteLength} bytes; the limit is ${setValueBytesMax}`,
    );
  }
  return { ...edit, value };
}
