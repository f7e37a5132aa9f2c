/** An edit of many content items, as the console asks for it. */
import { JsonText } from '../../../contract/client.js';
import type { EditReport } from '../../../contract/operations/contents/content-edits.js';
import { request } from '../../api/call.js';
import type { ReleaseTarget } from '../../releases/add/add-to-release.js';

export type ManyEdit =
  | { readonly kind: 'tags'; readonly add: readonly string[]; readonly remove: readonly string[] }
  | {
      readonly kind: 'set';
      readonly path: string;
      /** JSON text: it stands in the texts as it was typed. */
      readonly value: string;
      /** Left out: every version line that has the path. */
      readonly appVersion?: string;
      readonly create: boolean;
    }
  | { readonly kind: 'publish' }
  | { readonly kind: 'delete' };

/** Where the result goes. */
export type EditWay = 'publish' | 'draft' | 'release';

export interface EditMany {
  readonly env: string;
  readonly ids: readonly string[];
  readonly edit: ManyEdit;
  readonly way: EditWay;
  readonly note: string;
}

interface SentEdit {
  readonly dryRun?: boolean;
  readonly plan?: string;
  readonly confirm?: string | undefined;
  readonly release?: ReleaseTarget;
}

/** The dry run fits whichever release is chosen then. */
const anyRelease: ReleaseTarget = { title: 'Preview', steps: [], brake: null };

/** Items that cannot be edited are left out: the dry run has shown them. */
export function sendEdit(
  { env, ids, edit, way, note }: EditMany,
  { release = anyRelease, ...sent }: SentEdit,
  signal?: AbortSignal,
): Promise<EditReport> {
  const rest = {
    ...{ ids, note, partial: true, publish: way !== 'draft', ...sent },
    ...(way === 'release' && { release }),
  };
  const body = new JsonText(`{"edit":${editJson(edit)},${JSON.stringify(rest).slice(1)}`);
  return request('POST /environments/:env/contents/edit', { params: { env }, body }, signal);
}

/** With the value as it was typed: 1.10 stays 1.10. */
function editJson(edit: ManyEdit): string {
  if (edit.kind !== 'set') return JSON.stringify(edit);
  const { value, ...rest } = edit;
  return `{"value":${value},${JSON.stringify(rest).slice(1)}`;
}
