/** One edit, one request: a save makes one revision of everything typed, and a dry run validates it (D75). */
import { JsonText, type ResponseTo } from '../../contract/client.js';
import type { ValidationIssue } from '../../contract/problems.js';
import type { SavedContent as SaveResponse } from '../../contract/schemas/saved.js';
import { ApiProblem, request } from '../api/call.js';
import { objectSource } from '../api/raw-json.js';
import type { ContentState, SavedContent, ValidationResult, VersionLine } from './draft.js';
import { isFinding, isOnlyForDrafts } from './issue-place.js';
import { jsonIssue } from './json-issue.js';
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
  readonly flags?: readonly string[];
  /** JSON source. */
  readonly schema?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly guards?: SavedContent['guards'];
}

/** @param known lines whose texts need not be sent, because they are saved */
export function editOf(
  saved: SavedContent,
  state: ContentState,
  known: readonly VersionLine[] = saved.lines,
): Edit {
  // A content item that does not exist (any more) has nothing saved that could be left out.
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
    ...(changed('flags') && { flags: state.flags }),
    ...(changed('schema') && { schema: state.schema }),
    ...(changed('description') && { description: state.description }),
    ...(changed('tags') && { tags: state.tags }),
    ...(changed('guards') && { guards: state.guards }),
  };
}

export interface SaveRequest {
  readonly saved: SavedContent;
  readonly state: ContentState;
  readonly note: string;
  readonly publish: boolean;
  /** Digest of the findings that the user has looked at. */
  readonly confirm?: string | undefined;
}

/**
 * Unconfirmed findings reject it.
 * @throws ApiProblem, ServerAway
 */
export async function saveContent(save: SaveRequest): Promise<SaveResponse> {
  const { saved, state, note, publish, confirm } = save;
  const how = { note, publish, confirm, ifRevision: saved.newest };
  return put(saved, editOf(saved, state), how, { strict: 'true' });
}

export interface DryRunRequest {
  readonly saved: SavedContent;
  readonly state: ContentState;
  /** As if it were published, and not only saved. */
  readonly publish: boolean;
  /** Lines whose texts were validated before: the result is about the others. */
  readonly known?: readonly VersionLine[];
}

/** @throws ServerAway, and ApiProblem where the problem is not about what was typed */
export async function dryRun(run: DryRunRequest, signal: AbortSignal): Promise<ValidationResult> {
  const { saved, state, publish, known } = run;
  const { mapping, schema, ...rest } = editOf(saved, state, known);
  const badMapping = jsonIssue(state.mapping, 'mapping');
  const badSchema = jsonIssue(state.schema, 'schema');
  const errors = [badMapping, badSchema].filter((issue) => issue !== null);
  // What is not JSON cannot be sent; the rest still can.
  const sendable = {
    ...rest,
    ...(mapping !== undefined && badMapping === null && { mapping }),
    ...(schema !== undefined && badSchema === null && { schema }),
  };
  try {
    const response = await put(saved, sendable, { publish, dryRun: true }, {}, signal);
    const issues = response.warnings.map(withTextPath);
    errors.push(...issues.filter(isOnlyForDrafts));
    const confirmation = ('confirmation' in response && response.confirmation) || null;
    const warnings = issues.filter(
      // What has to be confirmed is listed as such.
      (issue) => !isOnlyForDrafts(issue) && (confirmation === null || !isFinding(issue)),
    );
    return { state, errors, warnings, confirmation };
  } catch (error) {
    if (!(error instanceof ApiProblem) || !isAboutInput(error)) throw error;
    const issues = error.errors.length > 0 ? error.errors : [{ path: '', message: error.message }];
    return {
      state,
      errors: [...errors, ...issues.map(withTextPath)],
      warnings: [],
      confirmation: null,
    };
  }
}

/** With any other status, the save is rejected whatever is typed. */
function isAboutInput({ status }: ApiProblem): boolean {
  return status === 400 || status === 413 || status === 422;
}

/** The screen finds a line by its app version, not by its index in the request. */
function withTextPath(issue: ValidationIssue): ValidationIssue {
  return textInRequest.test(issue.path) ? { ...issue, path: 'text' } : issue;
}

const textInRequest = /^lines\[\d+\]\.text$/;

const saveRoute = 'PUT /environments/:env/contents/:id';
type SaveRoute = typeof saveRoute;

function put(
  { env, id }: SavedContent,
  { mapping, schema, ...plain }: Edit,
  how: Readonly<Record<string, unknown>>,
  query: { readonly strict?: 'true' },
  signal?: AbortSignal,
): Promise<ResponseTo<SaveRoute>> {
  const body = new JsonText(objectSource({ ...plain, ...how }, { mapping, schema }));
  return request(saveRoute, { params: { env, id }, query, body }, signal);
}
