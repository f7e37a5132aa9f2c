/** Edits on a running server between which players ask: what both lookups and cohorts are compared with. */
import { eventually } from '../../support/eventually.js';
import { type Environment, expectDone } from '../../support/server/environment.js';
import { TestedRelease } from '../../support/server/release.js';
import { send } from '../../support/wire/exchange.js';

export const iso = (ms: number): string => new Date(ms).toISOString();

/** Lets the clock go on, so that a moment lies strictly between two writes. */
export async function clockPasses(afterMs: number): Promise<void> {
  await eventually('the clock goes on', 5_000, async () => Date.now() > afterMs);
}

/**
 * Runs `ask` while nothing is written, neither at its first moment nor at its last.
 * @returns the first moment, milliseconds since the epoch
 */
export async function betweenWrites(ask: () => Promise<void>): Promise<number> {
  await clockPasses(Date.now() + 1);
  const atMs = Date.now();
  await ask();
  await clockPasses(Date.now());
  return atMs;
}

/** Awaits an edit, then has the players ask. */
export type Edit = (what: string, done: Promise<unknown>) => Promise<void>;

export const editThenAsk =
  (askAll: (what: string) => Promise<void>): Edit =>
  async (what, done) => {
    await done;
    await askAll(what);
  };

/** @param groups first and last bucket of the holdout; null: there is none */
export async function putLayers(
  { server, path }: Environment,
  salt: string,
  groups: readonly [number, number] | null,
): Promise<void> {
  const holdout = groups === null ? null : { salt: 'held', groups };
  const layers = [{ name: 'shop', salt }];
  expectDone(await server.admin('PUT', `${path}/layers`, { layers, holdout }));
}

/** Ramps the newest revision of `shop` in every way that a release can go; `edit` takes each step and its name. */
export async function playRamp(game: Environment, edit: Edit): Promise<void> {
  const { json } = expectDone(await game.server.admin('GET', `${game.path}/contents/shop`));
  const release = await TestedRelease.make(game, {
    changes: [{ kind: 'content', id: 'shop', revision: json.newest ?? json.revision }],
    steps: [{ percent: 50, holdMinutes: 600 }],
  });
  await edit('a ramp starts', release.act('start'));
  await edit('it is paused', release.act('pause'));
  await edit('it goes on', release.act('resume'));
  await edit('it is stopped', release.act('stop'));
  await edit(
    'it starts again',
    release.act('submit').then(() => release.act('start')),
  );
  await edit('it goes live', release.act('live'));
  await edit('it is reverted', release.act('revert'));
}

/** @returns calls as a new user with the role support in an environment: each gives its status */
export async function asSupport({ server, id }: Environment, name: string) {
  const body = { name, role: 'support', environments: [id] };
  const { token } = expectDone(await server.admin('POST', '/admin/v1/users', body)).json;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return async (method: string, path: string, sent?: object): Promise<number> => {
    const content = sent === undefined ? {} : { body: JSON.stringify(sent) };
    return (await send(server.adminUrl, path, { method, headers, ...content })).status;
  };
}
