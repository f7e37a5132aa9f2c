/** Rules of experiments as they are live, or would be once a write is done. */
import {
  type FrozenRule,
  frozenRuleOf,
  type NoRule,
} from '../../../content/experiments/frozen-rule.js';
import { readText } from '../contents/texts.js';
import type { Db } from '../dialect.js';
import { readLayers } from '../layers/read-layers.js';
import { findSegment } from '../segments/segments.js';
import type { ExperimentRecord } from './experiments.js';

/** What a write makes live, beside what stays. */
export interface GoesLive {
  /** By lower-case id of a content: digest of its mapping, null without one. */
  readonly mappings?: ReadonlyMap<string, string | null>;
  /** Texts of mappings that the store may not have yet, by digest. */
  readonly texts?: ReadonlyMap<string, Uint8Array>;
  /** By name of a saved segment: its condition, JSON text. */
  readonly conditions?: ReadonlyMap<string, string>;
}

/** Whether the write changes anything that the rule of the experiment depends on. */
export function concerns(
  { contentLower, segment }: Pick<ExperimentRecord, 'contentLower' | 'segment'>,
  { mappings, conditions }: GoesLive,
): boolean {
  return mappings?.has(contentLower) === true || conditions?.has(segment) === true;
}

/** @param goesLive stands in front of what is live */
export async function readRule(
  db: Db,
  experiment: Pick<ExperimentRecord, 'environment' | 'contentLower' | 'segment'>,
  goesLive: GoesLive = {},
): Promise<FrozenRule | NoRule> {
  const { environment, segment } = experiment;
  const condition =
    goesLive.conditions?.get(segment) ??
    (await findSegment(db, environment, segment))?.condition ??
    null;
  const sources = {
    mapping: await readMapping(db, experiment, goesLive),
    conditionOf: () => condition,
    layers: await readLayers(db, environment),
  };
  return frozenRuleOf(sources, segment);
}

async function readMapping(
  db: Db,
  { environment, contentLower }: Pick<ExperimentRecord, 'environment' | 'contentLower'>,
  { mappings, texts }: GoesLive,
): Promise<Uint8Array | null> {
  const given = mappings?.get(contentLower);
  const digest = given === undefined ? await findLiveMapping(db, environment, contentLower) : given;
  if (digest === null) return null;
  return texts?.get(digest) ?? readText(db, digest);
}

/** Digest of the mapping that is live of a content; null: there is none. */
async function findLiveMapping(
  db: Db,
  environment: string,
  idLower: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('contents')
    .innerJoin('revisions', (join) =>
      join
        .onRef('revisions.environment', '=', 'contents.environment')
        .onRef('revisions.idLower', '=', 'contents.idLower')
        .onRef('revisions.number', '=', 'contents.live'),
    )
    .select('revisions.mapping')
    .where('contents.environment', '=', environment)
    .where('contents.idLower', '=', idLower)
    .executeTakeFirst();
  return row?.mapping ?? null;
}
