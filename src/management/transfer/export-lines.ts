/** Writes an environment as the lines of `transfer-line.ts`: the same state gives the same bytes, on every server. */
import { strict as assert } from 'node:assert';
import { transferFormat } from '../../contract/transfer-format.js';
import { noGuards } from '../store/contents/content-guards.js';
import {
  eachContentState,
  type StoredContent,
  type StoredState,
} from '../store/contents/content-states.js';
import { readText } from '../store/contents/texts.js';
import type { Db } from '../store/dialect.js';
import type { Environment } from '../store/environments.js';
import { listExperiments } from '../store/experiments/experiments.js';
import { listMetrics } from '../store/experiments/metrics.js';
import { readLayers } from '../store/layers/read-layers.js';
import { listSegments } from '../store/segments/segments.js';

export interface ExportOptions {
  readonly environment: Environment;
  /** Whether what was saved on top of live contents and not published comes too. */
  readonly drafts: boolean;
}

/**
 * One line at a time, read as it is asked for. Segments by name, then contents by lower-case id, then metrics and experiments.
 * @param db a snapshot for as long as it takes
 */
export async function* exportLines(
  db: Db,
  { environment, drafts }: ExportOptions,
): AsyncGenerator<Buffer> {
  const { id, name, protected: isProtected } = environment;
  const { layers, holdout } = await readLayers(db, id);
  yield lineOf({
    ...{ kind: 'environment', format: transferFormat, id, name, protected: isProtected },
    // Left out where there are none: earlier versions read the file too.
    ...(layers.length > 0 && { layers }),
    ...(holdout !== null && { holdout }),
  });
  const segments = await listSegments(db, id);
  // Not left to the database: collations differ.
  segments.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const { name: segment, description, condition } of segments) {
    yield lineOf({ kind: 'segment', name: segment, description, when: condition });
  }
  let contents = 0;
  for await (const content of eachContentState(db, id)) {
    if (content.deleted) continue;
    contents += 1;
    yield await contentLine(db, content);
    if (drafts && content.live !== null && content.draft !== null) {
      const state = await stateFields(db, content.draft);
      yield lineOf({ kind: 'draft', id: content.id, ...state });
    }
  }
  yield* experimentLines(db, id);
  yield lineOf({ kind: 'end', segments: segments.length, contents });
}

/** Definitions of metrics and plans of experiments, by name and id: what was found with them stays here. */
async function* experimentLines(db: Db, environment: string): AsyncGenerator<Buffer> {
  const metrics = await listMetrics(db, environment);
  // Not left to the database: collations differ.
  metrics.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const { name, updatedAtMs: _, ...metric } of metrics) {
    yield lineOf({ kind: 'metric', name, metric });
  }
  const experiments = await listExperiments(db, environment);
  experiments.sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const { id, content, segment, ...experiment } of experiments) {
    const { name, hypothesis, owner, control, primaryMetric, guardMetrics } = experiment;
    const { plannedDays, smallestEffect } = experiment;
    const plan = { control, primaryMetric, guardMetrics, plannedDays, smallestEffect };
    const about = { id, content, segment, name, hypothesis, owner };
    yield lineOf({ kind: 'experiment', experiment: { ...about, ...plan } });
  }
}

async function contentLine(db: Db, content: StoredContent): Promise<Buffer> {
  const { id, description, tags, schema, guards, live, draft } = content;
  const state = live ?? draft;
  assert(state !== null, 'a content has a revision');
  const { lines, ...settings } = await stateFields(db, state);
  const isLive = live !== null;
  return lineOf({
    kind: 'content',
    id,
    description,
    tags,
    lines,
    ...settings,
    schema,
    // Left out where there are none: earlier versions read the file too.
    ...(guards !== noGuards && { guards: JSON.parse(guards) as unknown }),
    live: isLive,
  });
}

interface StateFields {
  readonly lines: readonly unknown[];
  readonly mapping: string | null;
  /** Left out where there are none: earlier versions read the file too. */
  readonly flags?: readonly string[];
}

async function stateFields(db: Db, state: StoredState): Promise<StateFields> {
  const lines: unknown[] = [];
  for (const { version, textDigest } of state.lines) {
    lines.push({ appVersion: version, text: await readString(db, textDigest) });
  }
  const { mapping, flags } = state;
  return {
    ...{ lines, mapping: mapping === null ? null : await readString(db, mapping) },
    ...(flags.length > 0 && { flags }),
  };
}

/** Stored texts are UTF-8, so a string holds them byte for byte. */
async function readString(db: Db, digest: string): Promise<string> {
  const bytes = await readText(db, digest);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}

function lineOf(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}
