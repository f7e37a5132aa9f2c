/** What a server does for those that follow it, whether it has a store or follows a server itself. */
import type { Logger } from 'pino';
import type { PublishedDamaged } from '../../published/damage.js';
import type { PublishedPosition } from '../../published/writer.js';
import type { Gauge } from '../metrics/definition.js';
import { AcceptedTokens } from './accepted-tokens.js';
import { FollowPort } from './follow-port.js';
import { type FollowedFile, FollowTexts } from './follow-texts.js';
import { Followers } from './followers.js';
import { KnownFollowers } from './known-followers.js';
import { Positions } from './positions.js';
import type { Relayed } from './relayed-schema.js';

export interface FollowHubParts {
  readonly file: FollowedFile & { readonly storeId: string };
  readonly publishedPath: string;
  /** The file of the followers that this server had; left out: they are known once they report. */
  readonly knownPath?: string;
  readonly acceptFile: string;
  readonly max: number;
  /** What all delivery processes of this server serve. */
  readonly served: () => PublishedPosition;
  readonly take: (relayed: Relayed) => void;
  /** A follower has reported. */
  readonly moved: () => void;
  readonly damaged: (error: PublishedDamaged) => void;
  readonly log: Logger;
}

export class FollowHub {
  readonly followers: Followers;
  readonly #file: FollowedFile;
  readonly #positions = new Positions();
  readonly #port: FollowPort;
  readonly #known: KnownFollowers | null;

  /** @throws ServeRejected when the accepted tokens cannot be read */
  constructor(parts: FollowHubParts) {
    const { file, publishedPath, knownPath, acceptFile, max, log } = parts;
    const { served, take, moved, damaged } = parts;
    this.#file = file;
    this.#positions.note(file.position);
    this.#known = knownPath === undefined ? null : new KnownFollowers(knownPath, log);
    this.followers = new Followers({
      ...{ served, positions: this.#positions, max, log, nowMs: () => performance.now() },
      known: this.#known?.read(max) ?? [],
      keep: (live) => this.#known?.keep(live),
    });
    this.#port = new FollowPort({
      ...{ file, max, take, reported: moved, damaged, log },
      texts: new FollowTexts(publishedPath, file, this.#positions),
      followers: this.followers,
      tokens: new AcceptedTokens(acceptFile, log),
    });
  }

  /** The file has another position. */
  published(): void {
    this.#positions.note(this.#file.position);
    this.#port.moved();
  }

  /** @returns the port */
  listen(host: string, port: number): Promise<number> {
    this.followers.opened();
    return this.#port.listen(host, port);
  }

  async close(): Promise<void> {
    this.#port.close();
    await this.#known?.close();
  }

  gauges(): Gauge[] {
    return this.followers.gauges();
  }
}
