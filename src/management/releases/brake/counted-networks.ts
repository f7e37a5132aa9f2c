/**
 * Which missing users count, so that no client network speaks loudly (D88). A network counts as often as the
 * `rank`-th largest of them does, once at least. The rule looks at networks and times alone, never at slices, and only at
 * users that were missing earlier: a user's slice stays a fair draw whether the user counts or not.
 */

/** Networks that count the same. */
export interface NetworkKind {
  /** Counted missing users of each of them, by slice. */
  readonly candidate: number;
  readonly control: number;
  readonly networks: number;
}

/** What a network has contributed so far. */
class NetworkCounts {
  /** Missing users, counted or not. */
  seen = 0;
  candidate = 0;
  control = 0;
}

/**
 * Twice the networks that are left out of the evidence (`hostileNetworksMax`): as many networks of honest users are then
 * at least as large as what a hostile one may count.
 */
const rank = 41;

export class CountedNetworks {
  readonly #networks = new Map<string, NetworkCounts>();
  /** How many networks have at least as many missing users as the index says. */
  readonly #atLeast: number[] = [];
  /** What each network may count at most. */
  #countMax = 1;

  get kinds(): readonly NetworkKind[] {
    const kinds = new Map<string, NetworkKind>();
    for (const { candidate, control } of this.#networks.values()) {
      const key = `${candidate} ${control}`;
      const networks = (kinds.get(key)?.networks ?? 0) + 1;
      kinds.set(key, { candidate, control, networks });
    }
    return [...kinds.values()];
  }

  /** A user of the network is missing. Call it in the order in which their time has passed. */
  add(network: string, slice: 'candidate' | 'control'): void {
    const counts = this.#of(network);
    counts.seen += 1;
    if (counts.candidate + counts.control < this.#countMax) counts[slice] += 1;
    const networks = (this.#atLeast[counts.seen] ?? 0) + 1;
    this.#atLeast[counts.seen] = networks;
    if (counts.seen > this.#countMax && networks >= rank) this.#countMax = counts.seen;
  }

  #of(network: string): NetworkCounts {
    const known = this.#networks.get(network);
    if (known !== undefined) return known;
    const counts = new NetworkCounts();
    this.#networks.set(network, counts);
    return counts;
  }
}
