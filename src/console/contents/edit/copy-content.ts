/**
 * Copies a content item as it is, text by text and byte for byte, under another id or into another environment. The copy is an
 * import of one content item: all of it in one revision, or nothing.
 */
import { NdjsonText } from '../../../contract/client.js';
import type { ImportReport } from '../../../contract/operations/transfer.js';
import { ApiProblem, request } from '../../api/call.js';
import { emptyMapping, fetchContent, noSchema } from '../../draft/content-query.js';
import type { ContentState } from '../../draft/draft.js';

export interface CopyOptions {
  readonly env: string;
  readonly id: string;
  readonly toEnv: string;
  readonly toId: string;
}

/** A content item with that id exists, perhaps since a moment ago. */
export class CopyTaken extends Error {
  constructor({ toEnv, toId }: CopyOptions) {
    super(`${toEnv} has a content item ${toId} already; case does not matter.`);
  }
}

/** @throws ApiProblem, ServerAway, CopyTaken */
export async function copyContent(options: CopyOptions): Promise<ImportReport> {
  const { env, id, toEnv, toId } = options;
  const route = 'POST /environments/:env/import';
  const params = { env: toEnv };
  const body = new NdjsonText(copyLine(await fetchContent(env, id), toId));
  // The plan limits the copy to what the dry run saw: it never overwrites a content item created meanwhile.
  const { plan, counts } = await request(route, { params, query: { dryRun: 'true' }, body });
  if (counts.added === 0) throw new CopyTaken(options);
  try {
    return await request(route, { params, query: { plan }, body });
  } catch (error) {
    if (error instanceof ApiProblem && error.code === 'plan_stale') throw new CopyTaken(options);
    throw error;
  }
}

/** The line of an import that creates the copy, as a draft. Mapping and schema are strings in it, to keep their spelling. */
export function copyLine(content: ContentState, id: string): string {
  const { lines, mapping, flags, description, tags, schema, guards } = content;
  return `${JSON.stringify({
    kind: 'content',
    id,
    description,
    tags,
    lines: lines.map(({ appVersion, text }) => ({ appVersion, text })),
    mapping: mapping.trim() === emptyMapping ? null : mapping,
    ...(flags.length > 0 && { flags }),
    schema: schema.trim() === noSchema ? null : schema,
    ...(guards.length > 0 && { guards }),
    live: false,
  })}\n`;
}
