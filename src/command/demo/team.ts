/** The demo's team at work: each of them calls the admin API with a token of their own. */

import type { ArgumentsOf, KnownRoute, ResponseTo } from '../../contract/client.js';
import type { AdminClient } from '../client/admin-client.js';
import type { PersonId } from './game/people.js';

export const stagingName = 'staging';
export const productionName = 'production';

export class Team {
  readonly #clients = new Map<PersonId, AdminClient>();
  /** What was made and is printed or used later: tokens and keys, by what they are for. */
  readonly secrets = new Map<string, string>();

  join(person: PersonId, client: AdminClient): void {
    this.#clients.set(person, client);
  }

  async request<R extends KnownRoute>(
    person: PersonId,
    route: R,
    args: ArgumentsOf<R>,
  ): Promise<ResponseTo<R>> {
    const client = this.#clients.get(person);
    if (client === undefined) throw new Error(`${person} is not in the team yet`);
    return (await client.request(route, args)).value;
  }

  secret(name: string): string {
    const secret = this.secrets.get(name);
    if (secret === undefined) throw new Error(`nobody made the ${name}`);
    return secret;
  }
}

/** Something that somebody did. */
export interface StoryStep {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  readonly does: (team: Team) => Promise<unknown>;
}
