/** Tools that save drafts: a release, and what is in it. Nothing that they save reaches a player before a person lets it. */
import { z } from 'zod';
import { CommandFailure } from '../command/terminal/failure.js';
import type { ResponseTo } from '../contract/client.js';
import {
  contentIdSchema,
  descriptionSchema,
  environmentParams,
  nameSchema,
  noteSchema,
  versionSchema,
} from '../contract/schemas/common.js';
import { experimentInputSchema } from '../contract/schemas/experiment.js';
import { flagsSchema } from '../contract/schemas/flags.js';
import { linesSchema } from '../contract/schemas/lines.js';
import {
  brakeSchema,
  releaseParams,
  releaseTitleSchema,
  stepsSchema,
} from '../contract/schemas/release.js';
import { conditionSchema } from '../contract/schemas/segment.js';
import type { AssistantClient } from './assistant-client.js';
import { type Tool, tool } from './tool.js';

const releaseNumber = releaseParams.shape;

const contentDraft = {
  ...environmentParams.shape,
  id: contentIdSchema,
  text: z.string().optional().describe('JSON text of one line; comments are fine.'),
  appVersion: versionSchema.optional().describe('Line of the text; the lowest when left out.'),
  lines: linesSchema.optional().describe('All lines, in place of text.'),
  mapping: z
    .array(z.unknown())
    .optional()
    .describe('All targeting rules; [] removes them. See the resource loadout://docs/targeting.'),
  flags: flagsSchema.optional(),
  note: noteSchema.default('').describe('Why, for the people who review it.'),
  ifRevision: z.int().min(0).optional().describe('Newest revision that you have read; 0: new.'),
};

/** A change of a release, as it is taken out again. */
const changeShape = {
  kind: z.enum(['content', 'segment']),
  id: z.string().describe('Id of the content item, or name of the segment.'),
};

/** As the audit and the history show it beside the name of the user. */
const mark = '[drafted through MCP]';

export const draftTools: readonly Tool[] = [
  tool({
    name: 'check_draft',
    description:
      'Checks an edit of a content item as saving a draft would, and saves nothing: issues, warnings, lines that would be removed.',
    input: contentDraft,
    run: (client, { env, id, ...edit }) =>
      client.draft('PUT /environments/:env/contents/:id', { env, id }, { ...edit, dryRun: true }),
  }),
  tool({
    name: 'create_release',
    description:
      'Makes a release: a draft without changes, which people review, approve and publish. Put changes into it with draft_content and draft_segment.',
    drafts: true,
    input: {
      ...environmentParams.shape,
      title: releaseTitleSchema,
      description: descriptionSchema.default('').describe('What it is for, for the reviewers.'),
      steps: stepsSchema.default([]),
      brake: brakeSchema.nullable().default(null),
    },
    run: (client, { env, ...release }) =>
      client.draft(
        'POST /environments/:env/releases',
        { env },
        {
          ...release,
          description: marked(release.description),
        },
      ),
  }),
  tool({
    name: 'update_release',
    description: 'Changes title, description, steps or brake of a draft release of this user.',
    drafts: true,
    input: {
      ...releaseNumber,
      title: releaseTitleSchema.optional(),
      description: descriptionSchema.optional(),
      steps: stepsSchema.optional(),
      brake: brakeSchema.nullable().optional(),
    },
    run: async (client, { env, release, ...edit }) => {
      const ifVersion = await ownDraft(client, env, release);
      const { description } = edit;
      return client.draft(
        'PATCH /environments/:env/releases/:release',
        { env, release: `${release}` },
        {
          ...edit,
          ...(description === undefined ? {} : { description: marked(description) }),
          ifVersion,
        },
      );
    },
  }),
  tool({
    name: 'draft_content',
    description:
      'Saves an edit of a content item as a draft revision, and puts it into a draft release of this user. Members that are left out stay as in the newest revision.',
    drafts: true,
    input: { ...releaseNumber, ...contentDraft },
    run: async (client, { env, id, release, note, ...edit }) => {
      const ifVersion = await ownDraft(client, env, release);
      const saved = await client.draft(
        'PUT /environments/:env/contents/:id',
        { env, id },
        { ...edit, note: marked(note) },
      );
      const put = [{ kind: 'content', id, revision: saved.revision }];
      return { saved, release: await change(client, env, release, { put, ifVersion }) };
    },
  }),
  tool({
    name: 'draft_segment',
    description:
      'Saves the condition of a segment as a draft, and puts it into a draft release of this user.',
    drafts: true,
    input: {
      ...releaseNumber,
      name: nameSchema.describe('Of the segment.'),
      when: conditionSchema,
      note: noteSchema.default('').describe('Why, for the people who review it.'),
    },
    run: async (client, { env, release, name, when, note }) => {
      const ifVersion = await ownDraft(client, env, release);
      const saved = await client.draft(
        'PUT /environments/:env/segments/:name',
        { env, name },
        { when, note: marked(note) },
      );
      const put = [{ kind: 'segment', name, revision: newestOf(saved) }];
      return { saved, release: await change(client, env, release, { put, ifVersion }) };
    },
  }),
  tool({
    name: 'remove_change',
    description: 'Takes a change out of a draft release of this user. The saved draft stays.',
    drafts: true,
    input: { ...releaseNumber, ...changeShape },
    run: async (client, { env, release, kind, id }) => {
      const ifVersion = await ownDraft(client, env, release);
      const name = kind === 'content' ? { kind, id } : { kind, name: id };
      return change(client, env, release, { drop: [name], ifVersion });
    },
  }),
  tool({
    name: 'draft_experiment',
    description:
      'Makes the record of an experiment in state draft: which rule with variants it is about, its hypothesis and metrics. A person starts it once the rule is live.',
    drafts: true,
    input: { ...environmentParams.shape, ...experimentInputSchema.shape },
    run: (client, { env, ...record }) =>
      client.draft(
        'POST /environments/:env/experiments',
        { env },
        {
          ...record,
          hypothesis: marked(record.hypothesis),
        },
      ),
  }),
];

/** @throws CommandFailure where nothing was saved, which a draft never asks for */
function newestOf(saved: ResponseTo<'PUT /environments/:env/segments/:name'>): number {
  if ('newest' in saved) return saved.newest;
  throw new CommandFailure('The server saved nothing.');
}

function marked(text: string): string {
  if (text.endsWith(mark)) return text;
  return text === '' ? mark : `${text} ${mark}`;
}

/**
 * The version of a release that is a draft and was made by the user of the token; edits name it, so that they do not meet a release
 * that somebody has submitted meanwhile.
 * @throws CommandFailure
 */
async function ownDraft(client: AssistantClient, env: string, release: number): Promise<number> {
  const params = { env, release: String(release) };
  const { state, version, createdBy } = await client.read(
    'GET /environments/:env/releases/:release',
    { params },
  );
  const { name } = await client.read('GET /me', {});
  if (createdBy !== name) {
    throw new CommandFailure(
      `Release ${release} was made by ${createdBy}. An assistant edits only releases of its own user, ${name}: make one with create_release.`,
    );
  }
  if (state !== 'draft') {
    throw new CommandFailure(
      `Release ${release} is ${state}. An assistant edits only drafts; a person can send it back, or make another one.`,
    );
  }
  return version;
}

function change(
  client: AssistantClient,
  env: string,
  release: number,
  body: Readonly<Record<string, unknown>>,
) {
  const params = { env, release: String(release) };
  return client.draft('POST /environments/:env/releases/:release/changes', params, body);
}
