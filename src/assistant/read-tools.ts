/** Tools that change nothing. */
import { z } from 'zod';
import { NdjsonText } from '../contract/client.js';
import { madeUpUsersMax } from '../contract/limits.js';
import { listAttributes } from '../contract/operations/attributes.js';
import { listAudit } from '../contract/operations/audit.js';
import { getCalendar } from '../contract/operations/calendar.js';
import { listContents, showContent } from '../contract/operations/contents.js';
import { computeEnvelope, showEnvelope } from '../contract/operations/envelope.js';
import { getEnvironment, listEnvironments } from '../contract/operations/environments.js';
import { evaluateContent } from '../contract/operations/evaluate.js';
import { getExperiment, listExperiments } from '../contract/operations/experiments/experiments.js';
import { getLayers } from '../contract/operations/experiments/layers.js';
import { listMetrics } from '../contract/operations/experiments/metrics.js';
import { computeSampleSize, getResults } from '../contract/operations/experiments/results.js';
import {
  diffContent,
  listRevisions,
  showRevision,
} from '../contract/operations/history/content-history.js';
import { getMe } from '../contract/operations/people/users.js';
import {
  getRelease,
  getReleaseWarnings,
  getTimeline,
  listReleases,
} from '../contract/operations/releases/releases.js';
import { searchContent } from '../contract/operations/search/search-content.js';
import { getSegment, listSegments, testSegment } from '../contract/operations/segments.js';
import { candidateFields } from '../contract/schemas/candidate.js';
import { contentIdSchema, environmentParams, instantSchema } from '../contract/schemas/common.js';
import { userContextSchema } from '../contract/schemas/user-context.js';
import { readTool, type Tool, tool } from './tool.js';

/** Contexts that a model writes itself; the command takes files of more. */
const contextsMax = 100;

const previewContent = tool({
  name: 'preview',
  description:
    'Counts what an edit or a saved revision would change for players: those made up (made_up), those of recent requests (sampled), or contexts that you give.',
  input: {
    ...environmentParams.shape,
    id: contentIdSchema,
    ...candidateFields,
    at: instantSchema.optional().describe('RFC 3339; default: now.'),
    madeUp: z.int().min(1).max(madeUpUsersMax).optional().describe('Make up so many players.'),
    sampled: z.boolean().optional().describe('Use the sample of recent requests.'),
    contexts: z.array(userContextSchema).max(contextsMax).default([]),
  },
  run: (client, { env, contexts, ...head }) => {
    const lines = [head, ...contexts].map((line) => JSON.stringify(line));
    const body = new NdjsonText(`${lines.join('\n')}\n`);
    return client.read('POST /environments/:env/preview', { params: { env }, body });
  },
});

/** Of one environment: what was done to users, tokens and webhooks belongs to none. */
const { environment: _, ...auditFilter } = listAudit.query.shape;
const listChanges = tool({
  name: 'list_changes',
  description: 'Lists who did what in an environment, newest first (audit).',
  input: { ...environmentParams.shape, ...auditFilter },
  run: async (client, { env, ...filter }) => {
    const query = { environment: env, ...filter };
    const { events, next } = await client.read('GET /audit', { query });
    return { events: events.map(({ address: _address, ...event }) => event), next };
  },
});

export const readTools: readonly Tool[] = [
  readTool('who_am_i', getMe, 'Shows the user, the role and the environments of the token.'),
  readTool('list_environments', listEnvironments, 'Lists the environments.'),
  readTool('read_environment', getEnvironment, 'Shows an environment and its review policy.'),
  readTool(
    'list_attributes',
    listAttributes,
    'Lists attributes of players that requests carry: what conditions can use.',
  ),
  readTool('list_contents', listContents, 'Lists the content items of an environment.'),
  readTool(
    'read_content',
    showContent,
    'Shows the newest revision of a content item: text lines, targeting rules, flags.',
  ),
  readTool(
    'list_revisions',
    listRevisions,
    'Lists what was saved of a content item, newest first.',
  ),
  readTool('read_revision', showRevision, 'Shows one revision of a content item.'),
  readTool('diff_revisions', diffContent, 'Compares two revisions of a content item.'),
  readTool(
    'read_envelope',
    showEnvelope,
    'Shows every value that any player could be given by a saved revision.',
  ),
  readTool(
    'check_values',
    computeEnvelope,
    'Shows every value that any player could be given by an unsaved edit, and what stands out against what is live.',
  ),
  readTool('search', searchContent, 'Finds a text in content items and targeting rules.'),
  readTool('list_segments', listSegments, 'Lists the saved segments and the rules that use them.'),
  readTool('read_segment', getSegment, 'Shows a saved segment.'),
  readTool(
    'test_segment',
    testSegment,
    'Says which user contexts a condition or a saved segment matches, and why.',
  ),
  readTool(
    'evaluate',
    evaluateContent,
    'Shows what one player is given, and why; of what is live, a revision, a release or an unsaved edit. It changes nothing.',
  ),
  previewContent,
  readTool('list_releases', listReleases, 'Lists releases, newest first.'),
  readTool('read_release', getRelease, 'Shows a release: changes, reach, review and ramp.'),
  readTool('read_release_timeline', getTimeline, 'Shows what happened to a release.'),
  readTool(
    'read_release_warnings',
    getReleaseWarnings,
    'Shows warnings of what a release changes.',
  ),
  readTool('read_calendar', getCalendar, 'Shows windows of rules and releases in time.'),
  readTool('list_experiments', listExperiments, 'Lists experiments, newest first.'),
  readTool(
    'read_experiment',
    getExperiment,
    'Shows the plan, phases and decision of an experiment.',
  ),
  readTool('read_results', getResults, 'Computes the results of an experiment.'),
  readTool('sample_size', computeSampleSize, 'Computes how many players an experiment needs.'),
  readTool('list_metrics', listMetrics, 'Lists the metrics that experiments can use.'),
  readTool('read_layers', getLayers, 'Shows layers and the holdout of an environment.'),
  listChanges,
];
