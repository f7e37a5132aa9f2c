/** What a server does for those that follow it, whether it has a store or follows a server itself. */
import type { Logger } from 'pino';
import type { PublishedDamaged } from '../../published/damage.js';
import type { PublishedPosition } from '../../published/writer.js';
import type { Gauge } from '../metrics/definition.js';
import { AcceptedTokens } from './accepted-tokens.js';
import { FollowPort } from './follow-port.js';
import { type FollowedFile, FollowTexts } from './follow-texts.js';
import { Followers } from './followers.js';
import { Positions } from './positions.js';
import type { Relayed } from './relayed-schema.js';

export interface FollowHubParts {
  readonly file: FollowedFile & { readonly storeId: string };
  readonly publishedPath: string;
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

  /** @throws ServeRejected when the accepted tokens cannot be read */
  constructor(parts: FollowHubParts) {
    const { file, publishedPath, acceptFile, max, served, take, moved, damaged, log } = parts;
    this.#file = file;
    this.#positions.note(file.position);
    this.followers = new Followers({
      ...{ served, positions: this.#positions, max, log, nowMs: () => performance.now() },
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
    return this.#port.listen(host, port);
  }

  close(): void {
    this.#port.close();
  }

  gauges(): Gauge[] {
    return this.followers.gauges();
  }
}
