/** Whom a strategy is for, before its constraints: everybody, some ids, or a share of the players. */

import type { Condition } from '../conditions.js';
import { NotCarried } from '../not-carried.js';
import { isObject, type JsonObject } from '../source.js';
import { type ConstraintRemarks, fieldPath } from './constraints.js';

export interface Audience {
  readonly when: Condition;
  /** 0 to 1. */
  readonly share: number;
  readonly salt: string;
}

const idSeparator = /\s*,\s*/;

/** Null: nobody. @throws NotCarried */
export function audienceOf(
  strategy: JsonObject,
  feature: string,
  remarks: ConstraintRemarks,
): Audience | null {
  const parameters = isObject(strategy['parameters']) ? strategy['parameters'] : {};
  const text = (name: string): string => String(parameters[name] ?? '');
  const salt = text('groupId') || feature;
  const everybody = { when: {}, share: 1, salt };
  switch (strategy['name']) {
    case 'default':
      return everybody;
    case 'userWithId': {
      const ids = text('userIds') === '' ? [] : text('userIds').split(idSeparator);
      if (ids.length === 0) return null;
      return { ...everybody, when: { [fieldPath('userId', remarks.report)]: { $in: ids } } };
    }
    case 'flexibleRollout':
      return shareOf(Number(text('rollout')), text('stickiness') || 'default', salt, remarks);
    case 'gradualRolloutUserId':
      return shareOf(Number(text('percentage')), 'userId', salt, remarks);
    case 'gradualRolloutSessionId':
      return shareOf(Number(text('percentage')), 'sessionId', salt, remarks);
    case 'gradualRolloutRandom':
      return shareOf(Number(text('percentage')), 'random', salt, remarks);
    case 'remoteAddress':
    case 'applicationHostname':
      throw new NotCarried(`${strategy['name']} tests what a game cannot say of itself`);
    default:
      throw new NotCarried(`${String(strategy['name'])} is a strategy of your own`);
  }
}

function shareOf(
  percent: number,
  stickiness: string,
  salt: string,
  remarks: ConstraintRemarks,
): Audience | null {
  if (Number.isNaN(percent) || percent <= 0) return null;
  const isAnyone = stickiness === 'default' || stickiness === 'random';
  // Who has no value for the stickiness is in no share, not even in 100 %.
  const path = fieldPath(isAnyone ? 'userId' : stickiness, remarks.report);
  const known: Condition = { [path]: path === '@u' ? { $ne: '' } : { $exists: true, $ne: '' } };
  if (percent >= 100) return { when: isAnyone ? {} : known, share: 1, salt };
  if (stickiness === 'random') remarks.differs('a player keeps the share: it is not drawn anew');
  else if (path !== '@u') remarks.differs(`shares divide players by u instead of ${stickiness}`);
  return { when: { '@u': { $ne: '' }, ...known }, share: percent / 100, salt };
}
