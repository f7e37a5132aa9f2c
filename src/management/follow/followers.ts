/**
 * The servers that follow this one, as each last said of itself, and what all of them and this one serve together: an edit has
 * reached this server's part of the fleet when the last of its live followers serves it.
 */
import type { Logger } from 'pino';
import type { PublishedPosition } from '../../published/writer.js';
import { ConditionVariable } from '../condition-variable.js';
import type { FleetNode } from '../fleet/fleet.js';
import { fleetAskEveryMs, nodeForgottenMs, nodeLiveMs } from '../limits/fleet.js';
import { followerNamesMax } from '../limits/follow.js';
import { type Gauge, type Metric, metric, sample } from '../metrics/definition.js';
import type { Positions } from './positions.js';
import type { FollowerState } from './wire.js';

const followersShown = metric({
  name: 'loadout_followers',
  help: 'Servers that follow this one, directly, by whether they reported lately.',
  labels: ['state'],
  note: '`live` or `away`; only with `--follow-port`.',
});
const treeSequence = metric({
  name: 'loadout_followers_sequence',
  help: 'The newest sequence that this server and all its live followers serve, with theirs.',
  onlyIf: 'with `--follow-port`',
});

export const followerMetrics: readonly Metric[] = [followersShown, treeSequence];

export interface FollowersParts {
  /** What all delivery processes of this server serve. */
  readonly served: () => PublishedPosition;
  readonly positions: Pick<Positions, 'has'>;
  /** Live ones; a further one is refused. */
  readonly max: number;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Of a clock that only goes forward. */
  readonly nowMs: () => number;
}

interface Follower {
  report: FollowerState;
  seenMs: number;
  /** Milliseconds since the epoch. */
  seenAtMs: number;
  isLost: boolean;
}

/** What a server passes on of those below it. */
export interface Below {
  readonly tree: PublishedPosition;
  readonly live: number;
  readonly away: number;
  readonly names: string[];
}

const nowhere: PublishedPosition = { sequence: 0, mark: '' };

export class Followers {
  readonly #parts: FollowersParts;
  readonly #followers = new Map<string, Follower>();
  readonly #moved = new ConditionVariable();

  constructor(parts: FollowersParts) {
    this.#parts = parts;
  }

  /** False: there are too many already. */
  take(report: FollowerState): boolean {
    const { max, log, nowMs } = this.#parts;
    this.#forget();
    const known = this.#followers.get(report.id);
    if ((known === undefined || !this.#isLive(known)) && this.#live().length >= max) return false;
    if (known === undefined || known.isLost) {
      log.info(
        { event: 'follower_joined', follower: report.name, id: report.id },
        'a server follows',
      );
    }
    this.#followers.set(report.id, {
      ...{ report, seenMs: nowMs(), seenAtMs: Date.now(), isLost: false },
    });
    this.#forgetBeyondMax();
    this.#moved.notify();
    return true;
  }

  /** A follower ends in order: nobody waits for it from now on. */
  leave(id: string): void {
    this.#followers.delete(id);
    this.#moved.notify();
  }

  /** This server serves another number. */
  moved(): void {
    this.#moved.notify();
  }

  /** The least that this server and its live followers serve; 0 while one serves what is not of this history. */
  get tree(): PublishedPosition {
    return this.#live().reduce<PublishedPosition>((least, follower) => {
      const at = this.#treeOf(follower);
      return at.sequence < least.sequence ? at : least;
    }, this.#parts.served());
  }

  get below(): Below {
    this.#forget();
    const { tree } = this;
    const newest = this.#parts.served().sequence;
    const all = [...this.#followers.values()];
    const live = all.filter((each) => this.#isLive(each));
    const names = all.flatMap((each) => {
      const { name, names: further } = each.report;
      const isBehind = !this.#isLive(each) || each.report.served.sequence < newest;
      return isBehind ? [name, ...further] : further;
    });
    const sum = (of: readonly Follower[], read: (report: Follower['report']) => number): number =>
      of.reduce((total, { report }) => total + read(report), 0);
    return {
      tree,
      live: live.length + sum(live, (report) => report.live),
      away: all.length - live.length + sum(live, (report) => report.away),
      names: [...new Set(names)].slice(0, followerNamesMax),
    };
  }

  /** Resolves when everything that follows live serves the number, or the time is up. */
  async settled(sequence: number, msMax: number): Promise<void> {
    const deadline = this.#parts.nowMs() + msMax;
    for (;;) {
      const restMs = deadline - this.#parts.nowMs();
      if (this.tree.sequence >= sequence || restMs <= 0) return;
      const isThere = (): boolean => this.tree.sequence >= sequence;
      // Between two looks one may have been lost, which nothing reports.
      await this.#moved.untilOrTimeout(isThere, Math.min(restMs, fleetAskEveryMs));
    }
  }

  /** As servers of the fleet, by name. */
  nodes(selfId: string): FleetNode[] {
    this.#forget();
    const newest = this.#parts.served().sequence;
    return [...this.#followers.values()]
      .map((follower): FleetNode => {
        const { report, seenAtMs } = follower;
        const { sequence } = this.#treeOf(follower);
        const { id, name, address, version, serving, upMs } = report;
        return {
          ...{ id, name, address, version, serving, seenAtMs, sequence, follows: selfId },
          startedAtMs: Math.trunc(seenAtMs - upMs),
          lag: Math.max(0, newest - sequence),
          live: this.#isLive(follower),
          self: false,
        };
      })
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  gauges(): Gauge[] {
    const live = this.#live().length;
    return [
      sample(followersShown, live, { state: 'live' }),
      sample(followersShown, this.#followers.size - live, { state: 'away' }),
      sample(treeSequence, this.tree.sequence),
    ];
  }

  #live(): Follower[] {
    return [...this.#followers.values()].filter((each) => this.#isLive(each));
  }

  #isLive({ seenMs }: Follower): boolean {
    return this.#parts.nowMs() - seenMs < nodeLiveMs;
  }

  #treeOf({ report: { tree } }: Follower): PublishedPosition {
    return this.#parts.positions.has(tree) ? tree : nowhere;
  }

  /** Those that are away longest go first; who comes with another id each time takes no more room. */
  #forgetBeyondMax(): void {
    const away = [...this.#followers]
      .filter(([, follower]) => !this.#isLive(follower))
      .sort(([, one], [, other]) => one.seenMs - other.seenMs);
    const excess = Math.max(0, this.#followers.size - this.#parts.max);
    for (const [id] of away.slice(0, excess)) this.#followers.delete(id);
  }

  /** Logs those that are lost, and forgets those of yesterday. */
  #forget(): void {
    const nowMs = this.#parts.nowMs();
    for (const [id, follower] of this.#followers) {
      if (nowMs - follower.seenMs > nodeForgottenMs) this.#followers.delete(id);
      if (follower.isLost || this.#isLive(follower)) continue;
      follower.isLost = true;
      this.#parts.log.warn(
        { event: 'follower_lost', follower: follower.report.name, id },
        'a server that follows this one does not report any more: no edit waits for it',
      );
    }
  }
}
