/** The events of a write that webhooks are sent, from what delivery must read again and from what was audited. */
import type { AuditAction, MessageType } from '../../../contract/events.js';
import type { MessageData } from '../../../contract/schemas/webhook-messages.js';
import { eventIdsMax } from '../../limits/webhooks.js';
import { findLive } from '../contents/contents.js';
import { findHash } from '../contents/state-hashes.js';
import type { Db } from '../dialect.js';
import { findSegment, listSegmentUses } from '../segments/segments.js';
import type { AuditedAction, UnitOfWork } from '../unit-of-work.js';

/** Something that happened. `data` holds names, numbers and hashes: never a text, never a secret. */
export type WebhookEvent = {
  readonly [T in MessageType]: {
    readonly type: T;
    /** '' when it belongs to none. */
    readonly environment: string;
    readonly data: MessageData<T>;
  };
}[MessageType];

type BulkType = 'environment.synced' | 'environment.imported';

/** Actions that change many contents at once, and are one event each. */
const bulkTypes: ReadonlyMap<AuditAction, BulkType> = new Map([
  ['environment.sync', 'environment.synced'],
  ['environment.import', 'environment.imported'],
]);

/**
 * The events of a write that is about to commit. Events of contents follow from what is live now, not from
 * the action, so that every edit that changes what players get is reported. What an edit of a segment changes is reported
 * once, with the segment.
 * @param sequence the write's own number
 */
export async function eventsOfWrite(write: UnitOfWork, sequence: number): Promise<WebhookEvent[]> {
  const by = write.actor.name;
  const events: WebhookEvent[] = [];
  const bulk = new Set<string>();
  for (const audited of write.audited) {
    const type = bulkTypes.get(audited.action);
    if (type === undefined) continue;
    bulk.add(audited.environment);
    const event = await bulkEvent(write, audited, type, sequence);
    if (event !== null) events.push(event);
  }
  for (const { type, data } of write.releaseEvents) {
    // A message for each of its contents would say the same once more.
    if (type === 'release.live' || type === 'release.reverted') bulk.add(data.environment);
    events.push({
      type,
      environment: data.environment,
      data: { ...data, sequence, by },
    } as WebhookEvent);
  }
  for (const [environment, ids] of changedContents(write)) {
    if (bulk.has(environment)) continue;
    for (const id of ids) {
      const event = await contentEvent(write, environment, id, sequence);
      if (event !== null) events.push(event);
    }
  }
  for (const audited of write.audited) {
    const { action, environment, name } = audited;
    const data = { environment, sequence, by };
    if (action === 'key.create' || action === 'key.revoke') {
      const type = action === 'key.create' ? 'key.created' : 'key.revoked';
      const key = { id: name, ...(await keyLabel(write.db, name)) };
      events.push({ type, environment, data: { ...data, ...key } });
    } else if (action === 'segment.put' || action === 'segment.rollback') {
      if (bulk.has(environment)) continue;
      const more = await segmentFacts(write, environment, name);
      events.push({ type: 'segment.changed', environment, data: { ...data, name, ...more } });
    } else if (action === 'segment.delete') {
      if (bulk.has(environment)) continue;
      events.push({ type: 'segment.deleted', environment, data: { ...data, name } });
    } else if (action === 'environment.delete') {
      events.push({ type: 'environment.deleted', environment, data });
    }
  }
  return events;
}

/** Lower-case ids of the contents that delivery must read again, by environment, each once. */
function changedContents(write: UnitOfWork): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { kind, environment, name } of write.changed) {
    if (kind !== 'content') continue;
    const ids = found.get(environment) ?? new Set();
    found.set(environment, ids.add(name));
  }
  return found;
}

/** The present revision of a segment, and the contents that are delivered with it from now on. */
async function segmentFacts(
  write: UnitOfWork,
  environment: string,
  name: string,
): Promise<Pick<MessageData<'segment.changed'>, 'revision' | 'contents' | 'reaches' | 'cut'>> {
  const segment = await findSegment(write.db, environment, name);
  const uses = await listSegmentUses(write.db, environment, { name });
  const reaches = uses.filter(({ live }) => live).map(({ content }) => content);
  return {
    revision: segment?.revision ?? null,
    contents: reaches.length,
    reaches: reaches.slice(0, eventIdsMax),
    cut: reaches.length > eventIdsMax,
  };
}

/** Null: the environment went away in the same write, or an edit of a segment, which has an event of its own, reached it. */
async function contentEvent(
  write: UnitOfWork,
  environment: string,
  idLower: string,
  sequence: number,
): Promise<WebhookEvent | null> {
  const content = (await findLive(write.db, environment, [idLower])).get(idLower);
  if (content === undefined) return null;
  const { id, live } = content;
  const action = write.audited.find(
    (one) =>
      one.environment === environment &&
      one.name.toLowerCase() === idLower &&
      one.action.startsWith('content.'),
  )?.action;
  if (action === undefined) return null;
  const by = write.actor.name;
  if (live === null) {
    return {
      type: 'content.deleted',
      environment,
      data: { environment, id, action, sequence, by },
    };
  }
  const hash = await findHash(write.db, environment, idLower, live);
  const data = { environment, id, revision: live, hash, action, sequence, by };
  return { type: 'content.published', environment, data };
}

/** Null: it changed nothing that is delivered. */
async function bulkEvent(
  write: UnitOfWork,
  audited: AuditedAction,
  type: BulkType,
  sequence: number,
): Promise<WebhookEvent | null> {
  const { environment, name } = audited;
  const ids = [...(changedContents(write).get(environment) ?? [])];
  const segments = write.changed
    .filter((change) => change.kind === 'segment' && change.environment === environment)
    .map((change) => change.name);
  if (ids.length === 0 && segments.length === 0) return null;
  const published: string[] = [];
  const deleted: string[] = [];
  // The names are for people and small caches; who mirrors everything reads the catalog.
  const named = ids.slice(0, eventIdsMax);
  const contents = await findLive(write.db, environment, named);
  for (const idLower of named) {
    const content = contents.get(idLower);
    if (content !== undefined) (content.live === null ? deleted : published).push(content.id);
  }
  const changes = {
    contents: ids.length,
    published,
    deleted,
    segments: segments.slice(0, eventIdsMax),
    cut: ids.length > eventIdsMax || segments.length > eventIdsMax,
    sequence,
    by: write.actor.name,
  };
  return type === 'environment.synced'
    ? { type, environment, data: { environment, from: name, ...changes } }
    : { type, environment, data: { environment, ...changes } };
}

async function keyLabel(
  db: Db,
  id: string,
): Promise<{ readonly label: string; readonly prefix: string }> {
  return db
    .selectFrom('apiKeys')
    .select(['label', 'prefix'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}
