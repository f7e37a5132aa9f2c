/** A parent and a follower in one process, with their real files and sockets and without delivery processes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { contentHash, digestOf } from '../../../src/content/hash.js';
import { makeFollowToken } from '../../../src/management/follow/accepted-tokens.js';
import { FollowHub } from '../../../src/management/follow/follow-hub.js';
import { ParentRequests } from '../../../src/management/follow/parent-requests.js';
import { ParentSession } from '../../../src/management/follow/parent-session.js';
import { ParentStore } from '../../../src/management/follow/parent-store.js';
import { RelayedReports } from '../../../src/management/follow/relayed-reports.js';
import type { Relayed } from '../../../src/management/follow/relayed-schema.js';
import { PublishedFile } from '../../../src/management/publishing/published-file.js';
import { Publisher } from '../../../src/management/publishing/publisher.js';
import type { PublishedChange } from '../../../src/published/change.js';
import { PublishedReader } from '../../../src/published/reader.js';

const log = pino({ level: 'silent' });
export const storeOf = { id: 'store-1', streamKey: Buffer.alloc(32, 7).toString('base64url') };

/** @param versions of the same text */
export function contentOf(id: string, text: string, versions = 1): PublishedChange {
  const json = Buffer.from(text);
  const [digest, hash] = [digestOf(json), contentHash(json)];
  const lines = Array.from({ length: versions }, (_, n) => ({
    ...{ version: `${n}.0.0`, digest, hash, json },
  }));
  return {
    ...{ kind: 'content', environment: 'game', id, lines, mapping: '', flags: [] },
    candidate: null,
  };
}

export class TestParent {
  readonly folder = mkdtempSync(join(tmpdir(), 'loadout-test-'));
  readonly file = new PublishedFile(join(this.folder, 'parent.db'), log);
  readonly relayed: Relayed[] = [];
  readonly hub: FollowHub;
  readonly token: string;
  #sequence = 0;
  url = '';

  constructor(max = 200) {
    const { token, line } = makeFollowToken('test');
    this.token = token;
    writeFileSync(join(this.folder, 'accept'), line);
    writeFileSync(join(this.folder, 'token'), token);
    this.hub = new FollowHub({
      ...{ file: this.file, publishedPath: join(this.folder, 'parent.db'), log, max },
      acceptFile: join(this.folder, 'accept'),
      served: () => this.file.position,
      take: (relayed) => this.relayed.push(relayed),
      moved: () => undefined,
      damaged: () => undefined,
    });
    this.file.writer.setStore(storeOf);
  }

  async listen(): Promise<void> {
    this.url = `http://127.0.0.1:${await this.hub.listen('127.0.0.1', 0)}`;
  }

  publish(...changes: PublishedChange[]): number {
    this.#sequence += 1;
    this.file.writer.apply({ sequence: this.#sequence, mark: `m${this.#sequence}` }, changes);
    this.hub.published();
    return this.#sequence;
  }

  end(): void {
    void this.hub.close();
    this.file.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export class TestFollower {
  readonly file: PublishedFile;
  readonly publisher: Publisher;
  readonly requests: ParentRequests;
  readonly relayed = new RelayedReports(log);
  readonly session: ParentSession;
  readonly path: string;

  constructor(folder: string, url: string, idleMs?: number) {
    this.path = join(folder, 'follower.db');
    this.file = new PublishedFile(this.path, log);
    this.requests = new ParentRequests(
      { urls: [url], tokenFile: join(folder, 'token'), caFile: null },
      idleMs,
    );
    const { file, path, requests, relayed } = this;
    const store = new ParentStore(requests, path, file.storeId);
    const publisher = new Publisher({
      ...{ store, file, log, acceptEmpty: false },
      announce: async () => undefined,
      served: () => this.session.moved(),
      isServed: () => true,
      withoutReaders: async (work) => work(),
    });
    this.publisher = publisher;
    this.session = new ParentSession({
      ...{ requests, store, relayed, log },
      self: { id: 'follower', name: 'follower', address: '', version: '1' },
      served: () => publisher.served,
      serving: () => 1,
      below: () => ({ tree: publisher.served, live: 0, away: 0, names: [] }),
      pull: () => publisher.pull(),
      resume: () => publisher.resume(),
    });
  }

  /** Texts by id. */
  texts(ids: readonly string[]): (string | null)[] {
    const reader = new PublishedReader(this.path);
    try {
      return ids.map((id) => {
        const digest = reader.content('game', id)?.lines[0]?.digest ?? null;
        const bytes = digest === null ? null : reader.body(digest);
        return bytes === null ? null : Buffer.from(bytes).toString();
      });
    } finally {
      reader.close();
    }
  }

  async end(): Promise<void> {
    await this.session.close();
    await this.publisher.close();
    this.requests.close();
    this.file.close();
  }
}
