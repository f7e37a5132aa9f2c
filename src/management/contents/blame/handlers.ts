/** Blame of one value: which revisions set it. */
import * as api from '../../../contract/operations/history/blame.js';
import { Problem } from '../../../contract/problems.js';
import { type Handler, handle } from '../../http/handlers.js';
import { type ContentRecord, findContent } from '../../store/contents/contents.js';
import { findRevision } from '../../store/contents/revisions.js';
import type { Db } from '../../store/dialect.js';
import { environmentUnknown } from '../../store/edit-environment.js';
import { findEnvironment } from '../../store/environments.js';
import { toIso } from '../../to-iso.js';
import { contentUnknown } from '../unknown-content.js';
import { beforeAny, blameValue, type FoundChange } from './blame-value.js';
import { firstLive, releasesOf } from './rows.js';

export const blameHandlers: readonly Handler[] = [
  handle(api.blameValue, async ({ params: { env, id }, query, context }) => {
    const { store, work } = context;
    const content = await store.read(async (db) => {
      if ((await findEnvironment(db, env)) === null) return environmentUnknown(env);
      return (await findContent(db, env, id)) ?? contentUnknown(env, id);
    });
    if (content instanceof Problem) return content;
    const { path, limit, before = beforeAny } = query;
    const version = query.appVersion ?? (await store.read((db) => lowestVersion(db, content)));
    const request = { content, version, path, before, limit };
    const { value, changes, next, isOldest } = await blameValue({ store, work }, request);
    return {
      ...{ id: content.id, appVersion: version, path, next, isOldest },
      value: value?.shown ?? null,
      changes: await store.read((db) => changesJson(db, content, changes)),
    };
  }),
];

async function lowestVersion(db: Db, content: ContentRecord): Promise<string> {
  const { environment, idLower, newest } = content;
  const revision = await findRevision(db, environment, idLower, newest);
  return revision?.lines[0]?.version ?? '0.0.0';
}

async function changesJson(
  db: Db,
  content: ContentRecord,
  changes: readonly FoundChange[],
): Promise<api.ValueChange[]> {
  const numbers = changes.map(({ revision }) => revision.number);
  const live = await firstLive(db, content, numbers);
  const releases = await releasesOf(db, content, numbers);
  return changes.map(({ revision, before, after }) => {
    const { number, author, note, createdAt, syncedFrom, syncedRevision } = revision;
    const liveAt = live.get(number);
    return {
      ...{ revision: number, author, note, at: toIso(createdAt) },
      before: before?.shown ?? null,
      after: after?.shown ?? null,
      synced: syncedFrom === null ? null : { from: syncedFrom, revision: syncedRevision ?? 0 },
      liveAt: liveAt === undefined ? null : toIso(liveAt),
      releases: releases.get(number) ?? [],
    };
  });
}
