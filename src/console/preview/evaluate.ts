/** Evaluates what a user gets from one of the states of a content item, and why. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { JsonText } from '../../contract/client.js';
import type { Evaluation } from '../../contract/operations/evaluate.js';
import { ApiProblem, requestText } from '../api/call.js';
import { objectSource, sourceAt } from '../api/raw-json.js';
import type { ContentState, SavedContent } from '../draft/draft.js';
import { identityOf } from '../draft/identity.js';
import { editOf } from '../draft/put-edit.js';
import { contextSource, emptyContext, type UserContext } from './contexts/user-context.js';
import { topMembers } from './results/top-members.js';

export type Side = 'typed' | 'draft' | 'live';

export interface Evaluated extends Omit<Evaluation, 'answer'> {
  /** The wrapped response byte for byte; null: 404. */
  readonly wrapped: string | null;
  /** JSON source of `data`; null: 404. */
  readonly data: string | null;
  readonly hash: string | null;
}

export interface EvaluateRequest {
  readonly saved: SavedContent;
  readonly state: ContentState;
  readonly side: Side;
  readonly user: UserContext;
  /** RFC 3339; null: now. */
  readonly at: string | null;
}

/** Whose app version chooses the version line, and of which content item. */
export interface UnmutatedRequest {
  readonly saved: Pick<SavedContent, 'env' | 'id'>;
  readonly user: Pick<UserContext, 'v'>;
}

const gcTime = 30_000;

export function useEvaluation(request: EvaluateRequest, isEnabled: boolean) {
  const { saved, state, side, user, at } = request;
  const { env, id, newest, live } = saved;
  const what = side === 'typed' ? identityOf(state) : side === 'draft' ? newest : live;
  return useQuery({
    queryKey: ['environments', env, 'contents', id, 'evaluations', side, what, user, at],
    queryFn: ({ signal }) => evaluate(request, signal),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
    gcTime,
  });
}

/**
 * The data of a saved revision without any rule: what the marks of a live response are compared with.
 * @param revision the one that is live, or was at the requested time
 */
export function useUnmutatedLive(
  { saved: { env, id }, user }: UnmutatedRequest,
  revision: number | null,
  isEnabled: boolean,
): string | null {
  const context = { ...emptyContext, v: user.v.trim() };
  const query = useQuery({
    queryKey: ['environments', env, 'contents', id, 'evaluations', 'unmutated', revision, context],
    queryFn: async ({ signal }) =>
      (await post(env, { id, revision }, context, '[]', signal)).data ?? null,
    enabled: isEnabled && revision !== null,
    gcTime,
  });
  return isEnabled ? (query.data ?? null) : null;
}

/** Nothing is delivered of a content item that was never published. */
export function isNotLive(error: unknown): boolean {
  return error instanceof ApiProblem && error.code === 'content_not_found';
}

/** What was live at that time, or what a segment was, is no longer recorded. */
export function isNotKept(error: unknown): error is ApiProblem {
  return error instanceof ApiProblem && error.code === 'history_not_kept';
}

async function evaluate(request: EvaluateRequest, signal: AbortSignal): Promise<Evaluated> {
  const { saved, state, side, user, at } = request;
  const { env, id, newest } = saved;
  const edit = side === 'typed' ? editOf(saved, state) : {};
  const fields = {
    id,
    at: at ?? undefined,
    revision: side !== 'live' && newest > 0 ? newest : undefined,
    lines: edit.lines,
  };
  return post(env, fields, user, edit.mapping, signal);
}

async function post(
  env: string,
  fields: Readonly<Record<string, unknown>>,
  user: UserContext,
  mapping: string | undefined,
  signal: AbortSignal,
): Promise<Evaluated> {
  const context = contextSource(user);
  const [u, v, p] = ['u', 'v', 'p'].map((name) => sourceAt(context, [name]) ?? undefined);
  const body = new JsonText(objectSource(fields, { u, v, p, mapping }));
  const route = 'POST /environments/:env/evaluate';
  const source = await requestText(route, { params: { env }, body }, signal);
  const { answer, ...rest } = JSON.parse(source) as Evaluation;
  if (answer === null) return { ...rest, wrapped: null, data: null, hash: null };
  const wrapped = topMembers(source).get('answer') ?? 'null';
  const parts = topMembers(wrapped);
  const hash = String(JSON.parse(parts.get('hash') ?? '""'));
  return { ...rest, wrapped, data: parts.get('data') ?? null, hash };
}

/** The text whose JSON the rules change; null where it is not known here. */
export function unmutatedText(
  { saved, state, side }: EvaluateRequest,
  { line }: Evaluated,
): string | null {
  if (line === null || side === 'live') return null;
  const { lines } = side === 'typed' ? state : saved;
  return lines.find(({ appVersion }) => appVersion === line)?.text ?? null;
}
