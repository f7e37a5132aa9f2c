/** Reads a content item and its revisions, and keeps the spelling of mapping and schema. */
import { useQuery } from '@tanstack/react-query';
import type { Content } from '../../contract/operations/contents.js';
import type { RevisionSummary } from '../../contract/operations/history/content-history.js';
import type { RevisionState } from '../../contract/schemas/revision-state.js';
import { request, requestText } from '../api/call.js';
import { sourceAt } from '../api/raw-json.js';
import type { ContentState, SavedContent } from './draft.js';

/** The newest revision, with what the header and the tabs show of it. */
export interface LoadedContent
  extends SavedContent,
    Pick<Content, 'hash' | 'note' | 'createdAt' | 'synced'> {}

/** A revision as it was saved. Description, tags and schema are not part of one. */
export interface LoadedRevision
  extends Readonly<Pick<RevisionState, 'author' | 'note' | 'createdAt' | 'hash'>> {
  readonly number: number;
  readonly lines: ContentState['lines'];
  readonly mapping: string;
  readonly flags: readonly string[];
}

export const emptyMapping = '[]';
export const noSchema = 'null';

export function contentKeyOf(env: string, id: string): readonly string[] {
  return ['environments', env, 'contents', id];
}

export async function fetchContent(
  env: string,
  id: string,
  signal?: AbortSignal,
): Promise<LoadedContent> {
  const route = 'GET /environments/:env/contents/:id';
  const json = await requestText(route, { params: { env, id } }, signal);
  const fields = JSON.parse(json) as Content;
  return {
    ...fields,
    env,
    lines: textsOf(fields),
    mapping: sourceAt(json, ['mapping']) ?? emptyMapping,
    schema: sourceAt(json, ['schema']) ?? noSchema,
  };
}

export async function fetchRevision(
  env: string,
  id: string,
  number: number,
  signal?: AbortSignal,
): Promise<LoadedRevision> {
  const params = { env, id, revision: String(number) };
  const route = 'GET /environments/:env/contents/:id/revisions/:revision';
  const json = await requestText(route, { params }, signal);
  const fields = JSON.parse(json) as RevisionState;
  const mapping = sourceAt(json, ['mapping']) ?? emptyMapping;
  return { ...fields, number, lines: textsOf(fields), mapping };
}

/** Newest first, also of a deleted content item. */
export async function fetchRevisions(
  env: string,
  id: string,
  query: { readonly limit: number; readonly before?: number | undefined },
): Promise<readonly RevisionSummary[]> {
  const route = 'GET /environments/:env/contents/:id/revisions';
  return (await request(route, { params: { env, id }, query })).revisions;
}

export function useContent(env: string, id: string) {
  return useQuery({
    queryKey: contentKeyOf(env, id),
    queryFn: ({ signal }) => fetchContent(env, id, signal),
  });
}

/** A revision never changes, so it is read once. */
export function useRevision(env: string, id: string, number: number | null) {
  return useQuery({
    queryKey: [...contentKeyOf(env, id), 'revision', number],
    queryFn: ({ signal }) => fetchRevision(env, id, number ?? 0, signal),
    enabled: number !== null && number > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** A content item that does not exist yet, before anything is typed. */
export function newContent(env: string, id: string): LoadedContent {
  return {
    env,
    id,
    newest: 0,
    live: null,
    author: '',
    updatedAt: '',
    hash: '',
    note: '',
    createdAt: '',
    synced: null,
    lines: [{ appVersion: '0.0.0', text: '{\n  \n}\n' }],
    mapping: emptyMapping,
    flags: [],
    description: '',
    tags: [],
    schema: noSchema,
    guards: [],
  };
}

function textsOf({ lines }: RevisionState): ContentState['lines'] {
  return lines.map(({ appVersion, text }) => ({ appVersion, text }));
}
