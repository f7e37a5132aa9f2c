/** What the server would say to a save of the typed state: a dry run for each changed line, put together. */
import { ApiProblem, callText } from '../api/call.js';
import { objectSource } from '../api/raw-json.js';
import type { Fault, SavedContent as SaveAnswer } from '../generated/admin-client.js';
import { contentUrl } from './content-query.js';
import type { ContentState, SavedContent, Verdict } from './draft.js';
import { isOnlyForDrafts } from './faults.js';
import { jsonFault } from './json-fault.js';
import { changedRest, saveSteps } from './save-steps.js';

export type LineFault = Fault & { readonly appVersion?: string };

interface Said {
  /** The line whose typed text was sent; undefined: none. */
  readonly asked: string | undefined;
  readonly errors: readonly LineFault[];
  readonly warnings: readonly LineFault[];
}

/**
 * @param publish as if it were published, and not only saved
 * @throws ServerAway, and ApiProblem where the refusal is not about what was typed
 */
export async function dryRun(
  saved: SavedContent,
  state: ContentState,
  signal: AbortSignal,
  publish = false,
): Promise<Verdict> {
  const local = localFaults(state);
  const rest = changedRest(saved, state);
  // What is no JSON cannot even be asked about; the rest still can.
  const sendable = {
    ...rest,
    ...(local.some(({ path }) => path === 'mapping') && { mapping: undefined }),
    ...(local.some(({ path }) => path === 'schema') && { schema: undefined }),
  };
  const lines = saveSteps(saved, state).flatMap((step) =>
    step.kind === 'put' && step.text !== null ? [step] : [],
  );
  const asked = lines.length === 0 ? [null] : lines;
  const said: Said[] = [];
  for (const line of asked) {
    const typed = { appVersion: line?.appVersion ?? null, text: line?.text ?? null };
    said.push(await ask(saved, typed, sendable, publish, signal));
  }
  const { errors, warnings } = together(said.map((one) => withoutStale(one, saved, state)));
  return { state, errors: [...local, ...errors], warnings };
}

/** A dry run sees the saved text of every line but one: what it says of lines that are typed anew, or gone, is of the past. */
function withoutStale(
  { asked, errors, warnings }: Said,
  saved: SavedContent,
  state: ContentState,
): Said {
  const typed = new Map(state.lines.map(({ appVersion, text }) => [appVersion, text]));
  const changed = new Set(
    saved.lines
      .filter(({ appVersion, text }) => typed.get(appVersion) !== text)
      .map(({ appVersion }) => appVersion),
  );
  const holds = ({ path, appVersion }: LineFault): boolean =>
    path !== 'text' || appVersion === asked || !changed.has(appVersion ?? '');
  return { asked, errors: errors.filter(holds), warnings: warnings.filter(holds) };
}

async function ask(
  { env, id }: SavedContent,
  { appVersion, text }: { readonly appVersion: string | null; readonly text: string | null },
  { mapping, schema, ...about }: ReturnType<typeof changedRest>,
  publish: boolean,
  signal: AbortSignal,
): Promise<Said> {
  const body = objectSource(
    {
      ...(text !== null && { appVersion, text }),
      ...about,
      publish,
      dryRun: true,
    },
    { mapping, schema },
  );
  const version = appVersion ?? undefined;
  try {
    const json = await callText(contentUrl(env, id), { method: 'PUT', body, signal });
    const { warnings } = JSON.parse(json) as SaveAnswer;
    const faults = warnings.map((fault) => ofLine(fault, version));
    return {
      asked: version,
      errors: faults.filter(isOnlyForDrafts),
      warnings: faults.filter((fault) => !isOnlyForDrafts(fault)),
    };
  } catch (error) {
    if (!(error instanceof ApiProblem) || !isAboutInput(error)) throw error;
    const errors = error.errors.length > 0 ? error.errors : [{ path: '', message: error.message }];
    return { asked: version, errors: errors.map((fault) => ofLine(fault, version)), warnings: [] };
  }
}

/** Others say that nobody may save this now, whatever is typed. */
function isAboutInput({ status }: ApiProblem): boolean {
  return status === 400 || status === 413 || status === 422;
}

const namedLine = /^In the line (\d+\.\d+\.\d+),/;

function ofLine(fault: Fault, asked: string | undefined): LineFault {
  if (fault.path !== 'text') return fault;
  const appVersion = namedLine.exec(fault.message)?.[1] ?? asked;
  return appVersion === undefined ? fault : { ...fault, appVersion };
}

/**
 * Each dry run sees one new text and the old ones of the other lines. What is said of the mapping holds for all of them
 * only where each says it.
 */
function together(said: readonly Said[]): Pick<Said, 'errors' | 'warnings'> {
  const judged = said.filter(({ errors }) => !errors.some(({ path }) => path === 'text'));
  return {
    errors: merged(
      said.map(({ errors }) => errors),
      judged.length,
    ),
    warnings: merged(
      said.map(({ warnings }) => warnings),
      judged.length,
    ),
  };
}

function merged(lists: readonly (readonly LineFault[])[], times: number): LineFault[] {
  const counts = new Map<string, { readonly fault: LineFault; count: number }>();
  for (const fault of lists.flat()) {
    const key = JSON.stringify(fault);
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { fault, count: 1 });
    else known.count++;
  }
  return [...counts.values()]
    .filter(({ fault, count }) => fault.path === 'text' || count >= times)
    .map(({ fault }) => fault);
}

function localFaults({ mapping, schema }: ContentState): LineFault[] {
  const inMapping = jsonFault(mapping, 'mapping');
  const inSchema = jsonFault(schema, 'schema');
  return [inMapping, inSchema].filter((fault) => fault !== null);
}
