/** Warns of A/B tests of a state that interfere: neither would measure its own effect alone. */
import type { ValidationIssue } from '../../../contract/problems.js';
import { heavyBytesMin } from '../../limits/work.js';
import type { Db } from '../../store/dialect.js';
import { readLayers } from '../../store/layers/read-layers.js';
import { findMapping, findSegment } from '../../store/segments/segments.js';
import type { ContentState } from '../content-state.js';
import { describeInterference, findInterference } from './find-interference.js';

/** Sample values that conditions are tested on while others wait for the transaction: 20 ms of work. */
const samplesMax = 20_000;

/**
 * None of a large mapping: the edit waits within a transaction, and the map of the environment shows them.
 * @param segments names of the saved segments that the state uses
 * @param overlay conditions that stand in front of the saved ones, JSON text by name of the segment
 * @param nowMs milliseconds since the epoch
 */
export async function interferenceWarnings(
  db: Db,
  environment: string,
  state: ContentState,
  { segments: names, overlay }: UsedSegments,
  nowMs: number,
): Promise<ValidationIssue[]> {
  const text = await mappingOf(db, state);
  if (text === null || text.byteLength >= heavyBytesMin) return [];
  const segments: { readonly name: string; readonly condition: string }[] = [];
  for (const name of names) {
    const condition =
      overlay.get(name) ?? (await findSegment(db, environment, name))?.condition ?? null;
    if (condition !== null) segments.push({ name, condition });
  }
  const layers = await readLayers(db, environment);
  const input = { mapping: text, segments, layers, nowMs };
  return findInterference(input, samplesMax).pairs.map((pair) => ({
    path: `mapping[${pair.b.rule}]`,
    message: `${describeInterference(pair)}, so neither measures its own effect alone; slices of one layer keep them apart`,
  }));
}

interface UsedSegments {
  readonly segments: readonly string[];
  readonly overlay: ReadonlyMap<string, string>;
}

async function mappingOf(db: Db, { mapping, texts }: ContentState): Promise<Uint8Array | null> {
  return mapping === null ? null : (texts.get(mapping) ?? (await findMapping(db, mapping)));
}
