/** One write transaction: its connection, its actor and time, and what it changed for delivery. */
import type { AuditAction, EventType } from '../../contract/events.js';
import type { MessageData } from '../../contract/schemas/webhook-messages.js';
import type { Db } from './dialect.js';
import { timeOrderedId } from './ids.js';
import type { ChangeLogTable } from './tables/server.js';
import type { UsersTable } from './tables/users.js';

/** Who writes, for the history and the audit. */
export interface Actor {
  readonly userId: string;
  readonly name: string;
  readonly role: UsersTable['role'];
  /** Network address, or '' for the server itself. */
  readonly address: string;
}

/** The server itself, for what it does without a request. */
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

/** An event that is about to be written, see `UnitOfWork.audit`. */
export interface NewAuditEvent {
  readonly action: AuditAction;
  readonly name: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Nine columns a row stay far below the number of parameters that either database takes. */
const auditRowsPerInsert = 100;

type ReleaseEventType = Extract<EventType, `release.${string}`>;

/** What happened to a release, for webhooks. The commit adds its number and the user. */
export type ReleaseEvent = {
  readonly [T in ReleaseEventType]: {
    readonly type: T;
    readonly data: Omit<MessageData<T>, 'sequence' | 'by'>;
  };
}[ReleaseEventType];

export class UnitOfWork {
  readonly db: Db;
  readonly actor: Actor;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly #sequenceNext: number;
  #takesSequence = false;
  readonly #changed: ChangedName[] = [];
  readonly #audited: AuditedAction[] = [];
  readonly #releaseEvents: ReleaseEvent[] = [];
  readonly #woken = new Set<string>();

  /**
   * @param at milliseconds since the epoch
   * @param sequenceNext the number that the commit takes if it takes one
   */
  constructor(db: Db, actor: Actor, at: number, sequenceNext: number) {
    this.db = db;
    this.actor = actor;
    this.at = at;
    this.#sequenceNext = sequenceNext;
  }

  /** Whether the commit takes a number: it changes what is delivered, or a row of it names the number. */
  get takesSequence(): boolean {
    return this.#takesSequence || this.#changed.length > 0;
  }

  /** The number of this very commit, for rows that name it. The commit takes it, even if nothing else changes. */
  takeSequence(): number {
    this.#takesSequence = true;
    return this.#sequenceNext;
  }

  /** What happened to releases; webhooks receive it after the commit. */
  get releaseEvents(): readonly ReleaseEvent[] {
    return this.#releaseEvents;
  }

  reportRelease(event: ReleaseEvent): void {
    this.#releaseEvents.push(event);
  }

  /** In the order of the changes. */
  get changed(): readonly ChangedName[] {
    return this.#changed;
  }

  /** In the order they were audited; webhooks receive them after the commit. */
  get audited(): readonly AuditedAction[] {
    return this.#audited;
  }

  /** Webhooks that were woken. */
  get woken(): ReadonlySet<string> {
    return this.#woken;
  }

  /** Notes that a webhook may have something to send; the commit notifies the server that sends. */
  wake(webhookId: string): void {
    this.#woken.add(webhookId);
  }

  /** Marks something for delivery to read again; the commit appends it to the change log. */
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
    const { userId, name: userName, address } = this.actor;
    const row = { id: timeOrderedId(this.at), at: this.at, userId, userName, address };
    await this.db
      .insertInto('audit')
      .values({ ...row, action, environment, name, details: JSON.stringify(details) })
      .execute();
    return row.id;
  }

  /** The same of many things of an environment, in few statements. */
  async auditAll(environment: string, events: readonly NewAuditEvent[]): Promise<void> {
    const { userId, name: userName, address } = this.actor;
    for (let from = 0; from < events.length; from += auditRowsPerInsert) {
      const rows = events
        .slice(from, from + auditRowsPerInsert)
        .map(({ action, name, details }) => {
          this.#audited.push({ action, environment, name });
          const row = { id: timeOrderedId(this.at), at: this.at, userId, userName, address };
          return { ...row, action, environment, name, details: JSON.stringify(details) };
        });
      await this.db.insertInto('audit').values(rows).execute();
    }
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
