/** The calendar: windows of rules, scheduled releases and ramps of an environment in time, and where they touch the same. */
import { z } from 'zod';
import {
  calendarConflictsMax,
  calendarContentsShownMax,
  calendarDaysDefault,
  calendarDaysMax,
  calendarEntriesMax,
  calendarOccurrencesMax,
  calendarPathsShownMax,
} from '../limits.js';
import { operation } from '../operation.js';
import { environmentParams, instantSchema } from '../schemas/common.js';
import { releaseStateSchema } from '../schemas/release.js';
import { repeatSchema } from '../schemas/targeting/repeat.js';

const wallTime = 'without a zone (`2026-11-27T18:00:00`) where the window is local';

const occurrenceSchema = z.object({
  from: z
    .string()
    .nullable()
    .describe(`When it opens, ${wallTime}; null: it has always been open.`),
  until: z.string().nullable().describe(`When it closes, ${wallTime}; null: it never does.`),
  earliest: z
    .string()
    .nullable()
    .describe('Instant at which it opens for the first player in the world; null as `from`.'),
  latest: z
    .string()
    .nullable()
    .describe('Instant at which it closes for the last player in the world; null as `until`.'),
});

export type CalendarOccurrence = z.output<typeof occurrenceSchema>;

const entryId = z
  .string()
  .describe('Names the entry in this response; the same in the next one while nothing changes.');

const windowSchema = z.object({
  id: entryId,
  kind: z.literal('window'),
  content: z.string().describe('Id of the content.'),
  revision: z.int(),
  rule: z.int().describe('Its place in the mapping of the revision, from 0.'),
  segment: z.string().describe('The name that players are reported under.'),
  variants: z
    .array(z.string())
    .readonly()
    .nullable()
    .describe('Names of the variants of an A/B test; null: the rule has none.'),
  local: z
    .boolean()
    .describe(
      'The window is in the local time of each player, so that it lasts up to 26 hours longer worldwide.',
    ),
  repeat: repeatSchema.nullable(),
  from: z.string().nullable().describe(`Begin of the window, ${wallTime}; null: it has none.`),
  until: z.string().nullable().describe(`End of the window, ${wallTime}; null: it has none.`),
  occurrences: z
    .array(occurrenceSchema)
    .readonly()
    .describe('Those that meet the range, whole, in order; one where the window does not repeat.'),
  live: z.boolean().describe('The rule is live; false: it is in a draft, or comes with a release.'),
  release: z
    .int()
    .nullable()
    .describe('Number of the release that brings the rule; null: it is live or in a draft.'),
});

export type CalendarWindow = z.output<typeof windowSchema>;

const releaseTimes = {
  from: z.string().describe('Instant at which it begins.'),
  until: z
    .string()
    .nullable()
    .describe('Instant at which it ends, as far as is known now; null: it depends on people.'),
  projected: z
    .boolean()
    .describe(
      'It has not begun yet, or not ended: the times follow from the schedule and the holds.',
    ),
};

const releaseEntrySchema = z.object({
  id: entryId,
  kind: z.literal('release'),
  release: z.int().describe('Number of the release.'),
  title: z.string(),
  state: releaseStateSchema.describe('scheduled, ramping, paused or live.'),
  contents: z
    .array(z.string())
    .readonly()
    .describe(
      `Ids of the contents that it reaches: those that it changes, and those that use a segment that it changes. At most ${calendarContentsShownMax} are named.`,
    ),
  contentsLeftOut: z.int(),
  ...releaseTimes,
  until: releaseTimes.until.describe(
    'Instant at which it is live for all players; `from` where it has no steps; null while it is paused.',
  ),
});

export type CalendarRelease = z.output<typeof releaseEntrySchema>;

const stepEntrySchema = z.object({
  id: entryId,
  kind: z.literal('step'),
  release: z.int().describe('Number of the release.'),
  step: z.int().describe('Its place in the steps of the release, from 0.'),
  percent: z.number().describe('Of the users that send `u`.'),
  ...releaseTimes,
});

export type CalendarStep = z.output<typeof stepEntrySchema>;

const entrySchema = z
  .discriminatedUnion('kind', [windowSchema, releaseEntrySchema, stepEntrySchema])
  .register(z.globalRegistry, { id: 'CalendarEntry' });

export type CalendarEntry = z.output<typeof entrySchema>;

const conflictSchema = z
  .object({
    a: z.string().describe('`id` of the entry that comes first.'),
    b: z.string().describe('`id` of the other one.'),
    content: z.string().describe('Id of the content that both touch.'),
    kind: z
      .enum(['windows', 'changed_by_release', 'releases'])
      .describe(
        'windows: two rules change the same values of the same players; changed_by_release: a release changes or removes the rule, or brings one that changes the same values; releases: two releases change the same content, so that the second one must be rebased.',
      ),
    paths: z
      .array(z.string())
      .readonly()
      .describe(
        `JSON Pointers that both touch, an empty one for the whole content. At most ${calendarPathsShownMax} are listed.`,
      ),
    pathsLeftOut: z.int(),
    lists: z
      .array(z.string())
      .readonly()
      .describe(
        'Attributes of which a player must have a list of values for both to apply: `$in` matches each of its elements. Empty: any player may meet both. Where the game sends single values, there is no conflict.',
      ),
    when: z
      .object({
        from: z.string().nullable().describe('Instant; null: since ever.'),
        until: z.string().nullable().describe('Instant; null: without an end.'),
      })
      .describe('The first time within the range at which both apply to some player in the world.'),
    reason: z.string().describe('A sentence for people.'),
  })
  .register(z.globalRegistry, { id: 'CalendarConflict' });

export type CalendarConflict = z.output<typeof conflictSchema>;

const calendarSchema = z
  .object({
    from: z.string(),
    until: z.string(),
    entries: z
      .array(entrySchema)
      .readonly()
      .describe('Windows by content and rule, then releases, each with its steps.'),
    conflicts: z.array(conflictSchema).readonly(),
    truncated: z
      .object({
        entries: z.boolean().describe(`There are more than ${calendarEntriesMax}.`),
        occurrences: z
          .boolean()
          .describe(
            `Some entries have more: ${calendarOccurrencesMax} are listed in all, and the conflicts of what is left out are not.`,
          ),
        conflicts: z
          .boolean()
          .describe(
            `There are more than ${calendarConflictsMax}, or there were too many pairs to compare.`,
          ),
      })
      .describe('What is not in this response. A shorter range shows more.'),
  })
  .register(z.globalRegistry, { id: 'Calendar' });

export type Calendar = z.output<typeof calendarSchema>;

export const getCalendar = operation('GET /environments/:env/calendar', {
  tag: 'evaluate',
  operationId: 'getCalendar',
  description: `Shows what is due in an environment within a range of at most ${calendarDaysMax} days: windows of targeting rules, live ones and those of drafts and releases, scheduled releases and ramps with their steps, and conflicts. A conflict is two things that touch the same values at the same time for the same players; rules are left out of it where their conditions or groups show that they share no player.`,
  role: 'viewer',
  params: environmentParams,
  query: z.object({
    from: instantSchema.optional().describe('RFC 3339; default: now.'),
    until: instantSchema
      .optional()
      .describe(`RFC 3339, after \`from\`; default: ${calendarDaysDefault} days after it.`),
  }),
  responses: { 200: calendarSchema },
  problems: ['too_costly'],
});
