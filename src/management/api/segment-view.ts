/** A saved segment as the API shows it: its condition byte for byte, and where it is used. */
import { z } from 'zod';
import { describedBy } from '../../contract/schemas/described-by.js';
import type { PlacedUse } from '../authoring/segment-places.js';
import type { Segment } from '../store/segments.js';
import { toIso } from '../to-iso.js';
import { rawObject } from './raw-json.js';

export const conditionSchema = z
  .record(z.string(), z.unknown())
  .describe('A condition, as in a mapping.')
  .meta(describedBy('Condition'));

export const usedBySchema = z
  .array(z.string())
  .describe('Ids of the contents whose newest or live revision uses it.');

/** What is said of a segment wherever it is shown. */
export const segmentFields = {
  name: z.string(),
  description: z.string(),
  usedBy: usedBySchema,
  revision: z.int().describe('Number of the revision that holds the condition.'),
  createdAt: z.string(),
  updatedAt: z.string().describe('No two saves have the same: send it back as ifUpdatedAt.'),
  when: conditionSchema,
};

export const segmentSchema = z.object({
  ...segmentFields,
  uses: z.array(
    z.object({
      content: z.string(),
      revision: z.int(),
      live: z.boolean(),
      newest: z.boolean(),
      rules: z.array(z.int()).describe('Places in the mapping of that revision, from 0.'),
    }),
  ),
});
segmentSchema.register(z.globalRegistry, { id: 'Segment' });

/** @param usedBy a content may stand in it twice: with its newest revision and its live one */
export function segmentJson(
  segment: Segment,
  usedBy: readonly string[],
  more: Readonly<Record<string, unknown>>,
): Uint8Array {
  const { name, description, condition, revision, createdAtMs, updatedAtMs } = segment;
  const times = { createdAt: toIso(createdAtMs), updatedAt: toIso(updatedAtMs) };
  const plain = { name, description, usedBy: [...new Set(usedBy)], revision, ...times, ...more };
  return rawObject(plain, { when: condition });
}

export function usedSegmentJson(segment: Segment, uses: readonly PlacedUse[]): Uint8Array {
  const shown = uses.map(({ content, revision, live, newest, rules }) => {
    return { content, revision, live, newest, rules };
  });
  return segmentJson(
    segment,
    uses.map(({ content }) => content),
    { uses: shown },
  );
}
