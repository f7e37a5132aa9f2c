/** Where in a condition the compiler stands, and what it has found so far: issues, warnings and the counts that have limits. */

import type { EvaluationContext } from '../evaluation-context.js';
import {
  conditionFindingsMax,
  conditionPatternsMax,
  conditionTestsMax,
} from './condition-limits.js';

/** A compiled part of a condition. The caller comes along for the names that address it: `@u`, `@v`, `@mod`. */
export type Test = (value: unknown, caller: EvaluationContext) => boolean;

/** One thing that is wrong with a condition, or (as a warning) that can hardly be meant. */
export interface ConditionIssue {
  /** Such as `when.$and[1].level.$gte`. */
  readonly path: string;
  readonly message: string;
}

export const always: Test = () => true;
export const never: Test = () => false;

class Findings {
  readonly issues: ConditionIssue[] = [];
  readonly warnings: ConditionIssue[] = [];
  tests = 0;
  patterns = 0;
}

export class Site {
  readonly path: string;
  /** The value is the caller's app version, `@v`: its comparisons are false when it is absent. */
  readonly appVersion: boolean;
  readonly #findings: Findings;

  private constructor(path: string, appVersion: boolean, findings: Findings) {
    this.path = path;
    this.appVersion = appVersion;
    this.#findings = findings;
  }

  static root(path: string): Site {
    return new Site(path, false, new Findings());
  }

  get issues(): readonly ConditionIssue[] {
    return this.#findings.issues;
  }

  get warnings(): readonly ConditionIssue[] {
    return this.#findings.warnings;
  }

  member(name: string): Site {
    return new Site(`${this.path}.${name}`, this.appVersion, this.#findings);
  }

  element(index: number): Site {
    return new Site(`${this.path}[${index}]`, this.appVersion, this.#findings);
  }

  /** The same place, for a value that is the app version, or that no longer is. */
  of(appVersion: boolean): Site {
    return appVersion === this.appVersion ? this : new Site(this.path, appVersion, this.#findings);
  }

  /** Rejects the condition. The test returned stands in until then. */
  reject(message: string): Test {
    add(this.#findings.issues, { path: this.path, message });
    return never;
  }

  warn(message: string): void {
    add(this.#findings.warnings, { path: this.path, message });
  }

  /** Counts a test that one request may run. */
  countTest(): void {
    if (++this.#findings.tests === conditionTestsMax + 1) {
      this.reject(`the condition has more than ${conditionTestsMax} tests`);
    }
  }

  /** Counts a regular expression; false when there are too many to compile one more. */
  countPattern(): boolean {
    if (++this.#findings.patterns === conditionPatternsMax + 1) {
      this.reject(`the condition has more than ${conditionPatternsMax} regular expressions`);
    }
    return this.#findings.patterns <= conditionPatternsMax;
  }
}

function add(findings: ConditionIssue[], finding: ConditionIssue): void {
  if (findings.length < conditionFindingsMax) findings.push(finding);
}
