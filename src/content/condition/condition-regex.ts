/** The operators `$regex $regexi $notRegex $notRegexi`. The text of an attribute is matched, whatever its type. */

import type { EvaluationContext } from '../evaluation-context.js';
import { never, type Site, type Test } from './condition-site.js';
import { attributeText } from './derived-texts.js';
import type { MeteredPattern } from './metered-pattern.js';
import { compilePattern, PatternIssue } from './pattern.js';

export function compileRegex(source: unknown, site: Site): Test {
  return compileMatch(source, site, false);
}

export function compileRegexi(source: unknown, site: Site): Test {
  return compileMatch(source, site, true);
}

export function compileNotRegex(source: unknown, site: Site): Test {
  return compileMismatch(source, site, false);
}

export function compileNotRegexi(source: unknown, site: Site): Test {
  return compileMismatch(source, site, true);
}

/** A malformed pattern matches no user: the dialect's published cases want it accepted, so it is only a warning. */
function compileMatch(source: unknown, site: Site, ignoreCase: boolean): Test {
  const pattern = patternOf(source, site, ignoreCase);
  if (pattern instanceof PatternIssue) {
    if (!pattern.malformed) return site.reject(pattern.message);
    site.warn(`${pattern.message}, so it never holds`);
    return never;
  }
  return (value, caller) => matches(pattern, value, caller);
}

/** A malformed pattern would match every user here, which no published case asks for: it is rejected. */
function compileMismatch(source: unknown, site: Site, ignoreCase: boolean): Test {
  const pattern = patternOf(source, site, ignoreCase);
  if (pattern instanceof PatternIssue) return site.reject(pattern.message);
  return (value, caller) => !matches(pattern, value, caller);
}

function patternOf(
  source: unknown,
  site: Site,
  ignoreCase: boolean,
): MeteredPattern | PatternIssue {
  if (typeof source !== 'string') return new PatternIssue('is not a text', true);
  return site.countPattern() ? compilePattern(source, ignoreCase) : tooMany;
}

// Stands in for a pattern that is not compiled because the condition is rejected already.
const tooMany = new PatternIssue('is one regular expression too many', true);

function matches(pattern: MeteredPattern, value: unknown, caller: EvaluationContext): boolean {
  const text = attributeText(value, caller);
  return text !== null && pattern.test(text, caller);
}
