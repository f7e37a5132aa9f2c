/** Puts the overview of an environment together, of what the store and this server know. */
import {
  overviewContentsNamedMax,
  overviewDays,
  overviewDraftsMax,
  overviewExperimentsMax,
  overviewPublicationsMax,
  overviewReleasesMax,
  overviewWebhooksMax,
} from '../../contract/limits.js';
import type {
  Overview,
  OverviewDraft,
  OverviewExperiment,
  OverviewPublication,
} from '../../contract/operations/overview.js';
import { summariesJson as experimentsJson } from '../experiments/experiment-json.js';
import type { KnownLeads, LeadKey } from '../experiments/results/known-leads.js';
import { mayOperate, seesEnvironment } from '../http/auth/environment-scope.js';
import { summariesJson as releasesJson } from '../releases/release-json.js';
import { countContents } from '../store/contents/count-contents.js';
import { type DraftRevision, findDrafts } from '../store/contents/draft-revisions.js';
import {
  listRecentPublications,
  type RecentPublication,
} from '../store/contents/recent-publications.js';
import type { Db } from '../store/dialect.js';
import { type Environment, listEnvironments } from '../store/environments.js';
import { listRunning } from '../store/experiments/experiments.js';
import { findTakingReleases } from '../store/releases/release-changes.js';
import { listReleasesIn, rampStates } from '../store/releases/releases.js';
import type { Bearer } from '../store/users/tokens.js';
import { toIso } from '../to-iso.js';
import { findFailingWebhooks } from '../webhooks/failing-webhooks.js';
import { findSyncPartners, type SyncDirection } from './sync-partners.js';
import { findWaitingReleases } from './waiting-releases.js';

/** All but the drift, for which other environments are read. */
export interface OverviewFacts {
  readonly overview: Omit<Overview, 'drift'>;
  readonly directions: readonly SyncDirection[];
}

const msPerDay = 86_400_000;

/**
 * In one snapshot.
 * @param nowMs milliseconds since the epoch
 */
export async function readOverview(
  db: Db,
  environment: Environment,
  bearer: Bearer,
  leads: Pick<KnownLeads, 'find' | 'refreshOld'>,
  nowMs: number,
): Promise<OverviewFacts> {
  const { id } = environment;
  const { user } = bearer;
  const others = (await listEnvironments(db)).filter(
    (other) => other.id !== id && seesEnvironment(user, other.id),
  );
  return {
    overview: {
      at: toIso(nowMs),
      contents: await countContents(db, id),
      drafts: await draftsJson(db, id, user.name),
      publications: await publicationsJson(db, id, nowMs),
      releases: {
        active: await activeReleases(db, id),
        waiting: await findWaitingReleases(db, environment, bearer),
      },
      experiments: await runningExperiments(db, id, leads),
      webhooks: mayOperate(user) ? await findFailingWebhooks(db, id, overviewWebhooksMax) : null,
    },
    directions: await findSyncPartners(db, environment, others),
  };
}

async function draftsJson(db: Db, environment: string, user: string): Promise<Overview['drafts']> {
  const { total, ofAuthor, list } = await findDrafts(db, environment, user, overviewDraftsMax);
  const taking = await findTakingReleases(db, environment, list);
  const json = (draft: DraftRevision): OverviewDraft => {
    const { createdAt, ...shown } = draft;
    const release = taking.get(draft) ?? null;
    return { ...shown, mine: draft.author === user, savedAt: toIso(createdAt), release };
  };
  return { total, mine: ofAuthor, list: list.map(json) };
}

async function publicationsJson(
  db: Db,
  environment: string,
  nowMs: number,
): Promise<OverviewPublication[]> {
  const sinceMs = nowMs - overviewDays * msPerDay;
  const found = await listRecentPublications(db, environment, sinceMs, {
    limit: overviewPublicationsMax,
    named: overviewContentsNamedMax,
  });
  return found.map(publicationJson);
}

function publicationJson({ at, total, contents }: RecentPublication): OverviewPublication {
  const [first] = contents;
  return {
    at: toIso(at),
    contents: contents.map(({ id, revision }) => ({ id, revision })),
    contentsLeftOut: total - contents.length,
    ...{ author: first?.author ?? '', note: first?.note ?? '' },
  };
}

async function activeReleases(
  db: Db,
  environment: string,
): Promise<Overview['releases']['active']> {
  const found = await listReleasesIn(db, environment, ['scheduled', ...rampStates]);
  const listed = found.slice(0, overviewReleasesMax);
  return { total: found.length, list: await releasesJson(db, environment, listed) };
}

async function runningExperiments(
  db: Db,
  environment: string,
  leads: Pick<KnownLeads, 'find' | 'refreshOld'>,
): Promise<Overview['experiments']> {
  const running = await experimentsJson(db, environment, await listRunning(db, environment));
  const keyOf = ({ id: experiment, phase }: { id: string; phase: number }): LeadKey => {
    return { environment, experiment, phase };
  };
  const list = running
    .map((one): OverviewExperiment => ({ ...one, lead: leads.find(keyOf(one)) }))
    .sort(worstFirst)
    .slice(0, overviewExperimentsMax);
  leads.refreshOld(list.map(keyOf));
  return { total: running.length, list };
}

/** Then the newest. */
function worstFirst(one: OverviewExperiment, other: OverviewExperiment): number {
  const rank = ({ lead }: OverviewExperiment): number =>
    lead?.health === 'broken' ? 0 : lead?.health === 'warning' ? 1 : 2;
  const started = ({ startedAt }: OverviewExperiment): number => Date.parse(startedAt ?? '') || 0;
  return rank(one) - rank(other) || started(other) - started(one);
}
