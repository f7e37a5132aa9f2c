/** The only way from a tool to the server: routes of the list, with bodies of permitted members. */

import { AdminClient } from '../command/client/admin-client.js';
import { CommandFailure } from '../command/terminal/failure.js';
import type { ArgumentsOf, ResponseTo } from '../contract/client.js';
import { type DraftRoute, draftRoutes, type ReadRoute, readRoutes } from './allowed-routes.js';

const reads: ReadonlySet<string> = new Set(readRoutes);

export interface Connection {
  /** Without a slash at its end. */
  readonly url: string;
  readonly token: string | null;
}

export class AssistantClient {
  readonly #client: AdminClient;

  /** @param signal ends its requests */
  constructor({ url, token }: Connection, signal: AbortSignal) {
    this.#client = new AdminClient(url, token, { signal });
  }

  /** @throws CommandFailure when the server rejects it, or the route is not one that changes nothing */
  async read<R extends ReadRoute>(route: R, args: ArgumentsOf<R>): Promise<ResponseTo<R>> {
    if (!reads.has(route)) throw notAllowed(route);
    return (await this.#client.request(route, args)).value;
  }

  /** @throws CommandFailure when the server rejects it, or the route is not one that saves a draft */
  async draft<R extends DraftRoute>(
    route: R,
    params: Readonly<Record<string, string>>,
    body: Readonly<Record<string, unknown>>,
  ): Promise<ResponseTo<R>> {
    if (!Object.hasOwn(draftRoutes, route)) throw notAllowed(route);
    const args = { params, body: draftRoutes[route](body) } as unknown as ArgumentsOf<R>;
    return (await this.#client.request(route, args)).value;
  }
}

function notAllowed(route: string): CommandFailure {
  return new CommandFailure(`An assistant may not use ${route}.`);
}
