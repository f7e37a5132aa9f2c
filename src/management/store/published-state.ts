/** Reads what delivery must serve at this moment, in the words of the read model. */

import { strict as assert } from 'node:assert';
import type {
  KeyPurpose,
  PublishedChange,
  PublishedContent,
  PublishedDelivery,
} from '../../published/change.js';
import { readDelivery } from './contents/delivery.js';
import type { Db } from './dialect.js';
import { readSettings } from './environment-settings.js';
import { findEnvironment } from './environments.js';
import { EventLoopYielder } from './event-loop-yielder.js';
import { readCandidate } from './releases/candidates.js';
import { type EnvironmentRamps, noRamps, readRamps } from './releases/ramps.js';
import { findSegment } from './segments/segments.js';
import type { ChangedName } from './unit-of-work.js';

/** Rows of one page of a full reading; the bytes of contents are read one content at a time. */
const rowsPerPage = 500;

/** Environments come before what is in them, and a removed one before one of the same name. */
const order = ['environment-removed', 'environment', 'segment', 'key', 'content'] as const;

/** The present state of each name, in the order in which it must be applied; one at a time, as it is asked for. */
export async function* presentState(
  db: Db,
  changed: readonly ChangedName[],
): AsyncGenerator<PublishedChange> {
  const pace = new EventLoopYielder();
  const ramps = new Map<string, EnvironmentRamps>();
  const rampsOf = async (environment: string): Promise<EnvironmentRamps> => {
    const found = ramps.get(environment) ?? (await readRamps(db, environment));
    ramps.set(environment, found);
    return found;
  };
  for (const kind of order) {
    for (const change of changed) {
      if (change.kind !== kind) continue;
      yield await presentOne(db, change, rampsOf);
      await pace.step();
    }
  }
}

async function presentOne(
  db: Db,
  changed: ChangedName,
  rampsOf: (environment: string) => Promise<EnvironmentRamps>,
): Promise<PublishedChange> {
  const { kind, environment, name } = changed;
  switch (kind) {
    case 'environment-removed':
      return { kind, environment };
    case 'environment': {
      const found = await findEnvironment(db, environment);
      if (found === null) return { kind: 'environment-removed', environment };
      return { kind, environment, settings: await readSettings(db, environment) };
    }
    case 'segment': {
      const when = (await findSegment(db, environment, name))?.condition ?? null;
      const candidate = (await rampsOf(environment)).conditions.get(name) ?? null;
      if (when === null && candidate === null)
        return { kind: 'segment-removed', environment, name };
      return { kind, environment, name, when, candidate };
    }
    case 'key': {
      const found = await validKeys(db).where('hash', '=', name).executeTakeFirst();
      return found === undefined ? { kind: 'key-removed', keyHash: name } : keyOf(found);
    }
    case 'content': {
      const ramps = await rampsOf(environment);
      const found = await readContent(db, environment, name, ramps);
      return found ?? { kind: 'content-removed', environment, id: name };
    }
  }
}

/** Everything that is published, content by content, so that not all of it is in memory at once. */
export async function* everything(db: Db): AsyncGenerator<PublishedChange> {
  for (const { id } of await db.selectFrom('environments').select('id').orderBy('id').execute()) {
    const settings = await readSettings(db, id);
    yield { kind: 'environment', environment: id, settings };
    const ramps = await readRamps(db, id);
    yield* segmentsOf(db, id, ramps);
    yield* keysOf(db, id);
    yield* contentsOf(db, id, ramps);
  }
}

/** Some content that is live, as `environment/id`; null when there is none at all. */
export async function findAnyLive(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('contents')
    .select(['environment', 'id'])
    .where('live', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : `${row.environment}/${row.id}`;
}

async function* segmentsOf(
  db: Db,
  environment: string,
  { conditions }: EnvironmentRamps,
): AsyncGenerator<PublishedChange> {
  const segments = db.selectFrom('segments').select(['name', 'condition as when']);
  const live = new Set<string>();
  for (const row of await segments.where('environment', '=', environment).execute()) {
    live.add(row.name);
    const candidate = conditions.get(row.name) ?? null;
    yield { kind: 'segment', environment, ...row, candidate };
  }
  for (const [name, candidate] of conditions) {
    if (live.has(name)) continue;
    yield { kind: 'segment', environment, name, when: null, candidate };
  }
}

async function* keysOf(db: Db, environment: string): AsyncGenerator<PublishedChange> {
  for (const row of await validKeys(db).where('environment', '=', environment).execute()) {
    yield keyOf(row);
  }
}

function validKeys(db: Db) {
  return db
    .selectFrom('apiKeys')
    .leftJoin('keyPurposes', 'keyPurposes.keyId', 'apiKeys.id')
    .select(['environment', 'hash as keyHash', 'expiresAt as expiresAtMs', 'purpose'])
    .where('revokedAt', 'is', null);
}

interface ValidKey {
  readonly environment: string;
  readonly keyHash: string;
  readonly expiresAtMs: number | null;
  /** Null: a game's. */
  readonly purpose: KeyPurpose | null;
}

function keyOf({ purpose, ...key }: ValidKey): PublishedChange {
  return { kind: 'key', ...key, purpose: purpose ?? 'game' };
}

/** What is live in an environment, by lower-case id; one at a time, as it is asked for. */
export function liveContents(db: Db, environment: string): AsyncGenerator<PublishedContent> {
  return contentsOf(db, environment, noRamps);
}

async function* contentsOf(
  db: Db,
  environment: string,
  ramps: EnvironmentRamps,
): AsyncGenerator<PublishedContent> {
  const pace = new EventLoopYielder();
  for (let after = ''; ; ) {
    const page = await db
      .selectFrom('contents')
      .select('idLower')
      .where('environment', '=', environment)
      .where('idLower', '>', after)
      .where(({ or, eb }) =>
        or([
          eb('live', 'is not', null),
          ...(ramps.brought.length === 0 ? [] : [eb('idLower', 'in', ramps.brought)]),
        ]),
      )
      .orderBy('idLower')
      .limit(rowsPerPage)
      .execute();
    for (const { idLower } of page) {
      const content = await readContent(db, environment, idLower, ramps);
      if (content !== null) yield content;
      await pace.step();
    }
    const last = page.at(-1);
    if (last === undefined || page.length < rowsPerPage) return;
    after = last.idLower;
  }
}

/** What is delivered of a content item, live and to those that are in a ramp; null: nothing. */
async function readContent(
  db: Db,
  environment: string,
  idLower: string,
  ramps: EnvironmentRamps,
): Promise<PublishedContent | null> {
  const content = await db
    .selectFrom('contents')
    .select(['id', 'live'])
    .where((where) => where.and({ environment, idLower }))
    .executeTakeFirst();
  if (content === undefined) return null;
  const { id, live } = content;
  const key = { environment, idLower, id };
  const delivered = live === null ? null : await readDelivery(db, { ...key, number: live });
  assert(live === null || delivered !== null, 'a live revision is there');
  const candidate = await readCandidate(db, { ...key, live }, ramps);
  if (delivered === null && (candidate?.content ?? null) === null) return null;
  return { kind: 'content', environment, id, ...(delivered ?? nothingLive), candidate };
}

const nothingLive: PublishedDelivery = { lines: [], mapping: '', flags: [] };
