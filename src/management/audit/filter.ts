/** The events that a request asks for, of those that its user may see. */
import { parseInstant } from '../../content/mapping/instant.js';
import type { AuditQuery } from '../../contract/operations/audit.js';
import type { User } from '../store/users/users.js';
import type { AuditFilter } from './rows.js';

export function auditFilterOf(query: AuditQuery, user: Pick<User, 'environments'>): AuditFilter {
  const { environment, from, until, ...rest } = query;
  return {
    ...rest,
    environments: environmentsOf(environment, user),
    fromMs: from === undefined ? undefined : (parseInstant(from) ?? undefined),
    untilMs: until === undefined ? undefined : (parseInstant(until) ?? undefined),
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
