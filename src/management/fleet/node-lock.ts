/**
 * The lock of a server's id: one session at a time holds it, and PostgreSQL lets go of it with the session. Two servers
 * whose data folders are copies of each other find out by it (D57). PostgreSQL only.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../store/dialect.js';
import { codeOf } from '../store/store-errors.js';

/** 64 bits of schema and id: the same in all nodes, and of a user's other applications in none. */
function keyOf(id: string): RawBuilder<bigint> {
  return sql<bigint>`hashtextextended('loadout node ' || current_schema() || ' ' || ${id}::text, 0)`;
}

/** Whether this session holds the lock from now on. To be asked once: locks of one session add up. */
export async function tryNodeLock(db: Db, id: string): Promise<boolean> {
  const tried = await sql<{ got: boolean }>`
    select pg_try_advisory_lock(${keyOf(id)}) as got`.execute(db);
  return tried.rows[0]?.got === true;
}

export async function releaseNodeLock(db: Db, id: string): Promise<void> {
  await sql`select pg_advisory_unlock(${keyOf(id)})`.execute(db);
}

/** The process of the database that serves this session. */
export async function sessionPid(db: Db): Promise<number> {
  const found = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  return found.rows[0]?.pid ?? 0;
}

/** The session that holds the lock, and when the server of that id last reported, by the database's clock. */
export interface NodeHolder {
  readonly pid: number;
  /** Null: it has not said anything yet. */
  readonly seenAtMs: number | null;
}

/** Null: no session holds it. */
export async function findNodeHolder(db: Db, id: string): Promise<NodeHolder | null> {
  const found = await sql<NodeHolder>`
    select pid, (select seen_at from nodes where id = ${id}) as "seenAtMs"
    from pg_locks where ${isLockOf(id)}`.execute(db);
  return found.rows[0] ?? null;
}

/** Ends the session that holds the lock, if it is still that one. False: it may not be ended, or is gone. */
export async function endNodeHolder(db: Db, id: string, pid: number): Promise<boolean> {
  try {
    const ended = await sql<{ ended: boolean }>`
      select pg_terminate_backend(pid) as ended
      from pg_locks where ${isLockOf(id)} and pid = ${pid}`.execute(db);
    return ended.rows[0]?.ended === true;
  } catch (error) {
    // The session is of another role. Where the way to its server is broken, its keepalives end it soon.
    if (codeOf(error) === notPermitted) return false;
    throw error;
  }
}

/** SQLSTATE insufficient_privilege. */
const notPermitted = '42501';

/** PostgreSQL shows a key of 64 bits as two halves, and marks it by 1. */
function isLockOf(id: string): RawBuilder<boolean> {
  return sql<boolean>`
    locktype = 'advisory' and granted and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())
    and ((classid::bigint << 32) | objid::bigint) = ${keyOf(id)}`;
}
