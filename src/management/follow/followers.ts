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
import type { KnownFollower } from './known-followers.js';
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
  /** Those of before a restart: each counts as live, at no known position, until it reports or is silent for `nodeLiveMs`. */
  readonly known: readonly KnownFollower[];
  /** Called with the live ones whenever these are others. */
  readonly keep: (live: readonly KnownFollower[]) => void;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Of a clock that only goes forward. */
  readonly nowMs: () => number;
}

interface Follower {
  report: FollowerState;
  /** Infinity: it cannot report before the port is open. */
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
  /** Runs of followers that have ended in order, by id: what they said before may arrive later. */
  readonly #left = new Map<string, string>();
  readonly #moved = new ConditionVariable();

  constructor(parts: FollowersParts) {
    this.#parts = parts;
    for (const known of parts.known) this.#followers.set(known.id, unreported(known));
  }

  /** From now on followers can report. */
  opened(): void {
    const seenMs = this.#parts.nowMs();
    for (const follower of this.#followers.values()) {
      follower.seenMs = Math.min(follower.seenMs, seenMs);
    }
  }

  /** False: there are too many already. */
  take(report: FollowerState): boolean {
    const { max, log, nowMs } = this.#parts;
    this.#forget();
    if (this.#left.get(report.id) === report.run) return true;
    this.#left.delete(report.id);
    const known = this.#followers.get(report.id);
    if (known?.report.run === report.run && known.report.said > report.said) {
      known.seenMs = nowMs();
      return true;
    }
    if ((known === undefined || !this.#isLive(known)) && this.#live().length >= max) return false;
    const isJoining = known === undefined || known.isLost;
    if (isJoining) {
      log.info(
        { event: 'follower_joined', follower: report.name, id: report.id },
        'a server follows',
      );
    }
    this.#followers.set(report.id, {
      ...{ report, seenMs: nowMs(), seenAtMs: Date.now(), isLost: false },
    });
    this.#forgetBeyondMax();
    if (isJoining) this.#keep();
    this.#moved.notify();
    return true;
  }

  /** A follower ends in order: edits no longer wait for it. Where servers below it go on, it is one that falls silent. */
  leave(report: FollowerState): void {
    if (report.live > 0) return;
    const { id, run } = report;
    this.#left.set(id, run);
    const [oldest] = this.#left.keys();
    if (this.#left.size > this.#parts.max && oldest !== undefined) this.#left.delete(oldest);
    if (this.#followers.delete(id)) this.#keep();
    this.#moved.notify();
  }

  /** This server serves another number. */
  moved(): void {
    this.#moved.notify();
  }

  /** The least that this server and its live followers serve; 0 while one serves what is not of this history. */
  get tree(): PublishedPosition {
    this.#forget();
    return this.#live().reduce<PublishedPosition>((least, follower) => {
      const at = this.#known(follower.report.tree);
      return at.sequence < least.sequence ? at : least;
    }, this.#parts.served());
  }

  get below(): Below {
    const { tree } = this;
    const newest = this.#parts.served().sequence;
    const live = this.#live();
    const isLive = new Set(live);
    const away = [...this.#followers.values()].filter((each) => !isLive.has(each));
    const behind = live.filter(({ report }) => this.#known(report.served).sequence < newest);
    // Those that an edit waits for come first: there is not room for all.
    const names = [
      ...behind.flatMap(({ report }) => [report.name, ...report.names]),
      ...live.flatMap(({ report }) => report.names),
      ...away.map(({ report }) => report.name),
    ];
    const sum = (of: readonly Follower[], read: (report: FollowerState) => number): number =>
      of.reduce((total, { report }) => total + read(report), 0);
    return {
      tree,
      live: live.length + sum(live, (report) => report.live),
      away: away.length + sum(live, (report) => report.away),
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
        const { id, name, address, version, serving, upMs, names } = report;
        const { sequence } = this.#known(report.tree);
        const live = this.#isLive(follower);
        return {
          ...{ id, name, address, version, serving, seenAtMs, sequence, follows: selfId },
          startedAtMs: Math.trunc(seenAtMs - upMs),
          lag: Math.max(0, newest - sequence),
          ...{ live, self: false, ...(live && names.length > 0 && { behindBelow: names }) },
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

  #keep(): void {
    this.#parts.keep(this.#live().map(({ report: { id, name } }) => ({ id, name })));
  }

  #live(): Follower[] {
    const nowMs = this.#parts.nowMs();
    return [...this.#followers.values()].filter((each) => this.#isLive(each, nowMs));
  }

  #isLive({ seenMs }: Follower, nowMs: number = this.#parts.nowMs()): boolean {
    return nowMs - seenMs < nodeLiveMs;
  }

  /** A position of another history is none. */
  #known(position: PublishedPosition): PublishedPosition {
    return this.#parts.positions.has(position) ? position : nowhere;
  }

  /** Those that are away longest go first; who comes with another id each time takes no more room. */
  #forgetBeyondMax(): void {
    const excess = this.#followers.size - this.#parts.max;
    if (excess <= 0) return;
    const away = [...this.#followers]
      .filter(([, follower]) => !this.#isLive(follower))
      .sort(([, one], [, other]) => one.seenMs - other.seenMs);
    for (const [id] of away.slice(0, excess)) this.#followers.delete(id);
  }

  /** Logs those that are lost, and forgets those of yesterday. */
  #forget(): void {
    const nowMs = this.#parts.nowMs();
    let hasLost = false;
    for (const [id, follower] of this.#followers) {
      if (nowMs - follower.seenMs > nodeForgottenMs) this.#followers.delete(id);
      if (follower.isLost || this.#isLive(follower, nowMs)) continue;
      follower.isLost = true;
      hasLost = true;
      this.#parts.log.warn(
        { event: 'follower_lost', follower: follower.report.name, id },
        'a server that follows this one does not report any more: no edit waits for it',
      );
    }
    if (hasLost) this.#keep();
  }
}

/** As if it had reported when this server started, but for where it is. */
function unreported({ id, name }: KnownFollower): Follower {
  const report: FollowerState = {
    ...{ id, name, address: '', version: '', run: '', said: 0, upMs: 0, serving: 0 },
    ...{ served: nowhere, tree: nowhere, live: 0, away: 0, names: [] },
  };
  return { report, seenMs: Number.POSITIVE_INFINITY, seenAtMs: Date.now(), isLost: false };
}
