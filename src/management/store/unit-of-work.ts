/** One write transaction: its connection, who does it and when, and what of delivery it touched. */
import type { AuditAction } from '../../contract/events.js';
import type { Db } from './dialect.js';
import { timeOrderedId } from './ids.js';
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

/** What was done, as the audit names it. */
export interface AuditedAction {
  readonly action: AuditAction;
  readonly environment: string;
  readonly name: string;
}

export class UnitOfWork {
  readonly db: Db;
  readonly actor: Actor;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly #changed: ChangedName[] = [];
  readonly #audited: AuditedAction[] = [];
  readonly #woken = new Set<string>();

  constructor(db: Db, actor: Actor, at: number) {
    this.db = db;
    this.actor = actor;
    this.at = at;
  }

  /** In the order they were touched. */
  get changed(): readonly ChangedName[] {
    return this.#changed;
  }

  /** In the order they were audited; the transaction's commit tells webhooks of them. */
  get audited(): readonly AuditedAction[] {
    return this.#audited;
  }

  /** Webhooks that were woken. */
  get woken(): ReadonlySet<string> {
    return this.#woken;
  }

  /** Notes that a webhook may have something to send; the commit tells whichever server sends. */
  wake(webhookId: string): void {
    this.#woken.add(webhookId);
  }

  /** Notes that delivery must see this anew; the transaction's commit appends it to the change log. */
  markChanged(kind: ChangeKind, environment: string, name: string): void {
    this.#changed.push({ kind, environment, name });
  }

  /**
   * Writes an audit row in the same transaction: what was done is recorded, or not done.
   * @param details what else is worth knowing; never a secret
   * @returns the id of the row
   */
  async audit(
    action: AuditAction,
    environment: string,
    name: string,
    details: Readonly<Record<string, unknown>> = {},
  ): Promise<string> {
    this.#audited.push({ action, environment, name });
    const id = timeOrderedId(this.at);
    await this.db
      .insertInto('audit')
      .values({
        id,
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
    return id;
  }

  /** Says more in a row that an earlier write of the same work made: long work leaves one row, true after each write. */
  async amendAudit(id: string, details: Readonly<Record<string, unknown>>): Promise<void> {
    await this.db
      .updateTable('audit')
      .set({ details: JSON.stringify(details) })
      .where('id', '=', id)
      .execute();
  }
}
