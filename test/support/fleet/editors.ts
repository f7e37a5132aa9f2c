/** Editors who write through every node all the time, and remember the newest of each content that was acknowledged. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { TestFleet } from './fleet.js';

/** What was refused is tried again after this long. */
const pauseMillis = 20;

export class FleetEditors {
  /** Edits that were acknowledged. */
  acknowledged = 0;
  /** Those that were not, by what was said. */
  readonly refused = new Map<string, number>();
  readonly #fleet: TestFleet;
  readonly #newest = new Map<string, { number: number; sequence: number; revision: number }>();
  readonly #tried = new Map<string, number>();
  readonly #editing: Promise<void>[];
  #going = true;

  /** One editor with a content of their own at each of those nodes; at all of them when left out. */
  constructor(fleet: TestFleet, nodes: readonly number[] = fleet.nodes.map((_, at) => at)) {
    this.#fleet = fleet;
    this.#editing = nodes.map((at) => this.#edit(at));
  }

  async stop(): Promise<void> {
    this.#going = false;
    await Promise.all(this.#editing);
  }

  /**
   * Every content is, in the store and as each node serves it, what was acknowledged last, or what was tried after that
   * and neither acknowledged nor clearly refused.
   */
  async expectNothingLost(): Promise<void> {
    for (const [id, newest] of this.#newest) {
      const numbers = await Promise.all(
        this.#fleet.nodes.map(async (_, at) => (await this.#fleet.at(at).plain(id)).json.number),
      );
      expect(new Set(numbers).size, `${id}: ${numbers}`).toBe(1);
      expect(numbers[0], id).toBeGreaterThanOrEqual(newest.number);
      expect(numbers[0], id).toBeLessThanOrEqual(this.#tried.get(id) ?? 0);
      const path = `${this.#fleet.game.path}/contents/${id}`;
      const stored = (await this.#fleet.node(0).admin('GET', path)).json;
      expect(stored.live, id).toBeGreaterThanOrEqual(newest.revision);
    }
  }

  async #edit(at: number): Promise<void> {
    const id = `edited-${at}`;
    const path = `${this.#fleet.game.path}/contents/${id}`;
    for (let number = 1; this.#going; number++) {
      this.#tried.set(id, number);
      const text = JSON.stringify({ number });
      const answer = await this.#fleet
        .node(at)
        .admin('PUT', path, { text })
        .catch(() => null);
      if (answer !== null && answer.status < 300) {
        const { sequence, live: revision } = answer.json;
        this.#newest.set(id, { number, sequence, revision });
        this.acknowledged += 1;
        continue;
      }
      const said = answer === null ? 'no answer' : `${answer.status} ${answer.json.detail}`;
      this.refused.set(said, (this.refused.get(said) ?? 0) + 1);
      await pause(pauseMillis);
    }
  }
}
