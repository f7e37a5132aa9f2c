/** What a server does besides responding: leader jobs, the end of an upgrade, and its part in a fleet. */
import { hostname } from 'node:os';
import { fleetWaitMsMax } from '../../contract/limits.js';
import { seenAttributeRetention } from '../attributes/seen-attribute-retention.js';
import { ChangeIndex } from '../audit/index/change-index.js';
import { ChangeIndexJob } from '../audit/index/change-index-job.js';
import { auditRetention } from '../audit/retention.js';
import { StateChecks } from '../contents/validate/check-state.js';
import { assignedFolding } from '../experiments/assigned/assigned-folding.js';
import type { Fleet } from '../fleet/fleet.js';
import type { SharedStoreServer } from '../fleet/shared-store-server.js';
import { SingleServer } from '../fleet/single-server.js';
import { FollowedFleet } from '../follow/followed-fleet.js';
import type { Followers } from '../follow/followers.js';
import { LeaderJobs } from '../jobs/leader-jobs.js';
import type { PeriodicJob } from '../jobs/periodic-job.js';
import type { Work } from '../jobs/work.js';
import { pollEveryMs, replicaPollEveryMs } from '../limits/fleet.js';
import { Brakes } from '../releases/brake/brakes.js';
import { countedUserRetention } from '../releases/brake/counted-user-retention.js';
import { releaseTimes } from '../releases/leader/release-times.js';
import { Housekeeping } from '../retention/housekeeping.js';
import { deliveryRetention } from '../webhooks/delivery-retention.js';
import { WebhookDispatcher } from '../webhooks/dispatcher.js';
import { type Delivery, deliveryAddressOf } from './delivery.js';
import type { ServerData } from './open-store.js';
import type { ServeOptions, Start } from './options.js';
import { TextCheck } from './text-check.js';
import { upgradeFinish } from './upgrade-finish.js';

export interface Background {
  readonly housekeeping: Housekeeping;
  readonly webhooks: WebhookDispatcher;
  readonly textCheck: TextCheck;
  readonly leaderJobs: LeaderJobs;
  /** Not a leader job: the leader may be a server of an older version, and stays leader until it ends. */
  readonly upgrade: PeriodicJob;
}

export function makeBackground(
  { options, log, undo }: Start,
  { store }: ServerData,
  { publisher }: Delivery,
  work: Work,
): Background {
  const housekeeping = new Housekeeping({
    store,
    rules: { revisionsKept: options.keepRevisions, deletedDaysKept: options.keepDeletedDays },
    now: Date.now,
    log,
  });
  const toLocal = options.webhooksToLocal;
  const webhooks = new WebhookDispatcher({ store, log, now: Date.now, toLocal });
  const textCheck = new TextCheck({ store, log });
  const publish = (sequence: number): Promise<void> => publisher.publish(sequence);
  const brakes = new Brakes(prometheusOf(options), log);
  undo.push(() => brakes.close());
  const { trips } = brakes;
  const hasPrometheus = options.prometheusUrl !== null;
  const releases = { store, checks: new StateChecks(work), hasPrometheus, publish, log, trips };
  const leaderJobs = new LeaderJobs([
    auditRetention(store, log, Date.now, options.auditDaysKept),
    new ChangeIndexJob(store, new ChangeIndex(store, work), log),
    housekeeping,
    webhooks,
    deliveryRetention(store, log, Date.now),
    seenAttributeRetention(store, log, Date.now),
    countedUserRetention(store, log),
    assignedFolding(store, log, Date.now),
    textCheck.job,
    releaseTimes(releases),
  ]);
  undo.push(() => leaderJobs.close());
  const upgrade = upgradeFinish({ store, publish, log });
  return { housekeeping, webhooks, textCheck, leaderJobs, upgrade };
}

function prometheusOf({ prometheusUrl: url, prometheusTokenFile: tokenFile }: ServeOptions) {
  return url === null ? null : { url, tokenFile };
}

export interface FleetMembership {
  readonly fleet: Fleet;
  /** Null: the store is this server's own. */
  readonly shared: SharedStoreServer | null;
}

interface FleetDeps {
  readonly data: ServerData;
  readonly delivery: Delivery;
  readonly background: Background;
  /** Of delivery. */
  readonly port: number;
}

/** The servers that share the store; a server with a store of its own is its whole fleet. */
export async function joinFleet(
  { options, log }: Start,
  { data, delivery, background, port }: FleetDeps,
): Promise<FleetMembership> {
  const { database, databaseReplica } = options;
  const { store, folder, owner } = data;
  const { publisher, supervisor, hub } = delivery;
  const followers = hub?.followers ?? null;
  const self = {
    name: options.nodeName ?? hostname(),
    address: deliveryAddressOf(options, port),
    version: options.version,
  };
  const state = () => {
    const { sequence, mark } = publisher.served;
    return { sequence, mark: mark === '' ? null : mark, serving: supervisor.serving };
  };
  if (database === null) {
    const fleet = new SingleServer({ ...self, startedAtMs: Date.now(), now: Date.now, state });
    return { fleet: withFollowers(fleet, followers), shared: null };
  }
  // Loaded only for a fleet, with the driver of PostgreSQL.
  const { SharedStoreServer: Shared } = await import('../fleet/shared-store-server.js');
  const shared = new Shared({
    url: database,
    store,
    log,
    storeAvailable: !publisher.storeAway,
    nodeId: { id: folder.nodeId(), keep: (id) => folder.keepNodeId(id) },
    self,
    state,
    // What follows this server is a part of it for the others.
    reached: () => {
      const { sequence, mark } = followers?.tree ?? publisher.served;
      return { sequence, mark: mark === '' ? null : mark };
    },
    connected: async () => {
      await owner.ensureLate();
      publisher.resume();
    },
    wentBack: () => publisher.resume(),
    pull: () => publisher.pull(),
    publish: async (sequence) => {
      await publisher.publish(sequence);
      await followers?.settled(sequence, fleetWaitMsMax);
    },
    leaderJobs: background.leaderJobs,
    pollEveryMs: databaseReplica === null ? pollEveryMs : replicaPollEveryMs,
  });
  return { fleet: withFollowers(shared, followers), shared };
}

/** @param followers null: no server may follow this one */
function withFollowers(fleet: Fleet, followers: Followers | null): Fleet {
  return followers === null ? fleet : new FollowedFleet(fleet, followers);
}
