/** Saved segments, as their operations show them. */
import { z } from 'zod';
import { environmentParams, issueSchema, nameSchema, published } from './common.js';
import { describedBy } from './described-by.js';

export const segmentParams = environmentParams.extend({
  name: nameSchema.describe('Name of the segment.'),
});

export const conditionSchema = z
  .record(z.string(), z.unknown())
  .describe('A condition, as in a mapping.')
  .meta(describedBy('Condition'));

/** The members that every response with a segment has. */
export const segmentMembers = z.object({
  name: z.string(),
  description: z.string(),
  usedBy: z
    .array(z.string())
    .describe('Ids of the contents whose newest or live revision uses it.'),
  revision: z.int().describe('Number of the revision that holds the condition.'),
  live: z
    .int()
    .nullable()
    .describe('The revision that rules use; null: the segment is a draft, and no rule can use it.'),
  newest: z.int().describe('The newest revision. Where it is not `live`, it is a draft.'),
  createdAt: z.string(),
  updatedAt: z.string().describe('No two saves have the same: send it back as ifUpdatedAt.'),
  when: conditionSchema,
});

/** What saving a segment reaches, and what is unusual about it. */
export const saveEffect = {
  reaches: z
    .array(z.string())
    .describe(
      'Ids of the contents that are delivered with it: the edit changes what their requests receive.',
    ),
  warnings: z.array(issueSchema).readonly(),
};

export const savedSegmentSchema = published(segmentMembers.extend(saveEffect));

export type SavedSegment = z.output<typeof savedSegmentSchema>;
