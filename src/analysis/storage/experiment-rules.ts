/** Which experiment an exposure is of, and whether its variant is the one that the rule gives the user. Pure. */
import { type BucketRange, bucketCount, bucketOf, uidOf } from '../../content/bucket.js';

export interface PhaseRule {
  /** From 1. */
  readonly number: number;
  readonly startedAtMs: number;
  /** Null while it runs. */
  readonly endedAtMs: number | null;
  /** Of the rule; null: it has none. */
  readonly salt: string | null;
  /** Null: the rule is in no layer. */
  readonly layer: { readonly salt: string; readonly slice: BucketRange } | null;
  readonly variants: readonly { readonly name: string; readonly groups: BucketRange }[];
}

/** An experiment with the phases in which exposures are counted. */
export interface ExperimentRule {
  readonly environment: string;
  readonly id: string;
  /** Content id, lower case. */
  readonly content: string;
  /** The rule's name. */
  readonly segment: string;
  readonly phases: readonly PhaseRule[];
}

export interface ResolvedExposure {
  readonly experiment: string;
  readonly phase: number;
  /** The phase's rule gives this user another variant, or none. */
  readonly contradiction: boolean;
}

/** What an exposure says of one rule. */
export interface ReportedRule {
  readonly environment: string;
  /** Lower case. */
  readonly content: string;
  readonly segment: string;
  readonly variant: string;
  readonly u: string;
  /** When the player saw it, milliseconds since the epoch. */
  readonly at: number;
}

interface Candidate {
  readonly experiment: string;
  readonly phase: PhaseRule;
}

export class ExperimentRules {
  readonly #byRule = new Map<string, Candidate[]>();

  constructor(experiments: readonly ExperimentRule[]) {
    for (const { environment, id, content, segment, phases } of experiments) {
      const key = keyOf(environment, content, segment);
      const known = this.#byRule.get(key) ?? [];
      for (const phase of phases) known.push({ experiment: id, phase });
      this.#byRule.set(key, known);
    }
  }

  /**
   * The experiments that the rule was of at that time: one, or none. Two rules of one name in a content item are told apart
   * by what they give the user.
   */
  resolve(reported: ReportedRule): readonly ResolvedExposure[] {
    const { environment, content, segment, at } = reported;
    const known = this.#byRule.get(keyOf(environment, content, segment)) ?? [];
    const valid = resolved(known, reported, at);
    if (valid.some(agrees)) return valid.filter(agrees);
    const begun = resolved(known, reported, at + clockSlackMs);
    const agreed = begun.filter(agrees);
    return agreed.length > 0 ? agreed : [...valid, ...begun].slice(0, 1);
  }
}

/**
 * Clients take the server's clock from the `Date` of a response, which has whole seconds and was on its way: they are behind.
 * What they report of the first moments of a phase seems to be of the time before.
 */
const clockSlackMs = 2_000;

function agrees({ contradiction }: ResolvedExposure): boolean {
  return !contradiction;
}

/** What the phases that are valid at a time say. */
function resolved(
  known: readonly Candidate[],
  { u, variant }: ReportedRule,
  atMs: number,
): ResolvedExposure[] {
  const valid = known.filter(({ phase }) => isValidAt(phase, atMs));
  return valid.map(({ experiment, phase }) => ({
    experiment,
    phase: phase.number,
    contradiction: variantOf(phase, u) !== variant,
  }));
}

/** None of the parts has a line break in it. */
function keyOf(environment: string, content: string, segment: string): string {
  return `${environment}\n${content}\n${segment}`;
}

function isValidAt({ startedAtMs, endedAtMs }: PhaseRule, at: number): boolean {
  return at >= startedAtMs && (endedAtMs === null || at < endedAtMs);
}

/** The variant that the rule gives the user; null: none. */
function variantOf({ salt, layer, variants }: PhaseRule, u: string): string | null {
  const caller = { u, mod: uidOf(u) % bucketCount };
  if (layer !== null && !isIn(layer.slice, bucketOf(layer.salt, caller))) return null;
  const bucket = bucketOf(salt, caller);
  return variants.find(({ groups }) => isIn(groups, bucket))?.name ?? null;
}

function isIn([first, last]: BucketRange, bucket: number): boolean {
  return bucket >= first && bucket <= last;
}
