/** The demo's team at work: each member calls the admin API with a token of their own. */

import { strict as assert } from 'node:assert';
import {
  type ArgumentsOf,
  JsonText,
  type KnownRoute,
  type ResponseTo,
} from '../../contract/client.js';
import { AdminClient } from '../client/admin-client.js';
import { jsonBody } from '../terminal/json-body.js';
import type { DemoGame, HistoryStep, SaveStep } from './demo-game.js';
import { type DemoTime, demoTimeMs } from './demo-time.js';

export const stagingName = 'staging';
export const productionName = 'production';

interface TeamPlace {
  readonly game: DemoGame;
  readonly nowMs: number;
  /** The admin API, without a slash at the end. */
  readonly url: string;
  readonly ownerToken: string | null;
  /** Origin of the URLs of the webhooks. */
  readonly receiverUrl: string;
}

export class Team {
  readonly #place: TeamPlace;
  readonly #clients = new Map<string, AdminClient>();
  /** By person. */
  readonly tokens = new Map<string, string>();
  /** By label. */
  readonly keys = new Map<string, ResponseTo<'POST /environments/:env/keys'>>();

  constructor(place: TeamPlace) {
    this.#place = place;
    this.#clients.set('owner', new AdminClient(place.url, place.ownerToken));
  }

  perform(step: HistoryStep): Promise<unknown> {
    const { by } = step;
    if ('save' in step) return this.#save(step);
    if ('segment' in step) return this.#saveSegment(by, step);
    if ('sync' in step) return this.#sync(by);
    if ('join' in step) return this.#join(step.join);
    if ('key' in step) return this.#makeKey(by, step.in, step.key, step.expires);
    if ('revoke' in step) {
      const params = { env: step.in, keyId: this.keys.get(step.revoke)?.id ?? '' };
      return this.#request(by, 'DELETE /environments/:env/keys/:keyId', { params });
    }
    const { request, params, body } = step;
    const url = body?.url === undefined ? {} : { url: this.#place.receiverUrl + body.url };
    return this.#request(by, request, { params, body: body && { ...body, ...url } } as never);
  }

  async #request<R extends KnownRoute>(
    by: string,
    route: R,
    args: ArgumentsOf<R>,
  ): Promise<ResponseTo<R>> {
    const client = this.#clients.get(by);
    assert(client !== undefined, `${by} is not in the team yet`);
    return (await client.request(route, args)).value;
  }

  async #join(person: string): Promise<void> {
    const body = this.#place.game.people[person];
    assert(body !== undefined, `${person} is not described`);
    const { token } = await this.#request('owner', 'POST /users', { body });
    this.#clients.set(person, new AdminClient(this.#place.url, token));
    this.tokens.set(person, token);
  }

  async #save({ by, save: id, note, changes, mapping, draft, in: env }: SaveStep): Promise<void> {
    const content = this.#place.game.contents.get(id);
    assert(content !== undefined, `${id} is not in the folder`);
    const params = { env: env ?? stagingName, id };
    const publish = draft === true ? false : undefined;
    let body: string;
    if (changes === undefined && mapping === undefined) {
      const { description, tags, lines, flags, schema } = content;
      const texts = { schema: textOf(schema) };
      body = jsonBody({ description, tags, lines, flags, note, publish }, texts);
    } else {
      const { lines } = await this.#request(by, 'GET /environments/:env/contents/:id', { params });
      const line = lines.at(-1);
      assert(line !== undefined, `${id} has no version line`);
      const text = (changes ?? []).reduce(replaceOnce, line.text);
      const texts = { mapping: mapping && textOf(content.mapping) };
      body = jsonBody({ text, appVersion: line.appVersion, note, publish }, texts);
    }
    const route = 'PUT /environments/:env/contents/:id';
    await this.#request(by, route, { params, body: new JsonText(body) });
  }

  #saveSegment(
    by: string,
    { segment: name, description, when }: Extract<HistoryStep, { readonly segment: string }>,
  ): Promise<unknown> {
    const first = this.#place.game.segments.get(name);
    const texts = { when: when === undefined ? textOf(first?.when) : JSON.stringify(when) };
    const body = jsonBody({ description: description ?? first?.description }, texts);
    const params = { env: stagingName, name };
    const route = 'PUT /environments/:env/segments/:name';
    return this.#request(by, route, { params, body: new JsonText(body) });
  }

  async #makeKey(by: string, env: string, label: string, expires?: DemoTime): Promise<void> {
    const expiresAt =
      expires === undefined ? null : new Date(demoTimeMs(this.#place.nowMs, expires)).toISOString();
    const body = { label, expiresAt };
    const route = 'POST /environments/:env/keys';
    this.keys.set(label, await this.#request(by, route, { params: { env }, body }));
  }

  /** Production is protected: a dry run first, then exactly what it showed. */
  async #sync(by: string): Promise<void> {
    const route = 'POST /environments/:env/sync';
    const params = { env: productionName };
    const from = stagingName;
    const { plan } = await this.#request(by, route, { params, body: { from, dryRun: true } });
    await this.#request(by, route, { params, body: { from, plan } });
  }
}

/** The JSON text of a member of the folder; undefined where it has none. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function replaceOnce(text: string, [before, after]: readonly [string, string]): string {
  const parts = text.split(before);
  assert(parts.length === 2, `"${before}" occurs ${parts.length - 1} times in a text of the demo`);
  return parts.join(after);
}
