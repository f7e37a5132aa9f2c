/** The users that follow a release, and what each is to hold before it and after it. */
import { type Environment, expectDone } from '../server/environment.js';
import type { Caller } from './client.js';
import { releaseItemIds } from './release-items.js';

/** Users that differ in all that the items look at. */
export function callersOf(users: number): Caller[] {
  const versions = [undefined, '0.9.0', '1.5.0', '2.0.0'];
  const named = Array.from({ length: users }, (_, at): Caller => {
    const v = versions[at % versions.length];
    return { u: `player-${at}`, p: { level: at % 8 }, ...(v === undefined ? {} : { v }) };
  });
  return [...named, { p: { level: 7 } }, { u: '', v: '2.0.0' }];
}

/** What each caller is given in an environment, by id: the texts of the items that it has there. */
export async function endsOf(
  environment: Environment,
  callers: readonly Caller[],
): Promise<ReadonlyMap<string, string>[]> {
  return Promise.all(
    callers.map(async (caller) => {
      const items = new Map<string, string>();
      for (const id of releaseItemIds) {
        const answer = await environment.wrapped(id, { ...caller });
        if (answer.status !== 404) items.set(id, expectDone(answer).text);
      }
      return items;
    }),
  );
}
