/** What a request asks of the audit, as far as its user may see it. */
import { parseInstant } from '../../content/mapping/instant.js';
import type { AuditQuery } from '../../contract/operations/audit.js';
import type { User } from '../store/users/users.js';
import type { AuditFilter } from './filter.js';
import { placeFilterOf } from './place-filter.js';
import { wordsOf } from './words.js';

/** What users that are no owners see the events of: what they see as well, and nothing about people and their tokens. */
const nounsForAll = [
  ...(['content', 'segment', 'sample-user', 'release'] as const),
  ...(['experiment', 'metric', 'environment', 'key'] as const),
];

export type AuditReader = Pick<User, 'environments' | 'role'>;

export function auditFilterOf(query: AuditQuery, user: AuditReader): AuditFilter {
  const { environment, from, until, words, path, value, ...rest } = query;
  const isOwner = user.role === 'owner';
  return {
    ...rest,
    environments: environmentsOf(environment, user),
    ...(isOwner ? {} : { nouns: nounsForAll, hidesAddresses: true }),
    words: words === undefined ? undefined : wordsOf(words),
    place: placeFilterOf(path, value),
    fromMs: parseInstant(from ?? '') ?? undefined,
    untilMs: parseInstant(until ?? '') ?? undefined,
  };
}

/** An environment that is not the user's has no events for them, like one that does not exist. */
function environmentsOf(
  environment: string | undefined,
  user: Pick<User, 'environments'>,
): readonly string[] | null {
  if (environment === undefined) return user.environments;
  return user.environments?.includes(environment) === false ? [] : [environment];
}
