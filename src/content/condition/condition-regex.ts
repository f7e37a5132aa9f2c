/** The operators `$regex $regexi $notRegex $notRegexi`. The text of an attribute is matched, whatever its type. */

import { attributeText } from './attribute-text.js';
import { never, type Site, type Test } from './condition-site.js';
import { compilePattern, type Pattern, PatternFault } from './pattern.js';

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

/** A malformed pattern matches nobody: the dialect's published cases want it accepted, so it is only a warning. */
function compileMatch(source: unknown, site: Site, ignoreCase: boolean): Test {
  const pattern = patternOf(source, site, ignoreCase);
  if (pattern instanceof PatternFault) {
    if (!pattern.malformed) return site.refuse(pattern.message);
    site.warn(`${pattern.message}, so it never holds`);
    return never;
  }
  return (value) => matches(pattern, value);
}

/** A malformed pattern would hold for everybody here, which no published case asks for: it is refused. */
function compileMismatch(source: unknown, site: Site, ignoreCase: boolean): Test {
  const pattern = patternOf(source, site, ignoreCase);
  if (pattern instanceof PatternFault) return site.refuse(pattern.message);
  return (value) => !matches(pattern, value);
}

function patternOf(source: unknown, site: Site, ignoreCase: boolean): Pattern | PatternFault {
  if (typeof source !== 'string') return new PatternFault('is not a text', true);
  return site.countPattern() ? compilePattern(source, ignoreCase) : tooMany;
}

// Stands in for a pattern that is not compiled because the condition is refused already.
const tooMany = new PatternFault('is one regular expression too many', true);

function matches(pattern: Pattern, value: unknown): boolean {
  const text = attributeText(value);
  return text !== null && pattern.test(text);
}
