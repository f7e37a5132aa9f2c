/** The demo's team at work: each of them calls the admin API with a token of their own. */

import type { Method } from '../../contract/operation.js';
import { type AdminClient, adminPath } from '../admin-client.js';
import type { PersonId } from './people.js';

export const stagingName = 'staging';
export const productionName = 'production';

export class Team {
  readonly #clients = new Map<PersonId, AdminClient>();
  /** What was made and is printed or used later: tokens and keys, by what they are for. */
  readonly secrets = new Map<string, string>();

  join(person: PersonId, client: AdminClient): void {
    this.#clients.set(person, client);
  }

  /** @param body JSON text */
  async call<T>(person: PersonId, method: Method, path: string, body?: string): Promise<T> {
    const client = this.#clients.get(person);
    if (client === undefined) throw new Error(`${person} is not in the team yet`);
    return (await client.call<T>(method, path, body ?? null)).value;
  }

  secret(name: string): string {
    const secret = this.secrets.get(name);
    if (secret === undefined) throw new Error(`nobody made the ${name}`);
    return secret;
  }
}

export function inEnvironment(environment: string, ...parts: readonly string[]): string {
  return adminPath('environments', environment, ...parts);
}

/** Something that somebody did. */
export interface StoryStep {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  readonly does: (team: Team) => Promise<unknown>;
}
