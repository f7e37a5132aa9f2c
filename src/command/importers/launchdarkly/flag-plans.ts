/** A flag as steps, the first of which that holds decides: targets, rules, the default rule; and what other flags have to do with it. */

import { pointerText } from '../../../content/json/pointer-text.js';
import {
  allOf,
  always,
  anyOf,
  type Condition,
  conditionProblem,
  never,
  not,
} from '../conditions.js';
import type { ReportBuilder } from '../conversion-report.js';
import type { FlagPlan, FlagStep } from '../flags/flag-content.js';
import { NotCarried } from '../not-carried.js';
import { checkMembers, type JsonObject, objectIn, objectsIn } from '../source.js';
import type { ClauseRemarks } from './clauses.js';
import type { LaunchDarklyFlag } from './read-export.js';
import { prerequisiteMembers, ruleMembers, servedMembers, targetMembers } from './schema.js';
import { readAttribute, type Segments, targetCondition } from './segments.js';
import { servingOf } from './serving.js';

/** A step before it is known what the prerequisites say. */
interface Matcher {
  readonly step: FlagStep;
  /** Index of the variation; null: a rollout decides. */
  readonly variation: number | null;
}

export class FlagPlans {
  readonly #flags: ReadonlyMap<string, LaunchDarklyFlag>;
  readonly #segments: Segments;
  readonly #report: ReportBuilder;
  readonly #matchers = new Map<string, readonly Matcher[] | null>();
  /** Of each flag, what was found about it. */
  readonly #findings = new Map<string, number>();

  constructor(
    flags: ReadonlyMap<string, LaunchDarklyFlag>,
    segments: Segments,
    report: ReportBuilder,
  ) {
    this.#flags = flags;
    this.#segments = segments;
    this.#report = report;
  }

  plan(flag: LaunchDarklyFlag): FlagPlan {
    const { key, description, config } = flag;
    const off = this.#off(flag);
    const plan = { key, description };
    if (config['on'] !== true) {
      this.#carried(flag);
      return { ...plan, json: off, steps: [] };
    }
    const matchers = this.#matchersOf(flag);
    if (matchers === null) return { ...plan, json: off, steps: [] };
    const steps = matchers.map(({ step }) => step);
    const hasPrerequisites = objectsIn(config, 'prerequisites', flag.path).length > 0;
    if (hasPrerequisites) return { ...plan, json: off, steps: this.#behind(flag, steps) };
    this.#carried(flag);
    const last = steps.at(-1);
    if (last?.served.kind !== 'value') return { ...plan, json: off, steps };
    return { ...plan, json: last.served.json, steps: steps.slice(0, -1) };
  }

  /** The steps, for players for whom the flags that this one requires give what it requires. */
  #behind(flag: LaunchDarklyFlag, steps: readonly FlagStep[]): readonly FlagStep[] {
    try {
      const required = this.#prerequisites(flag, [flag.key]);
      const all = steps.map((step) => {
        const when = allOf([required, step.when]);
        const problem = conditionProblem(when);
        if (problem !== null)
          throw new NotCarried(`Loadout does not admit the condition: ${problem}`);
        return { ...step, when, segment: null };
      });
      const message =
        'what the prerequisites say is copied into the conditions: it does not follow later edits of the other flags';
      this.#add('approximated', flag, flag.path, message);
      return all;
    } catch (error) {
      if (!(error instanceof NotCarried)) throw error;
      const message = `${error.message}; players get the variation of a flag that is off`;
      this.#add('left-out', flag, [...flag.path, 'prerequisites'], message);
      return [];
    }
  }

  /** @throws NotCarried */
  #prerequisites({ key, config, path }: LaunchDarklyFlag, visited: readonly string[]): Condition {
    return allOf(
      objectsIn(config, 'prerequisites', path).map((prerequisite, index) => {
        const at = [...path, 'prerequisites', String(index)];
        checkMembers(prerequisite, prerequisiteMembers, key, at, this.#report);
        const { key: other, variation } = prerequisite;
        return this.#gives(String(other), Number(variation), visited);
      }),
    );
  }

  /** When the flag is on and gives the variation. */
  #gives(key: string, variation: number, visited: readonly string[]): Condition {
    const flag = this.#flags.get(key);
    if (flag === undefined || flag.config['on'] !== true) return never;
    if (visited.includes(key)) throw new NotCarried(`the flag requires itself, by way of ${key}`);
    const matchers = this.#matchersOf(flag);
    if (matchers === null) throw new NotCarried(`it requires ${key}, which cannot be carried over`);
    const earlier: Condition[] = [];
    const options: Condition[] = [];
    for (const { step, variation: given } of matchers) {
      if (given === null)
        throw new NotCarried(
          `it requires ${key}, which gives shares of the players different variations`,
        );
      if (given === variation) options.push(allOf([step.when, ...earlier]));
      earlier.push(not(step.when));
    }
    const required = this.#prerequisites(flag, [...visited, key]);
    const given = allOf([required, anyOf(options)]);
    // A flag that is on and lacks what it requires gives its off variation, which counts as given.
    return flag.config['offVariation'] === variation ? anyOf([given, not(required)]) : given;
  }

  /** Null: its default rule cannot be carried over. A rule that cannot is left out. */
  #matchersOf(flag: LaunchDarklyFlag): readonly Matcher[] | null {
    const known = this.#matchers.get(flag.key);
    if (known !== undefined) return known;
    const made = this.#makeMatchers(flag);
    this.#matchers.set(flag.key, made);
    return made;
  }

  #makeMatchers(flag: LaunchDarklyFlag): readonly Matcher[] | null {
    const { key, config, path } = flag;
    const matchers = this.#targets(flag);
    for (const [index, rule] of objectsIn(config, 'rules', path).entries()) {
      const at = [...path, 'rules', String(index)];
      checkMembers(rule, ruleMembers, key, at, this.#report);
      if (rule['disabled'] === true) continue;
      const { description } = rule;
      const label =
        typeof description === 'string' && description !== '' ? description : `rule ${index + 1}`;
      const clauses = objectsIn(rule, 'clauses', at);
      const matcher = this.#attempt(flag, at, 'the rule never holds', (remarks) => {
        const when = this.#segments.clauses(rule, at, key, remarks);
        const segment = this.#segments.savedAs(clauses);
        return this.#matcher(flag, { name: `${key}: ${label}`, when, segment }, rule, at);
      });
      if (matcher !== null) matchers.push(matcher);
    }
    const at = [...path, 'fallthrough'];
    const fallthrough = objectIn(config, 'fallthrough', path);
    checkMembers(fallthrough, servedMembers, key, at, this.#report);
    const last = this.#attempt(flag, at, 'players get the variation of a flag that is off', () =>
      this.#matcher(
        flag,
        { name: `${key}: default`, when: always, segment: null },
        fallthrough,
        at,
      ),
    );
    return last === null ? null : [...matchers, last];
  }

  /** Individual targets. With targets of other kinds, those say in which order the users are looked at. */
  #targets(flag: LaunchDarklyFlag): Matcher[] {
    const { key, config, path } = flag;
    const users = objectsIn(config, 'targets', path);
    const contexts = objectsIn(config, 'contextTargets', path);
    for (const [name, list] of [
      ['targets', users],
      ['contextTargets', contexts],
    ] as const) {
      for (const [index, target] of list.entries()) {
        checkMembers(target, targetMembers, key, [...path, name, String(index)], this.#report);
      }
    }
    const isUser = ({ contextKind }: JsonObject): boolean => !contextKind || contextKind === 'user';
    const listed = contexts.flatMap((target) =>
      isUser(target)
        ? users.filter(({ variation }) => variation === target['variation']).slice(0, 1)
        : [target],
    );
    const targets = contexts.length === 0 ? users : listed;
    return targets.flatMap((target) => {
      const made = this.#attempt(
        flag,
        [...path, 'targets'],
        'its players get what rules say',
        (remarks) => {
          const when = targetCondition(target, remarks);
          return this.#matcher(
            flag,
            { name: `${key}: targets`, when, segment: null },
            target,
            path,
          );
        },
      );
      return made === null ? [] : [made];
    });
  }

  #attempt(
    flag: LaunchDarklyFlag,
    path: readonly string[],
    instead: string,
    make: (remarks: ClauseRemarks) => Matcher,
  ): Matcher | null {
    const differences = new Set<string>();
    try {
      const matcher = make({
        differs: (message) => differences.add(message),
        reads: (attribute, meaning) => readAttribute(this.#report, attribute, meaning),
      });
      const problem = conditionProblem(matcher.step.when);
      if (problem !== null)
        throw new NotCarried(`Loadout does not admit the condition: ${problem}`);
      for (const message of differences) this.#add('approximated', flag, path, message);
      return matcher;
    } catch (error) {
      if (!(error instanceof NotCarried)) throw error;
      this.#add('left-out', flag, path, `${error.message}; ${instead}`);
      return null;
    }
  }

  /** @throws NotCarried */
  #matcher(
    flag: LaunchDarklyFlag,
    parts: Pick<FlagStep, 'name' | 'when' | 'segment'>,
    source: JsonObject,
    path: readonly string[],
  ): Matcher {
    const { served, variation } = servingOf(flag, source, path, this.#report, (at, message) =>
      this.#add('approximated', flag, at, message),
    );
    return { step: { ...parts, served }, variation };
  }

  #off(flag: LaunchDarklyFlag): string | null {
    const { offVariation } = flag.config;
    if (typeof offVariation !== 'number') return null;
    return flag.variations[offVariation] ?? null;
  }

  #carried(flag: LaunchDarklyFlag): void {
    if ((this.#findings.get(flag.key) ?? 0) > 0) return;
    this.#report.add('exact', flag.key, pointerText(flag.path), 'flag');
  }

  #add(
    outcome: 'approximated' | 'left-out',
    flag: LaunchDarklyFlag,
    path: readonly string[],
    message: string,
  ): void {
    this.#findings.set(flag.key, (this.#findings.get(flag.key) ?? 0) + 1);
    this.#report.add(outcome, flag.key, pointerText(path), message);
  }
}
