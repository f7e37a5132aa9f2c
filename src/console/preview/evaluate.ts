/** Asks what a user is answered, by one of the states of a content, and why. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { JsonText } from '../../contract/client.js';
import type { Evaluation } from '../../contract/operations/evaluate.js';
import { ApiProblem, requestText } from '../api/call.js';
import { objectSource, sourceAt } from '../api/raw-json.js';
import type { ContentState, SavedContent } from '../draft/draft.js';
import { editOf } from '../draft/put-edit.js';
import { contextSource, type UserContext } from './contexts/user-context.js';
import { topMembers } from './results/top-members.js';

export type Side = 'typed' | 'draft' | 'live';

export interface Evaluated extends Omit<Evaluation, 'answer'> {
  /** The wrapped answer byte for byte; null: 404. */
  readonly answer: string | null;
  /** JSON source of `data`; null: 404. */
  readonly data: string | null;
  readonly hash: string | null;
}

export interface EvaluateWish {
  readonly saved: SavedContent;
  readonly state: ContentState;
  readonly side: Side;
  readonly user: UserContext;
  /** RFC 3339; null: now. */
  readonly at: string | null;
}

/** States are compared by identity: a text of a megabyte is no part of a key. */
const stateNumbers = new WeakMap<ContentState, number>();
let statesSeen = 0;

export function identityOf(state: ContentState): number {
  const known = stateNumbers.get(state);
  if (known !== undefined) return known;
  stateNumbers.set(state, ++statesSeen);
  return statesSeen;
}

export function useEvaluation(wish: EvaluateWish, isEnabled: boolean) {
  const { saved, state, side, user, at } = wish;
  const { env, id, newest, live } = saved;
  const what = side === 'typed' ? identityOf(state) : side === 'draft' ? newest : live;
  return useQuery({
    queryKey: ['environments', env, 'contents', id, 'evaluations', side, what, user, at],
    queryFn: ({ signal }) => evaluate(wish, signal),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  });
}

/** Nothing is delivered of a content that was never published. */
export function isNotLive(error: unknown): boolean {
  return error instanceof ApiProblem && error.code === 'content_not_found';
}

/** What was live at that time, or what a segment was, is no longer recorded. */
export function isNotKept(error: unknown): error is ApiProblem {
  return error instanceof ApiProblem && error.code === 'history_not_kept';
}

export async function evaluate(wish: EvaluateWish, signal?: AbortSignal): Promise<Evaluated> {
  const { saved, state, side, user, at } = wish;
  const { env, id, newest } = saved;
  const plain: Record<string, unknown> = { id };
  if (at !== null) plain['at'] = at;
  let mapping: string | undefined;
  if (side !== 'live' && newest > 0) plain['revision'] = newest;
  if (side === 'typed') {
    const edit = editOf(saved, state);
    plain['lines'] = edit.lines;
    mapping = edit.mapping;
  }
  const context = contextSource(user);
  const members = {
    u: sourceAt(context, ['u']) ?? undefined,
    v: sourceAt(context, ['v']) ?? undefined,
    p: sourceAt(context, ['p']) ?? undefined,
    mapping,
  };
  const body = new JsonText(objectSource(plain, members));
  const route = 'POST /environments/:env/evaluate';
  return evaluatedOf(await requestText(route, { params: { env }, body }, signal));
}

function evaluatedOf(source: string): Evaluated {
  const { answer: _, ...rest } = JSON.parse(source) as Evaluation;
  const answer = topMembers(source).get('answer') ?? 'null';
  if (answer === 'null') return { ...rest, answer: null, data: null, hash: null };
  const parts = topMembers(answer);
  return {
    ...rest,
    answer,
    data: parts.get('data') ?? null,
    hash: String(JSON.parse(parts.get('hash') ?? '""')),
  };
}

/** The text whose JSON the rules work on; null where it is not known here. */
export function unmutatedText(
  { saved, state, side }: EvaluateWish,
  { line }: Evaluated,
): string | null {
  if (line === null || side === 'live') return null;
  const { lines } = side === 'typed' ? state : saved;
  return lines.find(({ appVersion }) => appVersion === line)?.text ?? null;
}
