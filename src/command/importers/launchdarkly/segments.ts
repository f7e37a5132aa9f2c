/** LaunchDarkly's segments as conditions: saved ones, and parts of the conditions of rules that name several. */

import { pointerText } from '../../../content/json/pointer-text.js';
import { allOf, anyOf, type Condition, conditionProblem, never, not } from '../conditions.js';
import type { ConvertedSegment } from '../conversion.js';
import type { ReportBuilder } from '../conversion-report.js';
import { segmentName } from '../names.js';
import { NotCarried } from '../not-carried.js';
import { checkMembers, type JsonObject, objectsIn } from '../source.js';
import { type ClauseRemarks, clauseCondition, contextKey } from './clauses.js';
import type { LaunchDarklySegment } from './read-export.js';
import { clauseMembers, segmentRuleMembers, segmentTargetMembers } from './schema.js';

/** Weights are thousandths of a percent. */
export const weightOfAll = 100_000;

export class Segments {
  readonly #segments: ReadonlyMap<string, LaunchDarklySegment>;
  readonly #report: ReportBuilder;
  /** Null: it cannot be carried over; `undefined` while it is made, by which a circle is noticed. */
  readonly #conditions = new Map<string, Condition | null | undefined>();

  constructor(segments: ReadonlyMap<string, LaunchDarklySegment>, report: ReportBuilder) {
    this.#segments = segments;
    this.#report = report;
  }

  /** Those that can be carried over. */
  convert(): ConvertedSegment[] {
    return [...this.#segments.values()].flatMap(({ key, description }) => {
      const condition = this.#condition(key);
      if (condition === null || condition === undefined) return [];
      const name = segmentName(key);
      this.#report.renamed('segment', key, name);
      return [{ name, description, when: JSON.stringify(condition) }];
    });
  }

  /** The saved segment that says what these clauses say; null: none does. */
  savedAs(clauses: readonly JsonObject[]): string | null {
    const [clause, ...others] = clauses;
    if (clause?.['op'] !== 'segmentMatch' || clause['negate'] === true || others.length > 0)
      return null;
    const [key, ...more] = Array.isArray(clause['values']) ? clause['values'].map(String) : [];
    if (key === undefined || more.length > 0) return null;
    return this.#conditions.get(key) ? segmentName(key) : null;
  }

  /** @throws NotCarried */
  clauses(
    parent: JsonObject,
    path: readonly string[],
    name: string,
    remarks: ClauseRemarks,
  ): Condition {
    const clauses = objectsIn(parent, 'clauses', path);
    return allOf(
      clauses.map((clause, index) => {
        checkMembers(
          clause,
          clauseMembers,
          name,
          [...path, 'clauses', String(index)],
          this.#report,
        );
        if (clause['op'] !== 'segmentMatch') return clauseCondition(clause, remarks);
        const values = Array.isArray(clause['values']) ? clause['values'].map(String) : [];
        const condition = anyOf(values.map((key) => this.#required(key)));
        return clause['negate'] === true ? not(condition) : condition;
      }),
    );
  }

  /** A segment that is not there has nobody in it. */
  #required(key: string): Condition {
    if (!this.#segments.has(key)) return never;
    const condition = this.#condition(key);
    if (condition === undefined) throw new NotCarried(`the segment ${key} refers to itself`);
    if (condition === null) throw new NotCarried(`the segment ${key} cannot be carried over`);
    return condition;
  }

  #condition(key: string): Condition | null | undefined {
    const source = this.#segments.get(key);
    if (source === undefined || this.#conditions.has(key)) return this.#conditions.get(key);
    this.#conditions.set(key, undefined);
    const path = pointerText(source.path);
    const differences = new Set<string>();
    let condition: Condition | null = null;
    try {
      condition = this.#make(source, {
        differs: (message) => differences.add(message),
        reads: (attribute, meaning) => readAttribute(this.#report, attribute, meaning),
      });
      const problem = conditionProblem(condition);
      if (problem !== null)
        throw new NotCarried(`Loadout does not admit its condition: ${problem}`);
      for (const message of differences) this.#report.add('approximated', key, path, message);
      if (differences.size === 0) this.#report.add('exact', key, path, 'segment');
    } catch (error) {
      if (!(error instanceof NotCarried)) throw error;
      condition = null;
      const message = `${error.message}; rules that name the segment never hold`;
      this.#report.add('left-out', key, path, message);
    }
    this.#conditions.set(key, condition);
    return condition;
  }

  #make({ key, segment, path }: LaunchDarklySegment, remarks: ClauseRemarks): Condition {
    if (segment['unbounded'] === true) {
      throw new NotCarried('it is a big segment, whose members are not in the export');
    }
    const rules = objectsIn(segment, 'rules', path).map((rule, index) => {
      const at = [...path, 'rules', String(index)];
      checkMembers(rule, segmentRuleMembers, key, at, this.#report);
      const { weight } = rule;
      if (typeof weight === 'number' && weight < weightOfAll) {
        throw new NotCarried('a rule takes a share of the players, which a condition cannot');
      }
      return this.clauses(rule, at, key, remarks);
    });
    const included = this.#targets(segment, 'included', 'includedContexts', path, remarks);
    const excluded = this.#targets(segment, 'excluded', 'excludedContexts', path, remarks);
    const byRule = anyOf(rules);
    const rest = excluded.length === 0 ? byRule : allOf([not(anyOf(excluded)), byRule]);
    return rules.length === 0 ? anyOf(included) : anyOf([...included, rest]);
  }

  #targets(
    segment: JsonObject,
    users: string,
    contexts: string,
    path: readonly string[],
    remarks: ClauseRemarks,
  ): Condition[] {
    const keys = segment[users];
    const targets = [
      ...(Array.isArray(keys) && keys.length > 0 ? [{ values: keys }] : []),
      ...objectsIn(segment, contexts, path),
    ];
    return targets.map((target: JsonObject) => {
      checkMembers(
        target,
        segmentTargetMembers,
        String(segment['key']),
        [...path, contexts],
        this.#report,
      );
      return targetCondition(target, remarks);
    });
  }
}

export function targetCondition(
  { contextKind, values }: JsonObject,
  remarks: ClauseRemarks,
): Condition {
  const path = contextKey(contextKind);
  remarks.reads(path, path === '@u' ? 'key of the user' : `key of the ${String(contextKind)}`);
  const keys = Array.isArray(values) ? values : [];
  return keys.length === 0 ? never : { [path]: { $in: keys } };
}

export function readAttribute(report: ReportBuilder, path: string, meaning: string): void {
  report.needs(path === '@u' ? 'u' : `p.${path}`, meaning);
}
