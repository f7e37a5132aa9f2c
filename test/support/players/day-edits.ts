/** Edits of content items, segments, layers and whole environments, of which a recorded day is made. */
import type { Environment } from '../server/environment.js';
import { ownerToken } from '../server/server-process.js';
import { send } from '../wire/exchange.js';
import { type DayTexts, itemIds, segmentNames, testedItem } from './day-texts.js';

/** Management rejected an edit: what it needs is not there, or something else holds it. */
export class Rejected extends Error {
  readonly code: string;

  constructor(code: string, detail: string) {
    super(`${code}: ${detail}`);
    this.code = code;
  }
}

/** Sends an admin request of an environment. Throws `Rejected`, or another error where the server has failed. */
export async function edit(
  game: Environment,
  method: string,
  path: string,
  body: object = {},
  // biome-ignore lint/suspicious/noExplicitAny: each edit knows what its response has.
): Promise<any> {
  const sent = method === 'GET' || method === 'DELETE' ? undefined : body;
  const { status, json, text } = await game.server.admin(method, `${game.path}${path}`, sent);
  if (status >= 500) throw new Error(`${method} ${path}: ${status} ${text}`);
  if (status >= 400) throw new Rejected(json.code, `${method} ${path}: ${text}`);
  return json;
}

/** Resolves with the sequence that has the edit; undefined: players are given what they were given. */
export type Edit = () => Promise<number | undefined>;

export class DayEdits {
  /** By what a person would call it. */
  readonly kinds: Readonly<Record<string, Edit>>;
  readonly #game: Environment;
  readonly #staging: Environment;
  readonly #texts: DayTexts;
  /** What the environment once was, as `export` writes it. */
  #exported: string | null = null;

  constructor(game: Environment, staging: Environment, texts: DayTexts) {
    this.#game = game;
    this.#staging = staging;
    this.#texts = texts;
    this.kinds = {
      publish: () => this.#put(game, {}),
      'a mapping': () => this.#putMapping(game),
      'a draft': () => this.#put(game, { publish: false }),
      'a draft published': () => this.#onItem('POST', '/publish'),
      'a rollback': () => this.#rollBack(),
      'a deletion': () => this.#onItem('DELETE', ''),
      'a deleted item restored': () => this.#restore(),
      'a version line': () => this.#put(game, { appVersion: texts.version() }),
      'a version line removed': () => this.#removeLine(),
      'a value of many items': () => this.#editMany(),
      'a segment': () => this.#putSegment(game),
      'a segment rolled back': () => this.#rollBackSegment(),
      layers: async () => (await edit(game, 'PUT', '/layers', texts.layers())).sequence,
      'a sync': () => this.#sync(),
      'an import': () => this.#import(),
    };
  }

  /** Every content item and segment, live. */
  async fill(): Promise<void> {
    for (const game of [this.#game, this.#staging]) {
      await edit(game, 'PUT', '/layers', this.#texts.layers());
      for (const name of segmentNames) {
        await edit(game, 'PUT', `/segments/${name}`, { when: this.#texts.condition() });
      }
      for (const id of itemIds) {
        const body = { text: this.#texts.text(), mapping: this.#texts.mapping(id) };
        await edit(game, 'PUT', `/contents/${id}`, body);
      }
    }
  }

  get #id(): string {
    return this.#texts.pick(itemIds);
  }

  async #put(game: Environment, more: object): Promise<number | undefined> {
    const body = { text: this.#texts.text(), ...more };
    return (await edit(game, 'PUT', `/contents/${this.#id}`, body)).sequence;
  }

  async #putMapping(game: Environment): Promise<number | undefined> {
    const id = this.#id;
    const body = { text: this.#texts.text(), mapping: this.#texts.mapping(id) };
    return (await edit(game, 'PUT', `/contents/${id}`, body)).sequence;
  }

  async #onItem(method: string, path: string): Promise<number | undefined> {
    return (await edit(this.#game, method, `/contents/${this.#id}${path}`)).sequence;
  }

  /** The first of those that are deleted. */
  async #restore(): Promise<number | undefined> {
    for (const id of itemIds) {
      try {
        return (await edit(this.#game, 'POST', `/contents/${id}/restore`)).sequence;
      } catch (error) {
        if (!(error instanceof Rejected)) throw error;
      }
    }
    throw new Rejected('not_deleted', 'All content items are there.');
  }

  /** Any of the lines of the first item that has several. */
  async #removeLine(): Promise<number | undefined> {
    const { contents } = await edit(this.#game, 'GET', '/contents');
    for (const { id } of contents) {
      const { lines } = await edit(this.#game, 'GET', `/contents/${id}`);
      if (lines.length < 2) continue;
      const { appVersion } = this.#texts.pick<{ appVersion: string }>(lines);
      return (await edit(this.#game, 'DELETE', `/contents/${id}/lines/${appVersion}`)).sequence;
    }
    throw new Rejected('line_not_found', 'No content item has a second line.');
  }

  async #rollBack(): Promise<number | undefined> {
    const id = this.#id;
    const { revisions } = await edit(this.#game, 'GET', `/contents/${id}/revisions`);
    const { revision } = this.#texts.pick<{ revision: number }>(revisions);
    return (await edit(this.#game, 'POST', `/contents/${id}/rollback`, { revision })).sequence;
  }

  async #putSegment(game: Environment): Promise<number | undefined> {
    const path = `/segments/${this.#texts.pick(segmentNames)}`;
    return (await edit(game, 'PUT', path, { when: this.#texts.condition() })).sequence;
  }

  async #rollBackSegment(): Promise<number | undefined> {
    const path = `/segments/${this.#texts.pick(segmentNames)}`;
    const { revisions } = await edit(this.#game, 'GET', `${path}/revisions`);
    const { revision } = this.#texts.pick<{ revision: number }>(revisions);
    return (await edit(this.#game, 'POST', `${path}/rollback`, { revision })).sequence;
  }

  async #editMany(): Promise<number | undefined> {
    const ids = itemIds.filter(() => this.#texts.happens(0.4));
    if (ids.length === 0) ids.push(this.#id);
    const body = {
      ...{ ids, partial: true },
      edit: { kind: 'set', path: '/deep/a', value: this.#texts.below(1_000) },
    };
    return (await edit(this.#game, 'POST', '/contents/edit', body)).sequence;
  }

  /** Some edits of staging come with it. */
  async #sync(): Promise<number | undefined> {
    for (let count = 0; count < 2; count++) await this.#putMapping(this.#staging);
    if (this.#texts.happens(0.5)) await this.#putSegment(this.#staging);
    const body = { from: this.#staging.id };
    return (await edit(this.#game, 'POST', '/sync', body)).sequence;
  }

  /** Brings back what there was at an earlier moment, and with `replace` nothing else; then keeps what there is now. */
  async #import(): Promise<number | undefined> {
    const game = this.#game;
    const earlier = this.#exported;
    this.#exported = (await game.server.admin('GET', `${game.path}/export`)).text;
    if (earlier === null) return undefined;
    const mode = this.#texts.happens(0.5) ? 'replace' : 'merge';
    const { status, json, text } = await send(
      game.server.adminUrl,
      `${game.path}/import?mode=${mode}`,
      {
        method: 'POST',
        headers: {
          ...{ authorization: `Bearer ${ownerToken}`, 'content-type': 'application/x-ndjson' },
        },
        body: earlier,
      },
    );
    if (status >= 500) throw new Error(`import: ${status} ${text}`);
    if (status >= 400) throw new Rejected(json.code, text);
    return json.sequence;
  }
}

/** Drafts of an item and perhaps of a segment, as the changes of a release. */
export async function draftChanges(game: Environment, texts: DayTexts): Promise<object[]> {
  const ids = itemIds.filter((id) => id !== testedItem && texts.happens(0.3));
  if (ids.length === 0) ids.push('shop');
  const changes: object[] = [];
  for (const id of ids) {
    if (texts.happens(0.1)) {
      changes.push({ kind: 'content', id, revision: null });
      continue;
    }
    const mapping = texts.happens(0.6) ? { mapping: texts.mapping(id) } : {};
    const appVersion = texts.happens(0.2) ? { appVersion: texts.version() } : {};
    const body = { text: texts.text(), publish: false, ...mapping, ...appVersion };
    await edit(game, 'PUT', `/contents/${id}`, body);
    changes.push({ kind: 'content', id });
  }
  if (texts.happens(0.4)) {
    const name = texts.pick(segmentNames);
    await edit(game, 'PUT', `/segments/${name}`, { when: texts.condition(), publish: false });
    changes.push({ kind: 'segment', name });
  }
  return changes;
}
