/** What the admin API says of saved segments, with conditions as their source, and what it is asked of them. */
import { callText } from '../api/call.js';
import { elementSources, objectSource, sourceAt } from '../api/raw-json.js';
import type { Segment, SegmentRevisionSummary } from '../generated/admin-client.js';

export interface SavedSegment extends Omit<Segment, 'when'> {
  /** JSON source of the condition. */
  readonly when: string;
}

export const segmentKeys = {
  /** Below it: the revisions, and what is asked of them. */
  history: (env: string, name: string) =>
    ['environments', env, 'segments', name, 'revisions'] as const,
  all: (env: string) => ['environments', env, 'segments'] as const,
  one: (env: string, name: string) => ['environments', env, 'segments', name] as const,
  test: (env: string, when: string, contexts: string) =>
    ['environments', env, 'segment-tests', when, contexts] as const,
};

function pathTo(env: string, name?: string): string {
  const base = `/admin/v1/environments/${encodeURIComponent(env)}/segments`;
  return name === undefined ? base : `${base}/${encodeURIComponent(name)}`;
}

/** All of them, page by page. */
export async function fetchSegments(env: string, signal?: AbortSignal): Promise<SavedSegment[]> {
  const segments: SavedSegment[] = [];
  let after: string | null = '';
  while (after !== null) {
    const asked: string = `${pathTo(env)}?after=${encodeURIComponent(after)}`;
    const answer = await callText(asked, signal === undefined ? {} : { signal });
    const list = elementSources(sourceAt(answer, ['segments']) ?? '[]') ?? [];
    segments.push(...list.map(segmentOf));
    after = JSON.parse(sourceAt(answer, ['next']) ?? 'null') as string | null;
  }
  return segments;
}

export async function fetchSegment(
  env: string,
  name: string,
  signal?: AbortSignal,
): Promise<SavedSegment> {
  return segmentOf(await callText(pathTo(env, name), signal === undefined ? {} : { signal }));
}

function segmentOf(source: string): SavedSegment {
  const parsed = JSON.parse(source) as Segment;
  return { ...parsed, when: sourceAt(source, ['when']) ?? '{}' };
}

export const noteCharsMax = 2_000;

export interface SegmentEdit {
  readonly when: string;
  readonly description: string;
  /** Why; kept with the revision. */
  readonly note: string;
  /** Of the state that was edited; null: it is to be new. */
  readonly ifUpdatedAt: string | null;
}

/** What is valid but can hardly be meant. */
export interface SegmentWarning {
  readonly path: string;
  readonly message: string;
}

export interface SegmentSaved {
  readonly updatedAt: string;
  readonly revision: number;
  readonly reaches: readonly string[];
  readonly warnings: readonly SegmentWarning[];
  readonly sequence: number;
}

export async function saveSegment(
  env: string,
  name: string,
  { when, ...fields }: SegmentEdit,
): Promise<SegmentSaved> {
  const body = objectSource(fields, { when });
  return JSON.parse(await callText(pathTo(env, name), { method: 'PUT', body })) as SegmentSaved;
}

/** What saving would do. */
export interface SegmentPlan {
  readonly created: boolean;
  readonly changed: boolean;
  readonly updatedAt: string | null;
  readonly reaches: readonly string[];
  readonly warnings: readonly SegmentWarning[];
  /** On the contexts given; null without any. */
  readonly effect: SegmentEffect | null;
}

export interface SegmentEffect {
  readonly contexts: number;
  readonly matchedBefore: number;
  readonly matchAfter: number;
  readonly entering: number;
  readonly leaving: number;
  /** Places in the contexts, from 0. */
  readonly enteringExamples: readonly number[];
  readonly leavingExamples: readonly number[];
}

export async function planSegment(
  env: string,
  name: string,
  { when, ...fields }: Pick<SegmentEdit, 'when'> & Partial<SegmentEdit>,
  contexts: readonly string[],
): Promise<SegmentPlan> {
  const list = contexts.length === 0 ? undefined : `[${contexts.join(',')}]`;
  const body = objectSource({ ...fields, dryRun: true }, { when, contexts: list });
  return JSON.parse(await callText(pathTo(env, name), { method: 'PUT', body })) as SegmentPlan;
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
  const path = `${pathTo(env, name)}/revisions/${revision}`;
  const source = await callText(path, signal === undefined ? {} : { signal });
  const parsed = JSON.parse(source) as SegmentRevisionSummary;
  return { ...parsed, when: sourceAt(source, ['when']) ?? '{}' };
}

export interface ConditionTest {
  readonly matching: number;
  /** One for each context. */
  readonly results: readonly { readonly matches: boolean; readonly reason: string }[];
  readonly warnings: readonly SegmentWarning[];
}

export async function testCondition(
  env: string,
  when: string,
  contexts: readonly string[],
  signal?: AbortSignal,
): Promise<ConditionTest> {
  const body = objectSource({}, { when, contexts: `[${contexts.join(',')}]` });
  const request = { method: 'POST', body, ...(signal === undefined ? {} : { signal }) };
  return JSON.parse(await callText(`${pathTo(env)}/test`, request)) as ConditionTest;
}
