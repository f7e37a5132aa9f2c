/** Contents and their history: listed, shown, compared. */
import { contentKey } from '../../content/content-id.js';
import { listContents, showContent } from '../../contract/operations/contents.js';
import {
  type DiffSide,
  diffContent,
  listRevisions,
  showRevision,
} from '../../contract/operations/history/content-history.js';
import { Problem } from '../../contract/problems.js';
import { rawList } from '../http/body/raw-json.js';
import { type Handler, handle, handleRead } from '../http/handlers.js';
import { findContent } from '../store/contents/contents.js';
import { listLiveSpans } from '../store/contents/live-spans.js';
import * as revisions from '../store/contents/revisions.js';
import { environmentUnknown } from '../store/edit-environment.js';
import { findEnvironment } from '../store/environments.js';
import { toIso } from '../to-iso.js';
import { contentJson, revisionJson } from './content-json.js';
import { diffRevisions, findPair } from './diff/diff-revisions.js';
import { readSummaries } from './list-contents.js';
import { contentUnknown, revisionUnknown } from './unknown-content.js';

export const contentHandlers: readonly Handler[] = [
  handle(listContents, async ({ params: { env }, query, context }) => {
    const { after, limit } = query;
    const deleted = query.deleted === 'true';
    const found = await readSummaries(context.store, env, deleted, contentKey(after), limit);
    if (found instanceof Problem) return found;
    const next = found.count < limit ? null : found.last;
    return rawList({ next }, 'contents', found.pieces);
  }),

  handleRead(showContent, async ({ environment: { id: env }, params: { id } }, db) => {
    const content = await findContent(db, env, id);
    if (content === null || content.deletedAtMs !== null) return contentUnknown(env, id);
    const revision = await revisions.findRevision(db, env, content.idLower, content.newest);
    if (revision === null) return revisionUnknown(content.id, content.newest);
    return contentJson(db, content, revision);
  }),

  handleRead(listRevisions, async ({ environment: { id: env }, params, query }, db) => {
    const content = await findContent(db, env, params.id);
    if (content === null) return contentUnknown(env, params.id);
    const { id, idLower, live } = content;
    const found = await revisions.listRevisions(db, env, idLower, query.before, query.limit);
    const range = { least: found.at(-1)?.number ?? 0, most: found[0]?.number ?? 0 };
    const spans = await listLiveSpans(db, { environment: env, idLower, live }, range);
    return {
      id,
      revisions: found.map(({ number, mapping, hash, author, note, createdAtMs, synced }) => ({
        revision: number,
        live: number === live,
        hash,
        dynamic: mapping !== null,
        author,
        note,
        createdAt: toIso(createdAtMs),
        synced,
        liveSpans: (spans.get(number) ?? []).map(({ fromMs, untilMs }) => ({
          from: toIso(fromMs),
          until: untilMs === null ? null : toIso(untilMs),
        })),
      })),
    };
  }),

  handleRead(showRevision, async ({ environment: { id: env }, params }, db) => {
    const content = await findContent(db, env, params.id);
    if (content === null) return contentUnknown(env, params.id);
    const revision = await revisions.findRevision(db, env, content.idLower, params.revision);
    if (revision === null) return revisionUnknown(content.id, params.revision);
    return revisionJson(db, content.id, revision);
  }),

  handle(diffContent, async ({ params: { env, id }, query, context }) => {
    const { from = null, to = null } = query;
    const found = await context.store.read(async (db) => {
      if ((await findEnvironment(db, env)) === null) return environmentUnknown(env);
      const content = await findContent(db, env, id);
      if (content === null) return contentUnknown(env, id);
      const pair = await findPair(db, content, from, to);
      return pair instanceof Problem ? pair : { content, pair };
    });
    if (found instanceof Problem) return found;
    const { content, pair } = found;
    const diff = await diffRevisions(context.store, context.work, pair);
    return {
      id: content.id,
      from: pair.from === null ? null : diffSide(pair.from, content.live),
      to: diffSide(pair.to, content.live),
      ...diff,
    };
  }),
];

function diffSide(revision: revisions.Revision, live: number | null): DiffSide {
  const { number, author, note, createdAtMs, lines } = revision;
  const hash = lines.at(-1)?.hash ?? '';
  const createdAt = toIso(createdAtMs);
  return { revision: number, live: number === live, hash, author, note, createdAt };
}
