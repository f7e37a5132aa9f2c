/** Asks the server for a content and its revisions, keeping how mapping and schema are spelled. */
import { useQuery } from '@tanstack/react-query';
import { callText } from '../api/call.js';
import { sourceAt } from '../api/raw-json.js';
import type { ContentState, SavedContent } from './draft.js';

/** Size and hash of what a line delivers without the mapping. */
export interface LineFacts {
  readonly appVersion: string;
  readonly hash: string;
  readonly textBytes: number;
  readonly jsonBytes: number;
}

/** The newest revision, with what the header and the tabs tell of it. */
export interface LoadedContent extends SavedContent {
  /** Of the highest line. */
  readonly hash: string;
  readonly note: string;
  readonly createdAt: string;
  readonly synced: { readonly from: string; readonly revision: number } | null;
  readonly facts: readonly LineFacts[];
}

/** A revision as it was saved. Description, tags and schema are not part of one. */
export interface LoadedRevision {
  readonly number: number;
  readonly author: string;
  readonly note: string;
  readonly createdAt: string;
  readonly hash: string;
  readonly lines: ContentState['lines'];
  readonly mapping: string;
}

interface RevisionFields {
  readonly id: string;
  readonly revision: number;
  readonly author: string;
  readonly note: string;
  readonly createdAt: string;
  readonly synced: LoadedContent['synced'];
  readonly hash: string;
  readonly lines: readonly (LineFacts & { readonly text: string })[];
}

interface ContentFields extends RevisionFields {
  readonly description: string;
  readonly tags: readonly string[];
  readonly newest: number;
  readonly live: number | null;
  readonly updatedAt: string;
}

export const emptyMapping = '[]';
export const noSchema = 'null';

export function contentUrl(env: string, id: string): string {
  return `/admin/v1/environments/${encodeURIComponent(env)}/contents/${encodeURIComponent(id)}`;
}

export function contentKeyOf(env: string, id: string): readonly string[] {
  return ['environments', env, 'contents', id];
}

export async function fetchContent(
  env: string,
  id: string,
  signal?: AbortSignal,
): Promise<LoadedContent> {
  const json = await callText(contentUrl(env, id), signal === undefined ? {} : { signal });
  const fields = JSON.parse(json) as ContentFields;
  const { description, tags, newest, live, author, updatedAt } = fields;
  const { hash, note, createdAt, synced } = fields;
  return {
    env,
    id: fields.id,
    newest,
    live,
    author,
    updatedAt,
    hash,
    note,
    createdAt,
    synced,
    facts: fields.lines,
    lines: textsOf(fields),
    mapping: sourceAt(json, ['mapping']) ?? emptyMapping,
    description,
    tags,
    schema: sourceAt(json, ['schema']) ?? noSchema,
  };
}

export async function fetchRevision(
  env: string,
  id: string,
  number: number,
  signal?: AbortSignal,
): Promise<LoadedRevision> {
  const path = `${contentUrl(env, id)}/revisions/${number}`;
  const json = await callText(path, signal === undefined ? {} : { signal });
  const fields = JSON.parse(json) as RevisionFields;
  const { author, note, createdAt, hash } = fields;
  const mapping = sourceAt(json, ['mapping']) ?? emptyMapping;
  return { number, author, note, createdAt, hash, lines: textsOf(fields), mapping };
}

export function useContent(env: string, id: string) {
  return useQuery({
    queryKey: contentKeyOf(env, id),
    queryFn: ({ signal }) => fetchContent(env, id, signal),
  });
}

/** A revision never changes, so it is asked for once. */
export function useRevision(env: string, id: string, number: number | null) {
  return useQuery({
    queryKey: [...contentKeyOf(env, id), 'revision', number],
    queryFn: ({ signal }) => fetchRevision(env, id, number ?? 0, signal),
    enabled: number !== null && number > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** A content that is not there yet: what it has before anything is typed. */
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
    facts: [],
    lines: [{ appVersion: '0.0.0', text: '{\n  \n}\n' }],
    mapping: emptyMapping,
    description: '',
    tags: [],
    schema: noSchema,
  };
}

function textsOf({ lines }: RevisionFields): ContentState['lines'] {
  return lines.map(({ appVersion, text }) => ({ appVersion, text }));
}
