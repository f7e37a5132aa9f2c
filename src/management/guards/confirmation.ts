/**
 * Whether a request that publishes has to be confirmed: whatever asks the gate (gate/gate.ts) asks here, too, within its
 * transaction. What a person confirms is a digest of the findings and of what would be published, so it no longer fits once
 * either is another.
 */
import type { GuardFinding } from '../../content/guards/guard.js';
import { digestOf } from '../../content/hash.js';
import { findingsShownMax } from '../../contract/limits.js';
import { Problem, type ValidationIssue } from '../../contract/problems.js';
import type { Confirmation, Finding } from '../../contract/schemas/guard.js';
import { findingsShownMax as warningsShownMax } from '../limits/work.js';
import { mustConfirm } from '../store/confirm-policies.js';
import type { Db } from '../store/dialect.js';
import { codeOf } from './finding-warnings.js';

/** What a request says about findings. */
export interface ConfirmRequest {
  /** The digest of the findings that the request confirms; null: none was sent. */
  readonly confirm: string | null;
  /** Every finding has to be confirmed. */
  readonly isStrict: boolean;
}

/** Of a write that is not strict, such as one of the server itself. */
export const nothingConfirmed: ConfirmRequest = { confirm: null, isStrict: false };

export function confirmRequestOf(
  { confirm }: { readonly confirm?: string | undefined },
  { strict }: { readonly strict: 'true' | 'false' },
): ConfirmRequest {
  return { confirm: confirm ?? null, isStrict: strict === 'true' };
}

/** What a write does to a running experiment. It is about no version line and no value: both are ''. */
export interface ExperimentFinding extends Omit<GuardFinding, 'kind'> {
  readonly kind: 'experiment_changed';
}

/** What is found in one content. */
export interface ContentFindings {
  /** Id of the content. */
  readonly content: string;
  readonly findings: readonly (GuardFinding | ExperimentFinding)[];
}

/** Findings of a write, with what they ask for. */
export interface Found extends Confirmation {
  /** How many there are: `warnings` has the first of them. */
  readonly total: number;
  /** A guard wants the approval of a second person. */
  readonly needsApproval: boolean;
}

/**
 * Null: nothing is found.
 * @param state names what would be published
 */
export async function findConfirmation(
  db: Db,
  environment: string,
  contents: readonly ContentFindings[],
  state: string,
  { isStrict }: Pick<ConfirmRequest, 'isStrict'>,
): Promise<Found | null> {
  const all = contents.flatMap(({ content, findings }) =>
    findings.map((finding) => findingJson(content, finding)),
  );
  if (all.length === 0) return null;
  const isSevere = all.some(({ severity }) => severity !== 'warn');
  const texts = all.map((finding) => JSON.stringify(finding)).sort();
  return {
    digest: digestOf(Buffer.from(JSON.stringify([state, texts]))),
    warnings: all.slice(0, findingsShownMax),
    warningsCut: all.length > findingsShownMax,
    required: isSevere || isStrict || (await mustConfirm(db, environment)),
    total: all.length,
    needsApproval: all.some(({ severity }) => severity === 'approve'),
  };
}

/** Why a write that no release carries may not publish these values; null: it may. */
export function rejectFound(
  found: Found | Problem | null,
  { confirm }: ConfirmRequest,
): Problem | null {
  if (found === null || found instanceof Problem) return found;
  return found.needsApproval ? approvalRequired(found) : rejectUnconfirmed(found, confirm);
}

/** The same for a write that a second person has approved, or that needs no approval. */
export function rejectUnconfirmed(found: Found | null, confirm: string | null): Problem | null {
  if (found === null || !found.required || found.digest === confirm) return null;
  const detail =
    confirm === null
      ? `${countOf(found)} to be confirmed: look at them, and send "confirm" with the digest.`
      : `What was confirmed is not what would be published any more. ${countOf(found)} to be confirmed: look at them again.`;
  return new Problem('confirmation_required', detail, [], membersOf(found));
}

/** The same as warnings of a response that is about many contents: the first of them. */
export function foundWarnings(found: Found | null): ValidationIssue[] {
  if (found === null) return [];
  const shown = found.warnings.slice(0, warningsShownMax);
  const warnings: ValidationIssue[] = shown.map(({ content, path, message, appVersion, kind }) => {
    return { path: `${content}${path}`, message, appVersion, code: codeOf(kind) };
  });
  const more = found.total - shown.length;
  if (more > 0)
    warnings.push({ path: '', message: `There are ${more} more, which are not shown.` });
  return warnings;
}

/** As a response has it. */
export function confirmationJson(found: Found | null): Confirmation | null {
  if (found === null) return null;
  const { digest, warnings, warningsCut, required } = found;
  return { digest, warnings, warningsCut, required };
}

/** As far as it decides what players receive. */
export interface NamedState {
  readonly lines: readonly { readonly version: string; readonly textDigest: string }[];
  /** Digest of its text; null: none. */
  readonly mapping: string | null;
  readonly flags: readonly string[];
}

/** Names a state: texts, targeting rules and flags. */
export function nameOfState({ lines, mapping, flags }: NamedState): string {
  const texts = lines.map(({ version, textDigest }) => [version, textDigest]);
  return JSON.stringify([texts, mapping, flags]);
}

function approvalRequired(found: Found): Problem {
  const first = found.warnings.find(({ severity }) => severity === 'approve');
  const detail = `A guard wants the approval of a second person: save a draft, and put it into a release. ${first?.message ?? ''}`;
  const required = 1;
  return new Problem('release_required', detail, [], { required, ...membersOf(found) });
}

function membersOf({ digest, warnings, warningsCut }: Found): Readonly<Record<string, unknown>> {
  return { digest, warnings, warningsCut };
}

function countOf({ total }: Found): string {
  return total === 1 ? 'One finding has' : `${total} findings have`;
}

function findingJson(
  content: string,
  { version, path, kind, severity, message }: GuardFinding | ExperimentFinding,
): Finding {
  return { content, appVersion: version, path, kind, severity, message };
}
