/** Writes the audit as NDJSON, oldest first: what there is, and for a stream what comes after it. */

import { auditHeartbeatMs } from '../limits.js';
import { type AuditEvent, type AuditFilter, newestAuditId } from '../store/audit.js';
import type { Store } from '../store/store.js';
import type { User } from '../store/users.js';
import { eventJson } from './event-json.js';
import { walkAudit } from './search.js';

export interface AuditFollowing {
  readonly store: Store;
  readonly filter: AuditFilter;
  /** Id of the event to go on after; '' begins at the first. */
  readonly after: string;
  readonly user: User;
  /** The same user as of now; null: they are not let in any more. */
  readonly userNow: () => Promise<User | null>;
  /** Ends the stream, in order. */
  readonly signal: AbortSignal;
  readonly heartbeatMs?: number;
}

/** Everything up to now. */
export async function* exportEvents(store: Store, filter: AuditFilter): AsyncGenerator<string> {
  for await (const events of walkAudit(store, filter, '')) yield linesOf(events);
}

/**
 * Goes on as events come, with an empty line when none did for a while. It ends with the signal, and as soon as its
 * reader would not be let in any more, or may see something else: whoever is still allowed asks again.
 */
export async function* followAudit(following: AuditFollowing): AsyncGenerator<string> {
  const { store, filter, signal } = following;
  const news = new AuditNews(store, signal, following.heartbeatMs ?? auditHeartbeatMs);
  try {
    // At once, so that a reader knows that it listens before anything happens.
    yield '\n';
    for (let { after } = following; !signal.aborted; ) {
      news.forget();
      // Rows are in the order of their ids, so what a filter passes over need not be looked at again.
      const newest = await store.read(newestAuditId);
      for await (const events of walkAudit(store, filter, after)) {
        if (signal.aborted || !(await mayGoOn(following))) return;
        yield linesOf(events);
        after = events.at(-1)?.id ?? after;
      }
      if (newest > after) after = newest;
      if (!(await news.come())) yield '\n';
      if (!(await mayGoOn(following))) return;
    }
  } finally {
    news.close();
  }
}

/** Whether its reader is still let in, with the same rights. */
async function mayGoOn({ user, userNow }: AuditFollowing): Promise<boolean> {
  const now = await userNow();
  return now !== null && sameRights(now, user);
}

/** Whether something was written since it was last read. What another process writes is found at the heartbeat. */
class AuditNews {
  readonly #heartbeatMs: number;
  readonly #signal: AbortSignal;
  readonly #stop: () => void;
  #came = false;
  #wake: (() => void) | null = null;

  constructor(store: Store, signal: AbortSignal, heartbeatMs: number) {
    this.#heartbeatMs = heartbeatMs;
    this.#signal = signal;
    const unsubscribe = store.onCommit(({ audited }) => {
      if (audited === true) this.#tell();
    });
    const end = (): void => this.#tell();
    signal.addEventListener('abort', end);
    this.#stop = () => {
      unsubscribe();
      signal.removeEventListener('abort', end);
    };
  }

  forget(): void {
    this.#came = false;
  }

  /** False: nothing came within a heartbeat. */
  async come(): Promise<boolean> {
    if (this.#came || this.#signal.aborted) return true;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#heartbeatMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = null;
    return this.#came;
  }

  close(): void {
    this.#stop();
  }

  #tell(): void {
    this.#came = true;
    this.#wake?.();
  }
}

function sameRights(now: User, then: User): boolean {
  if (now.role !== then.role) return false;
  return JSON.stringify(now.environments) === JSON.stringify(then.environments);
}

function linesOf(events: readonly AuditEvent[]): string {
  return events.map((event) => `${JSON.stringify(eventJson(event))}\n`).join('');
}
