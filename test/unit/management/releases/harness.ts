/** What the tests of releases stand on: an API whose clock the test sets, and the leader's look at what is due. */
import { join } from 'node:path';
import { pino } from 'pino';
import { copyStore } from '../../../../src/management/backup/backup.js';
import { StateChecks } from '../../../../src/management/contents/validate/check-state.js';
import type { PeriodicJob } from '../../../../src/management/jobs/periodic-job.js';
import {
  releaseTimes,
  type Trips,
} from '../../../../src/management/releases/leader/release-times.js';
import type { AdminApiOptions } from '../../../../src/management/serve/admin-api.js';
import type { Store } from '../../../../src/management/store/store.js';
import type { PublishedChange } from '../../../../src/published/change.js';
import {
  type Answer,
  type Harness,
  openStore,
  ownerToken,
  positionAt,
  startApi,
  startMs,
  temporaryFolder,
  tester,
  workHere,
} from '../harness.js';
import { saveRows } from '../store/stored-contents.js';

export const minuteMs = 60_000;

export class Releases {
  readonly api: Harness;
  readonly #file: string;
  readonly #clock: { nowMs: number };

  private constructor(api: Harness, file: string, clock: { nowMs: number }) {
    this.api = api;
    this.#file = file;
    this.#clock = clock;
  }

  static async start(more: Partial<AdminApiOptions> = {}): Promise<Releases> {
    const clock = { nowMs: startMs };
    const file = join(temporaryFolder(), 'store.db');
    const store = await openStore(file, () => clock.nowMs);
    const api = await startApi({}, { ...more, store, now: () => clock.nowMs });
    return new Releases(api, file, clock);
  }

  get store(): Store {
    return this.api.store;
  }

  get nowMs(): number {
    return this.#clock.nowMs;
  }

  /** Moves the clock; it may go back. */
  pass(ms: number): void {
    this.#clock.nowMs += ms;
  }

  /** Another server of the same store. */
  anotherStore(): Promise<Store> {
    return openStore(this.#file, () => this.#clock.nowMs);
  }

  /** A copy of the store's file, as a backup has it. */
  async copy(): Promise<string> {
    const file = join(temporaryFolder(), 'backup.db');
    await copyStore(this.#file, file);
    return file;
  }

  /** The leader's job of a server; it runs when the test says so. */
  leader(store: Store = this.store, trips?: Trips): PeriodicJob {
    return releaseTimes({
      store,
      checks: new StateChecks(workHere),
      hasPrometheus: false,
      publish: async () => undefined,
      log: pino({ level: 'silent' }),
      ...(trips === undefined ? {} : { trips }),
    });
  }

  /** Saves a content and delivers it, unless `publish` is false. */
  async put(id: string, text: string, more: object = {}): Promise<number> {
    const { status, body } = await this.api.dev('PUT', `/contents/${id}`, { text, ...more });
    if (status >= 300) throw new Error(JSON.stringify(body));
    return body.revision as number;
  }

  /** Saves a revision that is not delivered. */
  draft(id: string, text: string, more: object = {}): Promise<number> {
    return this.put(id, text, { publish: false, ...more });
  }

  /** Many contents at once, each with two revisions; the first is live. */
  async saveRows(contents: ReadonlyMap<string, readonly [string, string]>): Promise<void> {
    await this.store.write(tester, async (write) => {
      await saveRows(write, contents);
      await write.db.updateTable('contents').set({ live: 1 }).execute();
    });
  }

  /** A release of these contents, each at its newest revision, in a direct environment. */
  async make(ids: readonly string[], more: object = {}): Promise<number> {
    const changes = ids.map((id) => ({ kind: 'content', id }));
    const { status, body } = await this.api.dev('POST', '/releases', {
      title: 'Winter event',
      changes,
      ...more,
    });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return body.release as number;
  }

  act(release: number, action: string, body: object = {}): Promise<Answer> {
    return this.api.dev('POST', `/releases/${release}/${action}`, body);
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects to be there.
  async preview(body: string): Promise<any> {
    const response = await fetch(`${this.api.url}/admin/v1/environments/dev/preview`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ownerToken}`, 'content-type': 'application/x-ndjson' },
      body,
    });
    return response.json();
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects to be there.
  async show(release: number): Promise<any> {
    return (await this.api.dev('GET', `/releases/${release}`)).body;
  }

  async events(release: number): Promise<string[]> {
    const { body } = await this.api.dev('GET', `/releases/${release}/timeline`);
    return (body.events as { event: string }[]).map(({ event }) => event);
  }

  /** What delivery must read again after a sequence, by `kind name`. */
  async publishedAfter(sequence: number): Promise<Map<string, PublishedChange>> {
    const changes = await this.store.readChanges(await positionAt(this.store, sequence));
    if (typeof changes === 'string') throw new Error(changes);
    return new Map(changes.changes.map((change) => [`${change.kind} ${nameOf(change)}`, change]));
  }

  /** What is delivered of a content: live, and to those that are in. */
  async delivered(
    id: string,
  ): Promise<{ live: string | null; candidate: string | null | undefined }> {
    const found = (await this.publishedAfter(0)).get(`content ${id}`);
    if (found?.kind !== 'content') return { live: null, candidate: undefined };
    const textOf = (lines: readonly { json: Uint8Array }[]): string | null =>
      lines.length === 0 ? null : Buffer.from(lines[0]?.json ?? []).toString();
    const { candidate } = found;
    return {
      live: textOf(found.lines),
      candidate: candidate === null ? undefined : textOf(candidate.content?.lines ?? []),
    };
  }
}

function nameOf(change: PublishedChange): string {
  if ('id' in change) return change.id;
  if ('name' in change) return change.name;
  return 'keyHash' in change ? change.keyHash : change.environment;
}
