/** One write transaction: its connection, who does it and when, and what of delivery it touched. */
import { randomBytes } from 'node:crypto';
import type { Reading } from './dialect.js';
import type { ChangeLogTable, UsersTable } from './tables.js';

/** Who writes, for the history and the audit. */
export interface Actor {
  readonly userId: string;
  readonly name: string;
  readonly role: UsersTable['role'];
  /** Network address, or '' for the server itself. */
  readonly address: string;
}

/** The server itself, for what nobody asked for by hand. */
export const systemActor: Actor = { userId: '', name: 'system', role: 'owner', address: '' };

export type ChangeKind = ChangeLogTable['kind'];

/** Something that delivery must learn about; what it is now is read when it is published. */
export interface ChangedName {
  readonly kind: ChangeKind;
  readonly environment: string;
  /** Key hash, segment name or lower-case content id; '' for an environment. */
  readonly name: string;
}

export class Write {
  readonly db: Reading;
  readonly actor: Actor;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly #changed: ChangedName[] = [];

  constructor(db: Reading, actor: Actor, at: number) {
    this.db = db;
    this.actor = actor;
    this.at = at;
  }

  /** In the order they were touched. */
  get changed(): readonly ChangedName[] {
    return this.#changed;
  }

  /** Notes that delivery must see this anew; the transaction's commit appends it to the change log. */
  touch(kind: ChangeKind, environment: string, name: string): void {
    this.#changed.push({ kind, environment, name });
  }

  /**
   * Writes an audit row in the same transaction: what was done is recorded, or not done.
   * @param action `noun.verb`
   * @param details what else is worth knowing; never a secret
   */
  async audit(
    action: string,
    environment: string,
    name: string,
    details: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    await this.db
      .insertInto('audit')
      .values({
        id: auditId(this.at),
        at: this.at,
        userId: this.actor.userId,
        userName: this.actor.name,
        action,
        environment,
        name,
        address: this.actor.address,
        details: JSON.stringify(details),
      })
      .execute();
  }
}

let auditCount = 0;

/** Sorts by time, and within a millisecond by a counter; the randomness tells two processes apart. */
function auditId(at: number): string {
  auditCount = (auditCount + 1) % 0x1_0000;
  const time = at.toString(16).padStart(12, '0');
  return `${time}${auditCount.toString(16).padStart(4, '0')}${randomBytes(6).toString('hex')}`;
}
