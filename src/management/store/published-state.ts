/** Reads what delivery must serve at this moment, in the words of the read model. */

import { strict as assert } from 'node:assert';
import { digestOf } from '../../content/hash.js';
import type { PublishedChange, PublishedContent, PublishedLine } from '../../published/change.js';
import { deliveredJson } from './contents/delivered-json.js';
import { ofRevision } from './contents/joins.js';
import { shownHash } from './contents/state-hashes.js';
import { readText } from './contents/texts.js';
import type { Db } from './dialect.js';
import { findEnvironment } from './environments.js';
import { EventLoopYielder } from './event-loop-yielder.js';
import { findSegment } from './segments/segments.js';
import { TextDamaged } from './store-errors.js';
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
  for (const kind of order) {
    for (const change of changed) {
      if (change.kind !== kind) continue;
      yield await presentOne(db, change);
      await pace.step();
    }
  }
}

async function presentOne(db: Db, changed: ChangedName): Promise<PublishedChange> {
  const { kind, environment, name } = changed;
  switch (kind) {
    case 'environment-removed':
      return { kind, environment };
    case 'environment': {
      const found = await findEnvironment(db, environment);
      return { kind: found === null ? 'environment-removed' : kind, environment };
    }
    case 'segment': {
      const found = await findSegment(db, environment, name);
      if (found === null) return { kind: 'segment-removed', environment, name };
      return { kind, environment, name, when: found.condition, candidate: null };
    }
    case 'key': {
      const found = await validKeys(db).where('hash', '=', name).executeTakeFirst();
      return found === undefined ? { kind: 'key-removed', keyHash: name } : { kind, ...found };
    }
    case 'content': {
      const found = await readLiveContent(db, environment, name);
      return found ?? { kind: 'content-removed', environment, id: name };
    }
  }
}

/** Everything that is published, content by content, so that not all of it is in memory at once. */
export async function* everything(db: Db): AsyncGenerator<PublishedChange> {
  for (const { id } of await db.selectFrom('environments').select('id').orderBy('id').execute()) {
    yield { kind: 'environment', environment: id };
    yield* segmentsOf(db, id);
    yield* keysOf(db, id);
    yield* liveContents(db, id);
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

async function* segmentsOf(db: Db, environment: string): AsyncGenerator<PublishedChange> {
  const segments = db.selectFrom('segments').select(['name', 'condition as when']);
  for (const row of await segments.where('environment', '=', environment).execute()) {
    yield { kind: 'segment', environment, ...row, candidate: null };
  }
}

async function* keysOf(db: Db, environment: string): AsyncGenerator<PublishedChange> {
  for (const row of await validKeys(db).where('environment', '=', environment).execute()) {
    yield { kind: 'key', ...row };
  }
}

function validKeys(db: Db) {
  return db
    .selectFrom('apiKeys')
    .select(['environment', 'hash as keyHash', 'expiresAt as expiresAtMs'])
    .where('revokedAt', 'is', null);
}

/** What is live in an environment, by lower-case id; one at a time, as it is asked for. */
export async function* liveContents(db: Db, environment: string): AsyncGenerator<PublishedContent> {
  const pace = new EventLoopYielder();
  for (let after = ''; ; ) {
    const page = await db
      .selectFrom('contents')
      .select('idLower')
      .where('environment', '=', environment)
      .where('idLower', '>', after)
      .where('live', 'is not', null)
      .orderBy('idLower')
      .limit(rowsPerPage)
      .execute();
    for (const { idLower } of page) {
      const content = await readLiveContent(db, environment, idLower);
      assert(content !== null, 'a live revision is there');
      yield content;
      await pace.step();
    }
    const last = page.at(-1);
    if (last === undefined || page.length < rowsPerPage) return;
    after = last.idLower;
  }
}

/** The live revision's delivered bytes, or null when nothing is live. */
async function readLiveContent(
  db: Db,
  environment: string,
  idLower: string,
): Promise<PublishedContent | null> {
  const rows = await db
    .selectFrom('contents')
    .innerJoin('revisions', ofRevision('revisions', 'contents', 'live'))
    .innerJoin('revisionLines', ofRevision('revisionLines', 'revisions'))
    .innerJoin('texts', 'texts.digest', 'revisionLines.textDigest')
    .where((row) => row.and({ 'contents.environment': environment, 'contents.idLower': idLower }))
    .select(['contents.id', 'revisions.mapping', 'revisions.flags', 'revisionLines.version'])
    .select(['revisionLines.jsonDigest', 'revisionLines.textDigest', shownHash])
    .select('texts.bytes')
    .orderBy('revisionLines.position')
    .execute();
  const first = rows[0];
  if (first === undefined) return null;
  const usedBy = `${environment}/${first.id}`;
  const lines: PublishedLine[] = rows.map((row) => {
    check(row.bytes, row.textDigest, usedBy);
    const { version, jsonDigest: digest, hash } = row;
    return { version, digest, hash, json: deliveredJson(row.bytes) };
  });
  let mapping = '';
  if (first.mapping !== null) {
    const text = await readText(db, first.mapping);
    check(text, first.mapping, usedBy);
    mapping = Buffer.from(text).toString();
  }
  const flags = JSON.parse(first.flags) as string[];
  return { kind: 'content', environment, id: first.id, lines, mapping, flags, candidate: null };
}

/** What is published is what was saved: some 2 ms a megabyte, once for each publishing. */
function check(bytes: Uint8Array, digest: string, usedBy: string): void {
  if (digestOf(bytes) !== digest) throw new TextDamaged(digest, usedBy);
}
