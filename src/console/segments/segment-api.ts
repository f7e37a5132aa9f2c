/** Requests about segments, with conditions as their JSON source. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { JsonText } from '../../contract/client.js';
import type { SegmentRevisionSummary } from '../../contract/operations/history/segment-history.js';
import type { Segment, SegmentPlan, TestedSegment } from '../../contract/operations/segments.js';
import type { SavedSegment as SaveResponse } from '../../contract/schemas/segment.js';
import { request, requestText } from '../api/call.js';
import { elementSources, objectSource, sourceAt } from '../api/raw-json.js';

export interface SavedSegment extends Omit<Segment, 'when'> {
  /** JSON source of the condition. */
  readonly when: string;
}

/** With the newest condition, which may be a draft. */
export interface EditedSegment extends SavedSegment {
  /** JSON source of the condition that rules use; null: the segment is not live yet. */
  readonly liveWhen: string | null;
}

export const segmentKeys = {
  /** Above every query about the revisions of a segment. */
  history: (env: string, name: string) =>
    ['environments', env, 'segments', name, 'revisions'] as const,
  all: (env: string) => ['environments', env, 'segments'] as const,
  one: (env: string, name: string) => ['environments', env, 'segments', name] as const,
  test: (env: string, when: string, contexts: string) =>
    ['environments', env, 'segment-tests', when, contexts] as const,
};

/** All segments of an environment, by name. */
export function useSegments(env: string) {
  return useQuery(segmentsQuery(env));
}

export function segmentsQuery(env: string) {
  return queryOptions({
    queryKey: segmentKeys.all(env),
    queryFn: ({ signal }) => fetchSegments(env, signal),
  });
}

/** All segments, also those that are only drafts, which no rule can use yet. */
export function segmentsWithDraftsQuery(env: string) {
  return queryOptions({
    queryKey: [...segmentKeys.all(env), { drafts: true }],
    queryFn: ({ signal }) => fetchSegments(env, signal, true),
  });
}

async function fetchSegments(
  env: string,
  signal?: AbortSignal,
  withDrafts = false,
): Promise<SavedSegment[]> {
  const segments: SavedSegment[] = [];
  let after: string | null = '';
  while (after !== null) {
    const page: string = await requestText(
      'GET /environments/:env/segments',
      { params: { env }, query: { after, drafts: withDrafts ? 'true' : 'false' } },
      signal,
    );
    const list = elementSources(sourceAt(page, ['segments']) ?? '[]') ?? [];
    segments.push(...list.map((source) => withSource<Segment>(source)));
    after = JSON.parse(sourceAt(page, ['next']) ?? 'null') as string | null;
  }
  return segments;
}

export async function fetchSegment(
  env: string,
  name: string,
  signal?: AbortSignal,
): Promise<EditedSegment> {
  const route = 'GET /environments/:env/segments/:name';
  const saved = withSource<Segment>(await requestText(route, { params: { env, name } }, signal));
  const { live, newest, revision, when } = saved;
  const liveWhen = live === null ? null : when;
  if (revision === newest) return { ...saved, liveWhen };
  const draft = await fetchSegmentRevision(env, name, newest, signal);
  return { ...saved, liveWhen, revision: newest, when: draft.when };
}

/** JSON with its condition as source, because parsing would change how numbers are spelled. */
function withSource<T>(source: string): T & { readonly when: string } {
  return { ...(JSON.parse(source) as T), when: sourceAt(source, ['when']) ?? '{}' };
}

export const noteCharsMax = 2_000;

export interface SegmentEdit {
  readonly when: string;
  /** Left out: it stays; a segment that is not live has none. */
  readonly description?: string;
  readonly note: string;
  /** Otherwise it is saved as a draft. */
  readonly publish: boolean;
  /** Time of the state that was edited; null: the segment must not exist yet. */
  readonly ifUpdatedAt: string | null;
  /** The digest of what it does to running experiments, once that was looked at. */
  readonly confirm?: string | undefined;
}

export async function saveSegment(
  env: string,
  name: string,
  { when, ...fields }: SegmentEdit,
): Promise<SaveResponse> {
  return (await put(env, name, objectSource(fields, { when }))) as SaveResponse;
}

/** The effect that saving would have. */
export async function planSegment(
  env: string,
  name: string,
  { when, ...fields }: Pick<SegmentEdit, 'when'> & Partial<SegmentEdit>,
  contexts: readonly string[],
): Promise<SegmentPlan> {
  const list = contexts.length === 0 ? undefined : `[${contexts.join(',')}]`;
  const body = objectSource({ ...fields, dryRun: true }, { when, contexts: list });
  return (await put(env, name, body)) as SegmentPlan;
}

function put(env: string, name: string, source: string): Promise<SaveResponse | SegmentPlan> {
  const body = new JsonText(source);
  return request('PUT /environments/:env/segments/:name', { params: { env, name }, body });
}

export interface SegmentRevision extends SegmentRevisionSummary {
  /** JSON source of the condition. */
  readonly when: string;
}

export async function fetchSegmentRevision(
  env: string,
  name: string,
  revision: number,
  signal?: AbortSignal,
): Promise<SegmentRevision> {
  const params = { env, name, revision: String(revision) };
  const route = 'GET /environments/:env/segments/:name/revisions/:revision';
  return withSource<SegmentRevisionSummary>(await requestText(route, { params }, signal));
}

export function testCondition(
  env: string,
  when: string,
  contexts: readonly string[],
  signal?: AbortSignal,
): Promise<TestedSegment> {
  const body = new JsonText(objectSource({}, { when, contexts: `[${contexts.join(',')}]` }));
  return request('POST /environments/:env/segments/test', { params: { env }, body }, signal);
}
