/** Routes that show the contents of an environment. */
import { z } from 'zod';
import { contentKey } from '../../content/content-id.js';
import { listRowsMax } from '../../contract/limits.js';
import { Problem } from '../../contract/problems.js';
import { contentParams, environmentParams } from '../../contract/schemas/common.js';
import { environmentUnknown } from '../authoring/edit-environment.js';
import { revisionUnknown } from '../authoring/publish-content.js';
import { problems } from '../http/problem-responses.js';
import { contentsPerRead, deletedContentsPerRead } from '../limits.js';
import { findDeleters, type ListedContent, listContents } from '../store/content-list.js';
import { findEnvironment } from '../store/environments.js';
import { Pace } from '../store/pace.js';
import { findRevision } from '../store/revisions.js';
import type { Store } from '../store/store.js';
import { toIso } from '../to-iso.js';
import { contentJson, contentSchema, syncedSchema } from './content-view.js';
import type { AdminApp, AdminContext } from './context.js';
import { findPresent } from './known-content.js';
import { sendProblem } from './problem.js';
import { rawList, sendRaw } from './raw-json.js';

const limitSchema = z.coerce
  .number()
  .int()
  .min(1)
  .max(listRowsMax)
  .default(listRowsMax)
  .describe('Contents of a page.');

const summarySchema = z.object({
  id: z.string(),
  description: z.string(),
  tags: z.array(z.string()).readonly(),
  newest: z.int(),
  live: z.int().nullable().describe('Below `newest` or null: the newest revision is a draft.'),
  author: z.string().describe('Who saved the newest revision.'),
  synced: syncedSchema,
  hash: z.string().describe('Of the highest line of the live revision, or of the newest.'),
  dynamic: z.boolean(),
  lines: z.int(),
  jsonBytes: z.int(),
  updatedAt: z.string(),
  deletedAt: z.string().nullable(),
  deletedBy: z
    .string()
    .nullable()
    .describe('null: it is not deleted, or the audit does not reach back to it.'),
});
summarySchema.register(z.globalRegistry, { id: 'ContentSummary' });

export function registerContents(app: AdminApp, context: AdminContext): void {
  const tags = ['contents'];
  const config = { role: 'viewer' } as const;

  app.get(
    '/admin/v1/environments/:env/contents',
    {
      config,
      schema: {
        tags,
        description: 'Lists contents by id, with what is live of each (or else is newest).',
        params: environmentParams,
        querystring: z.object({
          deleted: z
            .enum(['true', 'false'])
            .default('false')
            .describe('true: the deleted ones instead, with what was live of them.'),
          after: z.string().default('').describe('Id after which the page begins.'),
          limit: limitSchema,
        }),
        response: {
          200: z.object({
            contents: z.array(summarySchema),
            next: z.string().nullable().describe('Give it as "after" for the next page.'),
          }),
          ...problems(),
        },
      },
    },
    async (request, reply) => {
      const { env } = request.params;
      const { after, limit } = request.query;
      const deleted = request.query.deleted === 'true';
      const list = { env, deleted, after: contentKey(after), limit };
      const found = await readSummaries(context.store, list);
      if (found instanceof Problem) return sendProblem(reply, found);
      const next = found.count < limit ? null : found.last;
      return sendRaw(reply, 200, rawList({ next }, 'contents', found.pieces));
    },
  );

  app.get(
    '/admin/v1/environments/:env/contents/:id',
    {
      config,
      schema: {
        tags,
        description: 'Shows the newest revision, live or not.',
        params: contentParams,
        response: { 200: contentSchema, ...problems('content_not_found') },
      },
    },
    async (request, reply) => {
      const { env, id } = request.params;
      const found = await context.store.read(async (db) => {
        const content = await findPresent(db, env, id);
        if (content instanceof Problem) return content;
        const revision = await findRevision(db, env, content.idLower, content.newest);
        if (revision === null) return revisionUnknown(content.id, content.newest);
        return contentJson(db, content, revision);
      });
      if (found instanceof Problem) return sendProblem(reply, found);
      return sendRaw(reply, 200, found);
    },
  );
}

interface Summaries {
  /** JSON of the contents, some in each, without the brackets around the list. */
  readonly pieces: readonly Buffer[];
  readonly count: number;
  /** Lower-case id of the last one. */
  readonly last: string | null;
}

/**
 * Reads and writes a listing bit by bit: 5,000 contents in one go would hold up the thread for a tenth of a second. Each
 * bit is a snapshot of its own, of what comes after the one before.
 */
async function readSummaries(
  store: Store,
  list: {
    readonly env: string;
    readonly deleted: boolean;
    readonly after: string;
    readonly limit: number;
  },
): Promise<Summaries | Problem> {
  const { env, deleted, limit } = list;
  const pieces: Buffer[] = [];
  const pace = new Pace();
  const perRead = deleted ? deletedContentsPerRead : contentsPerRead;
  let count = 0;
  let last: string | null = null;
  for (;;) {
    const rows = Math.min(perRead, limit - count);
    const page = await store.read(async (db) => {
      if ((await findEnvironment(db, env)) === null) return environmentUnknown(env);
      const contents = await listContents(db, env, deleted, last ?? list.after, rows);
      return { contents, deleters: await findDeleters(db, env, contents) };
    });
    if (page instanceof Problem) return page;
    const { contents, deleters } = page;
    if (contents.length > 0) pieces.push(summariesJson(contents, deleters));
    count += contents.length;
    last = contents.at(-1)?.idLower ?? last;
    if (contents.length < rows || count === limit) return { pieces, count, last };
    await pace.step();
  }
}

/** Written at once: checking each against its shape takes as long as all the rest of the writing. */
function summariesJson(
  contents: readonly ListedContent[],
  deleters: ReadonlyMap<string, string>,
): Buffer {
  const summaries = contents.map(
    (content): z.input<typeof summarySchema> => ({
      id: content.id,
      description: content.description,
      tags: content.tags,
      newest: content.newest,
      live: content.live,
      author: content.author,
      synced: content.synced,
      hash: content.hash,
      dynamic: content.dynamic,
      lines: content.lines,
      jsonBytes: content.jsonBytes,
      updatedAt: toIso(content.updatedAtMs),
      deletedAt: toIso(content.deletedAtMs),
      deletedBy: deleters.get(content.id) ?? null,
    }),
  );
  return Buffer.from(JSON.stringify(summaries).slice(1, -1));
}
