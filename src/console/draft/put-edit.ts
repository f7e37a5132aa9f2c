/** One edit, one request: all that was typed is saved as one revision, or a dry run says what a save would do (D75). */
import { JsonText } from '../../contract/client.js';
import type { ValidationIssue } from '../../contract/problems.js';
import type { SavedContent as SaveResponse } from '../../contract/schemas/saved.js';
import { ApiProblem, request } from '../api/call.js';
import { objectSource } from '../api/raw-json.js';
import type { ContentState, DraftLine, SavedContent, Verdict } from './draft.js';
import { isOnlyForDrafts } from './faults.js';
import { jsonFault } from './json-fault.js';
import { partsOf } from './state-parts.js';

/** A line without a text keeps the one that is saved. */
interface SentLine {
  readonly appVersion: string;
  readonly text?: string;
}

/** What a state changes over what is saved; left out where nothing changed. */
export interface Edit {
  /** All lines, if there is any change to them. */
  readonly lines?: readonly SentLine[];
  /** JSON source. */
  readonly mapping?: string;
  /** JSON source. */
  readonly schema?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
}

/** @param known lines whose texts need not be sent, because they are saved */
export function editOf(
  saved: SavedContent,
  state: ContentState,
  known: readonly DraftLine[] = saved.lines,
): Edit {
  // Of a content that is not there (any more), nothing is saved that could be left out.
  const isNew = saved.newest === 0;
  const before = partsOf(saved);
  const after = partsOf(state);
  const changed = (name: string): boolean => isNew || before.get(name) !== after.get(name);
  const texts = new Map(
    isNew ? [] : known.map(({ appVersion, text }) => [appVersion, text] as const),
  );
  const lines = state.lines.map(({ appVersion, text }) =>
    texts.get(appVersion) === text ? { appVersion } : { appVersion, text },
  );
  const hasLines = lines.some(({ text }) => text !== undefined);
  return {
    ...((hasLines || lines.length < saved.lines.length) && { lines }),
    ...(changed('mapping') && { mapping: state.mapping }),
    ...(changed('schema') && { schema: state.schema }),
    ...(changed('description') && { description: state.description }),
    ...(changed('tags') && { tags: state.tags }),
  };
}

export interface SaveWish {
  readonly saved: SavedContent;
  readonly state: ContentState;
  readonly note: string;
  readonly publish: boolean;
}

/** @throws ApiProblem, ServerAway */
export async function saveContent({
  saved,
  state,
  note,
  publish,
}: SaveWish): Promise<SaveResponse> {
  const how = { note, publish, ifRevision: saved.newest };
  return put(saved, editOf(saved, state), how);
}

export interface DryRunWish {
  readonly saved: SavedContent;
  readonly state: ContentState;
  /** As if it were published, and not only saved. */
  readonly publish: boolean;
  /** Lines whose texts are judged already: what the server says of the others is wanted. */
  readonly known?: readonly DraftLine[];
}

/** @throws ServerAway, and ApiProblem where the refusal is not about what was typed */
export async function dryRun(wish: DryRunWish, signal: AbortSignal): Promise<Verdict> {
  const { saved, state, publish, known } = wish;
  const { mapping, schema, ...rest } = editOf(saved, state, known);
  const local = {
    mapping: jsonFault(state.mapping, 'mapping'),
    schema: jsonFault(state.schema, 'schema'),
  };
  const errors: ValidationIssue[] = [local.mapping, local.schema].filter((fault) => fault !== null);
  // What is no JSON cannot even be asked about; the rest still can.
  const sendable = {
    ...rest,
    ...(mapping !== undefined && local.mapping === null && { mapping }),
    ...(schema !== undefined && local.schema === null && { schema }),
  };
  try {
    const { warnings } = await put(saved, sendable, { publish, dryRun: true }, signal);
    const faults = warnings.map(ofText);
    errors.push(...faults.filter(isOnlyForDrafts));
    return { state, errors, warnings: faults.filter((fault) => !isOnlyForDrafts(fault)) };
  } catch (error) {
    if (!(error instanceof ApiProblem) || !isAboutInput(error)) throw error;
    const said = error.errors.length > 0 ? error.errors : [{ path: '', message: error.message }];
    return { state, errors: [...errors, ...said.map(ofText)], warnings: [] };
  }
}

/** Others say that nobody may save this now, whatever is typed. */
function isAboutInput({ status }: ApiProblem): boolean {
  return status === 400 || status === 413 || status === 422;
}

/** Which place the line had in the request is of no interest here: it is named by its app version. */
function ofText(fault: ValidationIssue): ValidationIssue {
  return textInRequest.test(fault.path) ? { ...fault, path: 'text' } : fault;
}

const textInRequest = /^lines\[\d+\]\.text$/;

function put(
  { env, id }: SavedContent,
  { mapping, schema, ...plain }: Edit,
  how: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<SaveResponse> {
  const body = new JsonText(objectSource({ ...plain, ...how }, { mapping, schema }));
  return request('PUT /environments/:env/contents/:id', { params: { env, id }, body }, signal);
}
