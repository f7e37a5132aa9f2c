/** The complete state of a content (lines and mapping) on its way to a revision: loaded, checked, committed. */
import { mutatedBytesMax } from '../../content/mutation/splice-limits.js';
import { setLive } from '../store/contents.js';
import type { Reading } from '../store/dialect.js';
import { deliveredJson } from '../store/published-state.js';
import { insertRevision, type Revision, type RevisionLine } from '../store/revisions.js';
import { readText } from '../store/texts.js';
import type { Write } from '../store/write.js';
import { takeMapping } from './mapping.js';
import { type InputFault, Refusal } from './refusal.js';
import { type LineJson, tryMutations } from './try-mutations.js';

export interface ContentState {
  /** Ascending by version; at least one. */
  readonly lines: readonly RevisionLine[];
  /** Digest of the mapping text, or null. */
  readonly mapping: string | null;
  /** Texts that the store may not have yet, by digest. */
  readonly texts: ReadonlyMap<string, Uint8Array>;
}

/** What a state needs and what its author should know. */
export interface CheckedState {
  readonly segments: readonly string[];
  readonly warnings: readonly InputFault[];
}

const noTexts: ReadonlyMap<string, Uint8Array> = new Map();

/** The state that a revision holds. */
export function stateOf(revision: Revision): ContentState {
  return { lines: revision.lines, mapping: revision.mapping, texts: noTexts };
}

export function sameState(a: Omit<ContentState, 'texts'>, b: Omit<ContentState, 'texts'>): boolean {
  return (
    a.mapping === b.mapping &&
    a.lines.length === b.lines.length &&
    a.lines.every(
      (line, index) =>
        line.version === b.lines[index]?.version && line.textDigest === b.lines[index]?.textDigest,
    )
  );
}

/** Refuses a mapping that is faulty, uses segments that are not saved, or mutates nothing of these lines. */
export async function checkState(
  db: Reading,
  environment: string,
  state: ContentState,
): Promise<CheckedState | Refusal> {
  if (state.mapping === null) return { segments: [], warnings: [] };
  const text = await textOf(db, state, state.mapping);
  const mapping = await takeMapping(db, environment, text);
  if (mapping instanceof Refusal) return mapping;
  const lines: LineJson[] = [];
  for (const { version, textDigest } of state.lines) {
    lines.push({ version, json: deliveredJson(await textOf(db, state, textDigest)) });
  }
  const tried = tryMutations(mapping.rules, lines, mutatedBytesMax);
  if (tried.errors.length > 0) {
    return new Refusal(
      'invalid_mapping',
      'The mapping has a mutation that no line of this content can take.',
      tried.errors,
    );
  }
  return { segments: mapping.segments, warnings: [...mapping.warnings, ...tried.warnings] };
}

async function textOf(db: Reading, state: ContentState, digest: string): Promise<Uint8Array> {
  return state.texts.get(digest) ?? (await readText(db, digest));
}

/** Where a state is committed to. `live` is null when nothing is delivered. */
export interface CommitTarget {
  readonly environment: string;
  readonly idLower: string;
  readonly live: number | null;
}

export interface Committed {
  readonly revision: number;
  readonly live: number | null;
}

/**
 * Makes the state the newest revision, unless it is that already, and delivers it if wanted.
 * @param newest number of the newest revision of the history (deleted or not), 0 without one
 * @param base the newest revision when it is what the state builds on; null: a new number in any case
 */
export async function commitState(
  write: Write,
  target: CommitTarget,
  newest: number,
  base: Revision | null,
  state: ContentState & { readonly segments: readonly string[]; readonly note: string },
  publish: boolean,
): Promise<Committed> {
  const { environment, idLower, live } = target;
  const same = base !== null && sameState(base, state);
  const revision = same ? newest : await insertRevision(write, environment, idLower, newest, state);
  if (!publish || live === revision) return { revision, live };
  await setLive(write, environment, idLower, revision);
  return { revision, live: revision };
}
