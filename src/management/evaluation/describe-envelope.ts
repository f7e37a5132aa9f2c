/** Computes the envelope of a content that is tried out, as a response lists it. Pure. */

import { pathsListedMax } from '../../content/envelope/envelope-limits.js';
import { envelopeOf } from '../../content/envelope/envelope-of.js';
import type {
  LineEnvelope,
  NumberBound,
  PathEnvelope,
} from '../../content/envelope/line-envelope.js';
import { indexDocument } from '../../content/json/document.js';
import type { Envelope, EnvelopeBound, EnvelopePath } from '../../contract/operations/envelope.js';
import type { PlainProblem } from '../contents/validate/validate-state.js';
import { type FindingsBase, findingsBetween } from '../guards/find-findings.js';
import { type CandidateState, readCandidate } from './candidate.js';

export interface EnvelopeInput extends FindingsBase, CandidateState {
  /** How deep an edited text may nest. */
  readonly levelsMax: number;
}

export type DescribedEnvelope =
  | ({ readonly ok: false } & PlainProblem)
  | ({ readonly ok: true } & Pick<Envelope, 'lines' | 'findings'>);

export function describeEnvelope(input: EnvelopeInput): DescribedEnvelope {
  const candidate = readCandidate(input, input.levelsMax);
  if ('code' in candidate) return { ok: false, ...candidate };
  const documents = candidate.plan.lines.map(({ versionText, json }) => {
    return { version: versionText, document: indexDocument(json()) };
  });
  const envelopes = envelopeOf(documents, candidate.rules);
  const findings = findingsBetween(envelopes, input).map(({ version, ...finding }) => {
    return { ...finding, appVersion: version };
  });
  return { ok: true, lines: listLines(envelopes), findings };
}

function listLines(envelopes: readonly LineEnvelope[]): Envelope['lines'] {
  let left = pathsListedMax;
  return envelopes.map((envelope) => {
    const { version, isUnbounded } = envelope;
    const common = { appVersion: version, unbounded: isUnbounded };
    // A line that has no room is not even listed here.
    if (left === 0) return { ...common, paths: [], truncated: true };
    const paths = [...envelope.paths.values()].slice(0, left).map(pathOf);
    left -= paths.length;
    const truncated = envelope.isTruncated || paths.length < envelope.paths.size;
    return { ...common, paths, truncated };
  });
}

function pathOf({ path, types, isAlwaysThere, min, max, texts }: PathEnvelope): EnvelopePath {
  const bounds = { min: min && boundOf(min), max: max && boundOf(max) };
  return { path, types: [...types], always: isAlwaysThere, ...bounds, values: texts };
}

function boundOf({ value, source }: NumberBound): EnvelopeBound {
  return { value: Number.isFinite(value) ? value : null, ...source };
}
