/**
 * The live followers of a server, in a small file of its data folder: after a restart an edit waits for those that it had, also
 * for one that is cut off just then. Written when the set changes, never for a report (D128).
 */
import { readFileSync, statSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import { z } from 'zod';
import { followerNameCharsMax, knownFollowersFileBytesMax } from '../limits/follow.js';
import { scratchMark } from '../store/data-folder.js';

const text = z.string().max(followerNameCharsMax);
const knownSchema = z.object({ followers: z.array(z.object({ id: text, name: text })) });

/** What is known of a follower that has not reported since this server started. */
export type KnownFollower = z.output<typeof knownSchema>['followers'][number];

export class KnownFollowers {
  readonly #path: string;
  readonly #log: Pick<Logger, 'warn'>;
  /** Null: what was given last is written, or is being written. */
  #next: readonly KnownFollower[] | null = null;
  #writing: Promise<void> | null = null;
  #isFailing = false;

  /** @param path of the file, which need not exist */
  constructor(path: string, log: Pick<Logger, 'warn'>) {
    this.#path = path;
    this.#log = log;
  }

  /** Those that were live when the server ended. None: there is no file, or none that can be used. */
  read(max: number): readonly KnownFollower[] {
    try {
      const file = statSync(this.#path, { throwIfNoEntry: false });
      if (file === undefined) return [];
      if (file.size > knownFollowersFileBytesMax) throw new Error('It is too large.');
      const known = knownSchema.safeParse(JSON.parse(readFileSync(this.#path, 'utf8')));
      // Not its issues: there may be one for each follower.
      if (!known.success) throw new Error('It is not a list of followers.');
      return known.data.followers.slice(0, max);
    } catch (error) {
      this.#log.warn(
        { event: 'known_followers_unreadable', err: error },
        'followers.json cannot be read: edits do not wait for a follower until it reports',
      );
      return [];
    }
  }

  /** Returns at once. Sets that are given while one is written cost one further write, of the last of them. */
  keep(live: readonly KnownFollower[]): void {
    this.#next = live;
    this.#writing ??= this.#writeAll();
  }

  /** Resolves when what was given last is written, or could not be. */
  async close(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#next !== null) {
      const followers = this.#next;
      this.#next = null;
      try {
        await this.#write(followers);
        this.#isFailing = false;
      } catch (error) {
        this.#failed(error);
      }
    }
    this.#writing = null;
  }

  /** The file is replaced at once: a start finds the earlier set or this one. */
  async #write(followers: readonly KnownFollower[]): Promise<void> {
    const scratch = `${this.#path}${scratchMark}`;
    await writeFile(scratch, `${JSON.stringify({ followers })}\n`, { flush: true, mode: 0o600 });
    await rename(scratch, this.#path);
  }

  #failed(error: unknown): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#log.warn(
      { event: 'known_followers_not_written', err: error },
      'followers.json cannot be written: after a restart, edits do not wait for a new follower until it reports',
    );
  }
}
