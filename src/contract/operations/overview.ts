/** The overview of an environment: what is live and under way, what waits for the user, and what is wrong. */
import { z } from 'zod';
import {
  overviewContentsNamedMax,
  overviewDays,
  overviewDraftsMax,
  overviewExperimentsMax,
  overviewPublicationsMax,
  overviewReleasesMax,
  overviewSyncedMax,
  overviewWebhooksMax,
} from '../limits.js';
import { operation } from '../operation.js';
import { environmentParams } from '../schemas/common.js';
import { experimentSummarySchema } from '../schemas/experiment.js';
import { healthStatusSchema } from '../schemas/experiment-results.js';
import { releaseSummarySchema } from '../schemas/release.js';

const total = (rows: string) => z.int().describe(`${rows}, listed or not.`);

const draftSchema = z
  .object({
    kind: z.enum(['content', 'segment']),
    name: z.string().describe('Id of the content, or name of the segment.'),
    revision: z.int().describe('The newest revision, which is not live.'),
    live: z.int().nullable().describe('null: nothing of it is live.'),
    author: z.string().describe('The user that saved the draft.'),
    mine: z.boolean().describe('The user of the request saved it.'),
    note: z.string(),
    savedAt: z.string(),
    release: z
      .int()
      .nullable()
      .describe('Number of an open release that takes this revision; null: none does.'),
  })
  .register(z.globalRegistry, { id: 'OverviewDraft' });

export type OverviewDraft = z.output<typeof draftSchema>;

const publicationSchema = z
  .object({
    at: z.string(),
    contents: z
      .array(
        z.object({
          id: z.string(),
          revision: z.int().nullable().describe('What was live from then on; null: nothing.'),
        }),
      )
      .readonly()
      .describe(`At most ${overviewContentsNamedMax} are named.`),
    contentsLeftOut: z.int(),
    author: z
      .string()
      .describe('The user that saved the first of these revisions; empty where it was removed.'),
    note: z.string().describe('Of that revision.'),
  })
  .register(z.globalRegistry, { id: 'OverviewPublication' });

export type OverviewPublication = z.output<typeof publicationSchema>;

export const waitingReasons = ['approve', 'go_live', 'resume', 'fix', 'submit'] as const;

const waitingSchema = releaseSummarySchema
  .extend({
    waitsFor: z
      .enum(waitingReasons)
      .describe(
        'What the user of the request can do next. approve: review it. Of a release that they made: go_live (approved), resume (paused), fix (stopped, or failed when it was due), submit (a draft). Of a release of others that only an owner can go on with, for owners: go_live (a draft, or approved), resume (paused).',
      ),
  })
  .register(z.globalRegistry, { id: 'WaitingRelease' });

export type WaitingRelease = z.output<typeof waitingSchema>;

const leadSchema = z
  .object({
    asOf: z.string().describe('When it was computed.'),
    dataUntil: z.string().nullable().describe('Time of the newest event; null: there was none.'),
    health: healthStatusSchema,
    kind: z.enum(['unsound', 'waiting', 'undecided', 'better', 'worse']),
    text: z.string().describe('A few words for people.'),
    variants: z
      .array(
        z.object({
          name: z.string(),
          players: z
            .int()
            .nullable()
            .describe('Users that the variant was delivered to; null: not counted.'),
        }),
      )
      .readonly(),
  })
  .describe('As the server computed it last.')
  .register(z.globalRegistry, { id: 'ExperimentLead' });

export type ExperimentLead = z.output<typeof leadSchema>;

const experimentSchema = experimentSummarySchema
  .extend({
    lead: leadSchema
      .nullable()
      .describe(
        'null: this server has not computed the results of this phase yet. The overview never waits for that.',
      ),
  })
  .register(z.globalRegistry, { id: 'OverviewExperiment' });

export type OverviewExperiment = z.output<typeof experimentSchema>;

const driftSchema = z
  .object({
    from: z.string().describe('Id of the environment that a sync would copy from.'),
    to: z.string().describe('Id of the environment that it would change.'),
    changed: z.int().describe('Contents that a sync would add or change.'),
    conflicts: z
      .int()
      .describe(
        'Of these, contents whose live revision in `to` was made there, such as a hotfix: a sync would cover it.',
      ),
    onlyThere: z.int().describe('Contents that are live in `to` only.'),
    contents: z
      .array(
        z.object({
          id: z.string(),
          conflict: z.boolean(),
          author: z
            .string()
            .nullable()
            .describe('The user that saved what is live in `to`; null: nothing is.'),
          savedAt: z.string().nullable(),
        }),
      )
      .readonly()
      .describe(`Conflicts first. At most ${overviewSyncedMax} are listed.`),
  })
  .register(z.globalRegistry, { id: 'Drift' });

export type Drift = z.output<typeof driftSchema>;

const webhookSchema = z
  .object({
    id: z.string(),
    origin: z.string().describe('Scheme, host and port of its URL.'),
    description: z.string(),
    enabled: z.boolean().describe('false: the server switched it off after its failures.'),
    failures: z.int().describe('Attempts that failed one after the other.'),
    failingSince: z.string().nullable(),
  })
  .register(z.globalRegistry, { id: 'FailingWebhook' });

export type FailingWebhook = z.output<typeof webhookSchema>;

const overviewSchema = z
  .object({
    at: z.string().describe('When it was read.'),
    contents: z.object({
      total: z.int(),
      live: z.int(),
      drafts: z.int().describe('Contents whose newest revision is not live.'),
    }),
    drafts: z.object({
      total: total('Drafts of contents and segments'),
      mine: z.int().describe('Of these, drafts that the user of the request saved.'),
      list: z
        .array(draftSchema)
        .readonly()
        .describe(`Those of the user first, then the newest. At most ${overviewDraftsMax}.`),
    }),
    publications: z
      .array(publicationSchema)
      .readonly()
      .describe(
        `What became live in the last ${overviewDays} days, newest first; what became live at once is one of them. At most ${overviewPublicationsMax}.`,
      ),
    releases: z.object({
      active: z.object({
        total: total('Releases that ramp, are paused or are scheduled'),
        list: z
          .array(releaseSummarySchema)
          .readonly()
          .describe(`Oldest first. At most ${overviewReleasesMax}.`),
      }),
      waiting: z.object({
        total: total('Releases that wait for the user of the request'),
        list: z
          .array(waitingSchema)
          .readonly()
          .describe(
            `Those to approve first, then the newest. At most ${overviewReleasesMax}. Approvals are for people: LOADOUT_ADMIN_TOKEN has none to give.`,
          ),
      }),
    }),
    experiments: z.object({
      total: total('Running experiments'),
      list: z
        .array(experimentSchema)
        .readonly()
        .describe(
          `Those whose health is bad first, then the newest. At most ${overviewExperimentsMax}.`,
        ),
    }),
    drift: z
      .array(driftSchema)
      .readonly()
      .describe(
        'What a sync into this environment would bring, then what one out of it would. The others are those that were synced with it last; where none was, an unprotected environment goes into a protected one.',
      ),
    webhooks: z
      .object({
        total: total('Failing webhooks that receive events of this environment'),
        list: z
          .array(webhookSchema)
          .readonly()
          .describe(`Those that fail longest first. At most ${overviewWebhooksMax}.`),
      })
      .nullable()
      .describe('null: the user may not see webhooks.'),
  })
  .register(z.globalRegistry, { id: 'Overview' });

export type Overview = z.output<typeof overviewSchema>;

export const getOverview = operation('GET /environments/:env/overview', {
  tag: 'environments',
  operationId: 'getOverview',
  description:
    'Shows what is going on in an environment: what is live, drafts, releases under way and those that wait for the user of the request, running experiments, how far it is from other environments, and failing webhooks. Windows and scheduled releases in time are in the calendar.',
  role: 'viewer',
  params: environmentParams,
  responses: { 200: overviewSchema },
});
