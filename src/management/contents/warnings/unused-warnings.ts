/**
 * Warns of a condition on an attribute that nothing else has: no other live condition, no sample user and no request. It is
 * mostly misspelled, and matches no player.
 */
import { contentKey } from '../../../content/content-id.js';
import type { ValidationIssue } from '../../../contract/problems.js';
import type { KnownAttribute, KnownAttributes } from '../../attributes/environment-attributes.js';
import { formatNames } from '../../format-names.js';
import { seenAttributesKeptMs } from '../../limits/evaluation.js';
import type { AttributeUse } from './attribute-uses.js';

/** Where the conditions stand that are asked about: they do not count as another use. */
export interface AskedOf {
  /** Id of a content. */
  readonly content?: string | undefined;
  /** Name of a saved segment. */
  readonly segment?: string | undefined;
}

/** @param whole where all of the uses stand: `mapping`, `when` */
export function unusedWarnings(
  uses: readonly AttributeUse[],
  known: KnownAttributes,
  of: AskedOf,
  whole: string,
): ValidationIssue[] {
  if (known.isCut) return [];
  const unused = uses.filter(({ attribute }) => !isUsed(known.byName.get(attribute), of));
  if (unused.length === 0) return [];
  if (!knowsAnything(known, of)) return [{ path: whole, message: describeFirst(unused) }];
  const requests = known.hasSeenAny
    ? `no request of the last ${daysKept} days has carried it`
    : 'no request has carried it yet';
  return unused.map(({ attribute, path }) => ({
    path,
    message: `no other condition and no sample user has the attribute ${JSON.stringify(attribute)}, and ${requests}: does the game send it?`,
  }));
}

const daysKept = seenAttributesKeptMs / (24 * 3_600_000);

function isUsed(known: KnownAttribute | undefined, { content, segment }: AskedOf): boolean {
  if (known === undefined) return false;
  if (known.lastSeenMs !== null || known.sampleUsers.size > 0) return true;
  const key = content === undefined ? null : contentKey(content);
  return (
    [...known.segments].some((name) => name !== segment) ||
    [...known.contents].some((id) => contentKey(id) !== key)
  );
}

/** In an environment where nothing happened yet, one warning for all attributes is enough. */
function knowsAnything({ byName }: KnownAttributes, of: AskedOf): boolean {
  return [...byName.values()].some((known) => isUsed(known, of));
}

function describeFirst(unused: readonly AttributeUse[]): string {
  const [first, second] = unused;
  if (first !== undefined && second === undefined) {
    return `no request has carried the attribute ${JSON.stringify(first.attribute)} yet, and nothing else uses it: does the game send it?`;
  }
  const names = formatNames(unused.map(({ attribute }) => JSON.stringify(attribute)));
  return `no request has carried the attributes ${names} yet, and nothing else uses them: does the game send them?`;
}
