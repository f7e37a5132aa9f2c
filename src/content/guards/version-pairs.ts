/** Which version line a player of an app version has now, and which one the same player had. */

import type { LineEnvelope } from '../envelope/line-envelope.js';
import { compareVersions, parseVersion, type Version } from '../version.js';

export interface VersionPair {
  /** The lowest app version of these players. */
  readonly version: string;
  readonly now: LineEnvelope;
  readonly base: LineEnvelope;
}

/**
 * One pair for each version at which a line begins, on either side: the lines that players of that version are given. A new
 * line is paired with the one below it, and so is a line that is gone. Without a line below there is nothing to compare.
 */
export function pairVersions(
  now: readonly LineEnvelope[],
  base: readonly LineEnvelope[],
): VersionPair[] {
  const versions = new Map<string, Version>();
  for (const { version } of [...now, ...base]) {
    const parsed = parseVersion(version);
    if (parsed !== null) versions.set(version, parsed);
  }
  const ascending = [...versions].sort(([, a], [, b]) => compareVersions(a, b));
  const pairs: VersionPair[] = [];
  for (const [version, parsed] of ascending) {
    const lines = [lineFor(now, parsed), lineFor(base, parsed)] as const;
    if (lines[0] !== null && lines[1] !== null)
      pairs.push({ version, now: lines[0], base: lines[1] });
  }
  return pairs;
}

/** The line with the highest minimum that is not above the version, or null. */
function lineFor(lines: readonly LineEnvelope[], version: Version): LineEnvelope | null {
  let found: { line: LineEnvelope; from: Version } | null = null;
  for (const line of lines) {
    const from = parseVersion(line.version);
    if (from === null || compareVersions(from, version) > 0) continue;
    if (found === null || compareVersions(found.from, from) < 0) found = { line, from };
  }
  return found?.line ?? null;
}
