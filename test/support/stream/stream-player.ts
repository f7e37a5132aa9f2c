/** A player with an open stream, and what single requests answered that player last. */
import type { Agent } from 'node:http';
import type { Environment } from '../server/environment.js';
import { answerOf, type Say } from '../specification/held-contents.js';
import { singleResponses } from '../specification/single-responses.js';
import { StreamClient, type StreamClientOptions } from './stream-client.js';

export interface StreamPlayerOptions extends Omit<StreamClientOptions, 'origin'> {
  readonly game: Environment;
}

const hash = /"hash":"([0-9a-f]{16})"/;

export class StreamPlayer {
  readonly client: StreamClient;
  readonly #options: StreamPlayerOptions;
  /** Single wrapped responses as the last check found them, by id. */
  #singles: ReadonlyMap<string, string> = new Map();
  /** Ids that the stream has told since then. */
  readonly #told = new Set<string>();
  #isChecked = false;
  /** Complete answers that told of something, and were not the first of a connection. */
  wakes = 0;

  constructor(options: StreamPlayerOptions) {
    this.#options = options;
    const origin = (): string => options.game.server.deliveryUrl;
    this.client = new StreamClient({ ...options, origin }, ({ isFirst, changed, gone }) => {
      if (!isFirst) this.wakes += 1;
      // Notes are not kept, so the first one names everything.
      if (isFirst && this.isNotified) return;
      for (const id of changed) this.#told.add(id);
      // The first one of a connection tells what of the named ids is not there, new or not.
      for (const id of gone) if (!isFirst || !options.ids?.includes(id)) this.#told.add(id);
    });
  }

  get isNotified(): boolean {
    return this.#options.mode === 'notify';
  }

  hasBeenTold(id: string): boolean {
    return this.#told.has(id);
  }

  /**
   * What single requests answer now, by id; what they answer with 404 is left out.
   * @param sequence that the answers have reached
   */
  ask(
    ids: readonly string[],
    sequence: number,
    agent: Agent,
  ): Promise<ReadonlyMap<string, string>> {
    const { game, context } = this.#options;
    return singleResponses(game, context, this.#options.ids ?? ids, sequence, agent);
  }

  /**
   * Holds what the stream has told since the last check to what single requests answer: all of it, and nothing else. An
   * answer may be told again as it was where its hash is another one, since its rules are.
   */
  check(singles: ReadonlyMap<string, string>, say: Say): void {
    if (!this.isNotified) this.client.held.compare(singles, say);
    for (const id of new Set([...this.#singles.keys(), ...singles.keys()])) {
      const [before = '', now = ''] = [this.#singles.get(id), singles.get(id)];
      const differs = answerOf(before) !== answerOf(now);
      const isTold = this.#told.has(id);
      if (this.isNotified && this.#isChecked && differs && !isTold) say(`was not told of ${id}`);
      if (isTold && !differs && hash.exec(before)?.[1] === hash.exec(now)?.[1]) {
        say(`was told of ${id}, which is as it was: ${now}`);
      }
      this.#told.delete(id);
    }
    for (const id of this.#told) say(`was told of ${id}, which was not there and is not`);
    this.#told.clear();
    this.#singles = singles;
    this.#isChecked = true;
  }
}
