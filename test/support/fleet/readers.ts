/** Players who read from every node all the time, and note what they may never see: a refusal, or an older content. */
import { setTimeout as pause } from 'node:timers/promises';
import { contentPath, keptConnection, type TestFleet } from './fleet.js';

/** Some hundred reads a second from each node leave the machine free for what is tested. */
const pauseMillis = 3;

export class FleetReaders {
  /** Answers of 200. */
  answered = 0;
  readonly faults: string[] = [];
  readonly #fleet: TestFleet;
  readonly #stops = new Map<number, () => Promise<void>>();

  /** @param mayGoBack whether the store may lose edits, so that older numbers are no fault */
  constructor(
    fleet: TestFleet,
    nodes: readonly number[] = fleet.nodes.map((_, at) => at),
    mayGoBack = false,
  ) {
    this.#fleet = fleet;
    for (const at of nodes) this.read(at, mayGoBack);
  }

  /** Reads from one more node. */
  read(at: number, mayGoBack = false): void {
    const agent = keptConnection();
    const environment = this.#fleet.at(at);
    let going = true;
    const reading = (async () => {
      for (let newest = -1; going; ) {
        try {
          const answer = await environment.ask('POST', contentPath, {}, {}, agent);
          if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
          const { number } = answer.json;
          if (typeof number !== 'number') throw new Error(`mixed: ${answer.text}`);
          if (number < newest && !mayGoBack) throw new Error(`${number} after ${newest}`);
          newest = number;
          this.answered += 1;
        } catch (error) {
          this.faults.push(`node ${at}: ${error instanceof Error ? error.message : error}`);
        }
        await pause(pauseMillis);
      }
      agent.destroy();
    })();
    this.#stops.set(at, async () => {
      going = false;
      await reading;
    });
  }

  /** Before a node is killed. */
  async leave(at: number): Promise<void> {
    await this.#stops.get(at)?.();
    this.#stops.delete(at);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#stops.values()].map((stop) => stop()));
  }
}
