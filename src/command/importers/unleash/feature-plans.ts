/** A feature as steps, the first of which that holds decides: its strategies, each with a share of the players and variants. */

import { pointerText } from '../../../content/json/pointer-text.js';
import { saltLengthMax } from '../../../content/mapping/mapping-limits.js';
import { allOf, anyOf, type Condition, conditionProblem, never, not } from '../conditions.js';
import type { ReportBuilder } from '../conversion-report.js';
import type { FlagPlan, FlagStep, Served } from '../flags/flag-content.js';
import { NotCarried } from '../not-carried.js';
import { checkMembers, isObject, type JsonObject, objectsIn } from '../source.js';
import { type Held, heldBy } from './constraints.js';
import { placedIn, type UnleashFeature } from './read-export.js';
import { constraintMembers, strategyMembers } from './schema.js';
import type { Segments } from './segments.js';
import { type Audience, audienceOf } from './strategies.js';
import { type FeatureVariant, variantsOf } from './variants.js';

const sharesDiffer = 'the same shares of players, but others: the hash is another';

export class FeaturePlans {
  readonly #features: ReadonlyMap<string, UnleashFeature>;
  readonly #segments: Segments;
  readonly #report: ReportBuilder;
  readonly #steps = new Map<string, readonly FlagStep[]>();
  /** Of each feature, how much of it is not exact. */
  readonly #findings = new Map<string, number>();

  constructor(
    features: ReadonlyMap<string, UnleashFeature>,
    segments: Segments,
    report: ReportBuilder,
  ) {
    this.#features = features;
    this.#segments = segments;
    this.#report = report;
  }

  plan(feature: UnleashFeature): FlagPlan {
    const { name: key, description, path } = feature;
    const off = offOf(feature);
    const steps = feature.isEnabled ? this.#behind(feature) : [];
    if ((this.#findings.get(key) ?? 0) === 0) {
      this.#report.add('exact', key, pointerText(path), 'feature');
    }
    return { key, description, json: off, steps };
  }

  /** The steps, for players for whom the features that this one depends on are as it requires. */
  #behind(feature: UnleashFeature): readonly FlagStep[] {
    const { dependencies, path } = feature;
    const steps = this.#stepsOf(feature);
    if (dependencies.length === 0) return steps;
    try {
      const required = allOf(dependencies.map(({ value }) => this.#required(value)));
      const all = steps.map((step) => {
        const when = allOf([required, step.when]);
        rejectProblem(when);
        return { ...step, when, segment: null };
      });
      const message =
        'what it depends on is copied into the conditions: it does not follow later edits of the other features';
      this.#add('approximated', feature, path, message);
      return all;
    } catch (error) {
      if (!(error instanceof NotCarried)) throw error;
      this.#add('left-out', feature, path, `${error.message}; the feature is off for everyone`);
      return [];
    }
  }

  /** @throws NotCarried */
  #required({ feature: name, enabled, variants }: JsonObject): Condition {
    const parent = this.#features.get(String(name));
    // As in the SDK: what it depends on must be there, and depends on nothing itself.
    if (parent === undefined || parent.dependencies.length > 0) return never;
    if (Array.isArray(variants) && variants.length > 0) {
      throw new NotCarried(`it depends on variants of ${parent.name}`);
    }
    const steps = parent.isEnabled ? this.#stepsOf(parent) : [];
    const conditions = steps.map((step) => {
      const isPlain = (step.fromMs ?? null) === null && (step.untilMs ?? null) === null;
      if (step.served.kind === 'shares' && sumOf(step.served) < 1) {
        throw new NotCarried(`it depends on ${parent.name}, which a share of the players has`);
      }
      if (!isPlain) throw new NotCarried(`it depends on ${parent.name}, which depends on the time`);
      return step.when;
    });
    const isOn = anyOf(conditions);
    return enabled === false ? not(isOn) : isOn;
  }

  #stepsOf(feature: UnleashFeature): readonly FlagStep[] {
    const known = this.#steps.get(feature.name);
    if (known !== undefined) return known;
    const made = this.#makeSteps(feature);
    this.#steps.set(feature.name, made);
    return made;
  }

  #makeSteps(feature: UnleashFeature): readonly FlagStep[] {
    const { name, strategies, variants } = feature;
    const own = variantsOf(variants, name, this.#report, (at, message) =>
      this.#add('left-out', feature, at, message),
    );
    if (strategies.length === 0) {
      const served = this.#served(feature, { when: {}, share: 1, salt: name }, own, name);
      return [{ name: `${name}: on`, when: {}, segment: null, served }];
    }
    return strategies.flatMap(({ value: strategy, path: at }, index) => {
      checkMembers(strategy, strategyMembers, name, at, this.#report);
      if (strategy['disabled'] === true) return [];
      const step = this.#step(feature, strategy, own, at, index);
      return step === null ? [] : [step];
    });
  }

  #step(
    feature: UnleashFeature,
    strategy: JsonObject,
    featureVariants: readonly FeatureVariant[],
    at: readonly string[],
    index: number,
  ): FlagStep | null {
    const differences = new Set<string>();
    const remarks = {
      report: this.#report,
      differs: (message: string): unknown => differences.add(message),
    };
    try {
      const audience = audienceOf(strategy, feature.name, remarks);
      if (audience === null) return null;
      const constraints = objectsIn(strategy, 'constraints', at);
      for (const [place, constraint] of constraints.entries()) {
        const inside = [...at, 'constraints', String(place)];
        checkMembers(constraint, constraintMembers, feature.name, inside, this.#report);
      }
      const ids = Array.isArray(strategy['segments']) ? strategy['segments'].map(Number) : [];
      const held: Held[] = [
        heldBy(constraints, remarks),
        ...ids.map((id) => this.#segments.held(id)),
      ];
      const window = {
        fromMs: latest(held.map(({ fromMs }) => fromMs)),
        untilMs: earliest(held.map(({ untilMs }) => untilMs)),
      };
      if (window.fromMs !== null && window.untilMs !== null && window.fromMs >= window.untilMs)
        return null;
      const when = allOf([...held.map((each) => each.when), audience.when]);
      rejectProblem(when);
      const [only] = ids;
      const isSegment =
        ids.length === 1 && constraints.length === 0 && Object.keys(audience.when).length === 0;
      const segment = isSegment && only !== undefined ? this.#segments.savedAs(only) : null;
      const own = variantsOf(
        placedIn(strategy, 'variants', at),
        feature.name,
        this.#report,
        (place, message) => this.#add('left-out', feature, place, message),
      );
      const served = this.#served(
        feature,
        audience,
        own.length > 0 ? own : featureVariants,
        audience.salt,
      );
      if (served.kind === 'shares') differences.add(sharesDiffer);
      for (const message of differences) this.#add('approximated', feature, at, message);
      const { title } = strategy;
      const label = typeof title === 'string' && title !== '' ? title : `strategy ${index + 1}`;
      return { name: `${feature.name}: ${label}`, when, segment, ...window, served };
    } catch (error) {
      if (!(error instanceof NotCarried)) throw error;
      this.#add('left-out', feature, at, `${error.message}; the strategy admits nobody`);
      return null;
    }
  }

  #served(
    feature: UnleashFeature,
    { share }: Audience,
    variants: readonly FeatureVariant[],
    salt: string,
  ): Served {
    const total = variants.reduce((sum, { weight }) => sum + weight, 0);
    const chosen = variants.filter(({ weight }) => weight > 0);
    const [only] = chosen;
    const plain = total > 0 && only !== undefined ? only.json : onOf(feature);
    if (share === 1 && chosen.length < 2) return { kind: 'value', json: plain };
    const shares =
      chosen.length < 2
        ? [{ name: 'on', json: plain, share }]
        : chosen.map(({ name, json, weight }) => ({ name, json, share: (share * weight) / total }));
    return { kind: 'shares', salt: salt.slice(0, saltLengthMax), shares };
  }

  #add(
    outcome: 'approximated' | 'left-out',
    { name }: UnleashFeature,
    path: readonly string[],
    message: string,
  ): void {
    this.#findings.set(name, (this.#findings.get(name) ?? 0) + 1);
    this.#report.add(outcome, name, pointerText(path), message);
  }
}

function rejectProblem(when: Condition): void {
  const problem = conditionProblem(when);
  if (problem !== null) throw new NotCarried(`Loadout does not admit the condition: ${problem}`);
}

function sumOf({ shares }: Extract<Served, { kind: 'shares' }>): number {
  return shares.reduce((sum, { share }) => sum + share, 0) + 1e-9;
}

function latest(instants: readonly (number | null)[]): number | null {
  const known = instants.flatMap((instant) => instant ?? []);
  return known.length === 0 ? null : Math.max(...known);
}

function earliest(instants: readonly (number | null)[]): number | null {
  const known = instants.flatMap((instant) => instant ?? []);
  return known.length === 0 ? null : Math.min(...known);
}

/** A feature is a boolean, unless it has variants: then an object in all its values, which games can rely on. */
function hasVariants({ variants, strategies }: UnleashFeature): boolean {
  const lists = strategies.map(({ value }) => value['variants']);
  return variants.length > 0 || lists.some((list) => Array.isArray(list) && list.some(isObject));
}

function offOf(feature: UnleashFeature): string {
  return hasVariants(feature) ? '{"enabled":false}' : 'false';
}

function onOf(feature: UnleashFeature): string {
  return hasVariants(feature) ? '{"enabled":true}' : 'true';
}
