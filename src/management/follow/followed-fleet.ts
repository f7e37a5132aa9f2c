/** A fleet with the servers that follow this one: an edit waits for them as well, and they are listed. */
import type { Fleet, FleetNode, FleetResponse, FleetStatus } from '../fleet/fleet.js';
import type { Followers } from './followers.js';

export class FollowedFleet implements Fleet {
  readonly #fleet: Fleet;
  readonly #followers: Pick<Followers, 'nodes' | 'settled'>;

  constructor(fleet: Fleet, followers: Pick<Followers, 'nodes' | 'settled'>) {
    this.#fleet = fleet;
    this.#followers = followers;
  }

  async nodes(): Promise<FleetNode[]> {
    const nodes = await this.#fleet.nodes();
    const self = nodes.find((node) => node.self);
    return [...nodes, ...this.#followers.nodes(self?.id ?? '')];
  }

  /** A follower that is lost meanwhile is named, though not waited for. */
  async wait(sequence: number, msMax: number): Promise<FleetResponse> {
    const live = this.#followers.nodes('').filter((node) => node.live);
    const [response] = await Promise.all([
      this.#fleet.wait(sequence, msMax),
      this.#followers.settled(sequence, msMax),
    ]);
    const asked = new Set(live.map(({ id }) => id));
    const followers = this.#followers.nodes('').filter((node) => node.live || asked.has(node.id));
    const hasReached = (node: FleetNode): boolean => node.live && node.sequence >= sequence;
    return {
      acknowledged: [...response.acknowledged, ...followers.filter(hasReached)],
      missing: [...response.missing, ...followers.filter((node) => !hasReached(node))],
    };
  }

  status(): FleetStatus {
    return this.#fleet.status();
  }
}
