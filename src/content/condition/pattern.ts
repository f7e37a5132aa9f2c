/** Compiles the regular expressions of conditions to matchers that run in linear time whatever they are given. */

import { RE2JS } from 're2js';
import { patternLengthMax, patternProgramMax } from './condition-limits.js';
import { MeteredPattern } from './metered-pattern.js';
import { estimatePatternSize } from './pattern-size.js';

/** Why a pattern was not compiled. */
export class PatternIssue {
  readonly message: string;
  /** True when the pattern is no regular expression in JavaScript either. */
  readonly malformed: boolean;

  constructor(message: string, malformed: boolean) {
    this.message = message;
    this.malformed = malformed;
  }
}

/** Compiles `source`, written in JavaScript's syntax as far as RE2 has it: no lookaround, no back-reference. */
export function compilePattern(source: string, ignoreCase: boolean): MeteredPattern | PatternIssue {
  if (source.length > patternLengthMax) {
    return new PatternIssue(
      `has ${source.length} characters; the limit is ${patternLengthMax}`,
      false,
    );
  }
  if (estimatePatternSize(source) > patternProgramMax) return tooLarge();
  try {
    const flags = ignoreCase ? RE2JS.CASE_INSENSITIVE : 0;
    const pattern = RE2JS.compile(RE2JS.translateRegExp(source), flags);
    return pattern.programSize() > patternProgramMax ? tooLarge() : new MeteredPattern(pattern);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (!isRegExp(source)) return new PatternIssue(reason, true);
    return new PatternIssue(`${reason} (matching is linear-time: RE2 syntax)`, false);
  }
}

function tooLarge(): PatternIssue {
  const limit = `the limit is ${patternProgramMax} steps`;
  return new PatternIssue(`is too large once its repetitions are written out; ${limit}`, false);
}

/** Whether JavaScript takes `source` for a regular expression. Only parses it: nothing is ever matched with it. */
function isRegExp(source: string): boolean {
  try {
    new RegExp(source);
    return true;
  } catch {
    return false;
  }
}
