/** Saves a typed state, step by step, and tells how far it came. */
import { ApiProblem, call, callText } from '../api/call.js';
import { objectSource } from '../api/raw-json.js';
import { deleteContentLine, type SavedContent as SaveAnswer } from '../generated/admin-client.js';
import { contentUrl } from './content-query.js';
import type { ContentState, SavedContent } from './draft.js';
import { changedRest, type SaveStep, saveSteps } from './save-steps.js';

export interface SaveWish {
  readonly saved: SavedContent;
  readonly state: ContentState;
  readonly note: string;
  readonly publish: boolean;
}

/** A step was refused after others had been saved, as drafts. */
export class SavedInPart extends Error {
  /** The draft that is saved now. */
  readonly revision: number;
  override readonly cause: unknown;

  constructor(revision: number, done: readonly string[], cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(
      `Saved as draft r${revision}: ${done.join(', ')}. The rest was refused and is still here as you typed it. ${why}`,
    );
    this.revision = revision;
    this.cause = cause;
  }
}

/** @throws ApiProblem, ServerAway, SavedInPart */
export async function saveContent(wish: SaveWish): Promise<SaveAnswer> {
  const steps = saveSteps(wish.saved, wish.state);
  const done: string[] = [];
  let newest = wish.saved.newest;
  let answer: SaveAnswer | null = null;
  for (const step of steps) {
    try {
      answer = await take(step, wish, newest);
    } catch (error) {
      throw done.length === 0 ? error : new SavedInPart(newest, done, error);
    }
    newest = answer.revision;
    done.push(
      step.kind === 'remove' ? `without line ${step.appVersion}` : `line ${step.appVersion}`,
    );
  }
  if (answer === null) throw new Error('A save has at least one step.');
  return answer;
}

async function take(step: SaveStep, wish: SaveWish, newest: number): Promise<SaveAnswer> {
  const { env, id } = wish.saved;
  if (step.kind === 'remove') {
    const { appVersion } = step;
    return call(deleteContentLine({ env, id, appVersion, publish: 'false', ifRevision: newest }));
  }
  if (step.isLast) {
    const rest = changedRest(wish.saved, wish.state);
    // A step before may have saved a draft without the mapping: then it comes back, changed or not.
    const isFirst = newest === wish.saved.newest;
    return put(step, wish, newest, isFirst ? rest : { ...rest, mapping: wish.state.mapping });
  }
  try {
    return await put(step, wish, newest, {});
  } catch (error) {
    // The old mapping may not suit the new lines. It is only a draft: the mapping as typed comes with the last step.
    if (!(error instanceof ApiProblem && error.code === 'invalid_mapping')) throw error;
    return put(step, wish, newest, { mapping: '[]' });
  }
}

async function put(
  step: SaveStep & { readonly kind: 'put' },
  { saved, note, publish }: SaveWish,
  newest: number,
  rest: ReturnType<typeof changedRest>,
): Promise<SaveAnswer> {
  const { mapping, schema, ...about } = rest;
  const body = objectSource(
    {
      ...(step.text !== null && { appVersion: step.appVersion, text: step.text }),
      ...about,
      note,
      publish: step.isLast && publish,
      ifRevision: newest,
    },
    { mapping, schema },
  );
  const json = await callText(contentUrl(saved.env, saved.id), { method: 'PUT', body });
  return JSON.parse(json) as SaveAnswer;
}
