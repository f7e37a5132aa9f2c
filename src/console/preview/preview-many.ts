/** Asks what many users are answered by the typed state and by what is live, and adds up what several calls said. */
import { callText } from '../api/call.js';
import { objectSource } from '../api/raw-json.js';
import type { ContentState, SavedContent } from '../content/draft.js';
import type { Preview } from '../generated/admin-client.js';
import type { ContextFault, TypedContext } from './typed-contexts.js';
import { type TypedEdit, typedEdit } from './typed-edit.js';

export interface VariantShare {
  readonly name: string;
  readonly contexts: number;
}

export interface RuleShare {
  /** Its place in the mapping, from 0. */
  readonly rule: number;
  readonly segment: string;
  readonly contexts: number;
  /** Those for whom its change could not apply. */
  readonly missed: number;
  readonly variants: readonly VariantShare[];
}

export interface Shares {
  readonly lines: readonly { readonly appVersion: string; readonly contexts: number }[];
  readonly notFound: number;
  readonly rules: readonly RuleShare[];
}

export type AnswerChange = Preview['changes'][number];

export interface ManyPreview {
  readonly contexts: number;
  readonly now: Shares;
  readonly edit: Shares;
  readonly changed: number;
  /** The most frequent first; `at` of the examples as in what was given. */
  readonly changes: readonly AnswerChange[];
  readonly changesLeftOut: number;
  readonly faults: readonly ContextFault[];
}

/** Contexts that one call can answer: they need the same unsaved text. */
export interface Batch {
  /** Null: the typed state has no line for them. */
  readonly edit: TypedEdit | null;
  readonly contexts: TypedContext[];
}

export function batchesOf(
  saved: SavedContent,
  state: ContentState,
  contexts: readonly TypedContext[],
): Batch[] {
  const ofVersion = new Map<string, Batch>();
  const batches = new Map<string, Batch>();
  for (const context of contexts) {
    let batch = ofVersion.get(context.v);
    if (batch === undefined) {
      const edit = typedEdit(saved, state, context.v);
      const key = keyOf(edit);
      batch = batches.get(key) ?? { edit, contexts: [] };
      batches.set(key, batch);
      ofVersion.set(context.v, batch);
    }
    batch.contexts.push(context);
  }
  return [...batches.values()];
}

function keyOf(edit: TypedEdit | null): string {
  if (edit === null) return 'none';
  return edit.text === null ? 'saved' : `${edit.line.appVersion} for ${edit.appVersion}`;
}

const changesShownMax = 50;

export async function previewMany(
  saved: SavedContent,
  state: ContentState,
  contexts: readonly TypedContext[],
  signal?: AbortSignal,
): Promise<ManyPreview> {
  const answers: ManyPreview[] = [];
  // One after the other: a preview of many users keeps a worker busy.
  for (const batch of batchesOf(saved, state, contexts)) {
    answers.push(readPreview(batch, await ask(saved, batch, signal)));
  }
  return addUp(answers);
}

const ndjson = 'application/x-ndjson';
const lineBreaks = /[\r\n]+/g;

async function ask(saved: SavedContent, batch: Batch, signal?: AbortSignal): Promise<Preview> {
  const { env, id, newest } = saved;
  const { edit } = batch;
  const plain: Record<string, unknown> = { id };
  if (newest > 0) plain['revision'] = newest;
  if (edit !== null && edit.text !== null) {
    plain['text'] = edit.text;
    plain['appVersion'] = edit.appVersion;
  }
  const mapping = edit?.mapping?.replace(lineBreaks, ' ');
  const head = objectSource(plain, { mapping });
  const lines = batch.contexts.map(({ source }) => source.replace(lineBreaks, ' '));
  const body = [head, ...lines].join('\n');
  const path = `/admin/v1/environments/${encodeURIComponent(env)}/preview`;
  const request = { method: 'POST', contentType: ndjson, body };
  return JSON.parse(
    await callText(path, signal === undefined ? request : { ...request, signal }),
  ) as Preview;
}

/** The head of the body is its first line, so the first context stands in the second. */
const lineOfFirst = 2;

export function readPreview({ edit, contexts }: Batch, preview: Preview): ManyPreview {
  const placeOf = (line: number): number => contexts[line - lineOfFirst]?.at ?? line;
  const now = sharesOf(preview.now);
  const faults = preview.errors.map(({ line, message }) => ({ at: placeOf(line), message }));
  const changes = preview.changes.map((change) => ({
    ...change,
    examples: change.examples.map((example) => ({ ...example, at: placeOf(example.at) })),
  }));
  const common = { contexts: preview.contexts, now, faults };
  if (edit === null) return { ...common, ...allGone(preview, now, contexts) };
  const shares = sharesOf(preview.edit);
  return {
    ...common,
    // The text may have stood in for a line that was removed.
    edit: {
      ...shares,
      lines: shares.lines.map((line) =>
        edit.text !== null && line.appVersion === edit.appVersion
          ? { ...line, appVersion: edit.line.appVersion }
          : line,
      ),
    },
    changed: preview.changed.contexts,
    changes,
    changesLeftOut: preview.changesLeftOut,
  };
}

const examplesShown = 3;

/** No typed line is for them: whoever is answered now will get a 404. */
function allGone(
  { contexts: count }: Preview,
  now: Shares,
  contexts: readonly TypedContext[],
): Pick<ManyPreview, 'edit' | 'changed' | 'changes' | 'changesLeftOut'> {
  const lost = count - now.notFound;
  const gone: AnswerChange = {
    kind: 'gone',
    contexts: lost,
    share: 0,
    now: null,
    edit: null,
    pointers: null,
    examples: contexts.slice(0, examplesShown).map(({ at, v }) => ({ at, u: '', v })),
  };
  return {
    edit: { lines: [], notFound: count, rules: [] },
    changed: lost,
    changes: lost === 0 ? [] : [gone],
    changesLeftOut: 0,
  };
}

function sharesOf({ lines, notFound, rules }: Preview['now']): Shares {
  return {
    lines: lines.map(({ appVersion, contexts }) => ({ appVersion, contexts })),
    notFound: notFound.contexts,
    rules: rules.map(({ rule, segment, contexts, missed, variants }) => ({
      rule,
      segment,
      contexts,
      missed,
      variants: variants.map((variant) => ({ name: variant.name, contexts: variant.contexts })),
    })),
  };
}

export function addUp(answers: readonly ManyPreview[]): ManyPreview {
  const sum = (of: (answer: ManyPreview) => number): number =>
    answers.reduce((total, answer) => total + of(answer), 0);
  const changes = answers
    .flatMap((answer) => answer.changes)
    .sort((a, b) => b.contexts - a.contexts);
  return {
    contexts: sum(({ contexts }) => contexts),
    now: addShares(answers.map(({ now }) => now)),
    edit: addShares(answers.map(({ edit }) => edit)),
    changed: sum(({ changed }) => changed),
    changes: changes.slice(0, changesShownMax),
    changesLeftOut:
      sum(({ changesLeftOut }) => changesLeftOut) + Math.max(0, changes.length - changesShownMax),
    faults: answers.flatMap(({ faults }) => faults).sort((a, b) => a.at - b.at),
  };
}

function addShares(all: readonly Shares[]): Shares {
  const lines = new Map<string, number>();
  const rules = new Map<number, RuleShare>();
  for (const shares of all) {
    for (const { appVersion, contexts } of shares.lines) {
      lines.set(appVersion, (lines.get(appVersion) ?? 0) + contexts);
    }
    for (const rule of shares.rules) rules.set(rule.rule, addRules(rules.get(rule.rule), rule));
  }
  return {
    lines: [...lines].map(([appVersion, contexts]) => ({ appVersion, contexts })),
    notFound: all.reduce((total, { notFound }) => total + notFound, 0),
    rules: [...rules.values()].sort((a, b) => a.rule - b.rule),
  };
}

function addRules(known: RuleShare | undefined, rule: RuleShare): RuleShare {
  if (known === undefined) return rule;
  return {
    ...rule,
    contexts: known.contexts + rule.contexts,
    missed: known.missed + rule.missed,
    variants: rule.variants.map((variant, index) => ({
      ...variant,
      contexts: variant.contexts + (known.variants[index]?.contexts ?? 0),
    })),
  };
}
