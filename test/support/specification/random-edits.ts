/** Edits of every kind, drawn by a seed and made through the admin API, and what the contents are then by what it says. */
import { Agent } from 'node:http';
import { type Environment, expectDone } from '../server/environment.js';
import { ownerToken, type RunningServer } from '../server/server-process.js';
import { Answer, send } from '../wire/exchange.js';

export interface Edit {
  readonly kind: string;
  /** Nothing that is delivered may differ after it. */
  readonly isCosmetic: boolean;
  readonly sequence: number;
}

/** What a content delivers to all its callers together: two that are equal must have one hash, two that differ must not. */
export interface ContentState {
  readonly id: string;
  /** Of the highest line: what is delivered without a mapping. */
  readonly json: string;
  readonly isMapped: boolean;
  readonly identity: string;
}

/** Rules that a mapping may have, each with the value that it sets; 0: it is not there. */
type Rules = Record<(typeof ruleNames)[number], number>;

const ruleNames = ['whales', 'us', 'nobody', 'window', 'test'] as const;
const segmentNames = ['whales', 'us'] as const;
/** One line, with a mapping at times. */
const plainIds = ['alpha', 'Beta', 'gamma', 'delta.1'];
/**
 * Several lines, always with a mapping: the catalog has the hash of the highest line only, and callers of older versions
 * rely on `d`.
 */
const linedIds = ['lines-a', 'lines-late'];
const highLine = '2.0.0';
const contentIds = [...plainIds, ...linedIds];

const isLined = (id: string): boolean => linedIds.includes(id);
const lowLine = (id: string): string => (id === 'lines-late' ? '1.0.0' : '0.0.0');

/** What may be refused because of what was done before; it changes nothing then. */
const refusable = ['content_not_found', 'not_deleted', 'revision_not_found', 'not_found'];

type Kind = readonly [name: string, share: number, make: (game: Target) => Promise<Answer>];

/** Where an edit goes, and the query of the calls that make it. */
type Target = Pick<Environment, 'server' | 'path'> & { readonly query: string };

export class RandomEdits {
  readonly #game: Environment;
  readonly #source: Environment;
  readonly #random: () => number;
  readonly #rules = new Map<string, Rules>();
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 4 });

  private constructor(game: Environment, source: Environment, random: () => number) {
    this.#game = game;
    this.#source = source;
    this.#random = random;
  }

  /** Fills the environment and another one that syncs and imports come from. */
  static async start(
    game: Environment,
    source: Environment,
    random: () => number,
  ): Promise<RandomEdits> {
    const edits = new RandomEdits(game, source, random);
    for (const { server, path } of [game, source]) {
      const target = { server, path, query: '' };
      for (const name of segmentNames) expectDone(await edits.#putSegment(target, name));
      for (const id of contentIds) {
        expectDone(await edits.#putLine(target, id, lowLine(id)));
        if (isLined(id)) expectDone(await edits.#putLine(target, id, highLine));
      }
    }
    return edits;
  }

  /** Makes one edit through a server. @param query of the call that changes what players get */
  async make(server: RunningServer, query: string): Promise<Edit> {
    for (;;) {
      const [kind, , make] = this.#draw();
      const answer = await make({ server, path: this.#game.path, query });
      if (answer.status < 300) {
        const { sequence, fleet } = answer.json;
        if (fleet !== undefined && fleet.missing.length > 0) {
          throw new Error(`not served everywhere: ${answer.text}`);
        }
        return { kind, isCosmetic: cosmetic.has(kind), sequence };
      }
      if (!refusable.includes(answer.json.code)) expectDone(answer);
    }
  }

  /** What is live now, by what management says of it. */
  async states(): Promise<ContentState[]> {
    const { server, path } = this.#game;
    const segments = new Map<string, string>();
    for (const { name, when } of expectDone(await server.admin('GET', `${path}/segments`)).json
      .segments) {
      segments.set(name, JSON.stringify(when));
    }
    const found = await Promise.all(contentIds.map((id) => this.#stateOf(id, segments)));
    return found.filter((state) => state !== null);
  }

  close(): void {
    this.#agent.destroy();
  }

  async #stateOf(id: string, segments: ReadonlyMap<string, string>): Promise<ContentState | null> {
    const { server, path } = this.#game;
    const of = `${path}/contents/${id}`;
    const answer = await server.admin('GET', of);
    if (answer.status === 404) return null;
    let content = expectDone(answer).json;
    if (content.live === null) return null;
    if (content.live !== content.revision) {
      content = expectDone(await server.admin('GET', `${of}/revisions/${content.live}`)).json;
    }
    const json = withoutComments(content.lines.at(-1).text);
    if (content.mapping.length === 0) return { id, json, isMapped: false, identity: json };
    const named = content.mapping
      .filter((rule: { when?: unknown }) => rule.when === undefined)
      .map(({ segment }: { segment: string }) => segment);
    const conditions = [...new Set<string>(named)].sort().map((name) => [name, segments.get(name)]);
    const identity = JSON.stringify([json, JSON.stringify(content.mapping), conditions]);
    return { id, json, isMapped: true, identity };
  }

  #draw(): Kind {
    let left = this.#random() * this.#shares;
    for (const kind of this.#kinds) {
      left -= kind[1];
      if (left < 0) return kind;
    }
    return this.#kinds[0] as Kind;
  }

  readonly #kinds: readonly Kind[] = [
    ['text', 5, (game) => this.#putText(game, this.#anId())],
    ['comment', 3, (game) => this.#putDressed(game, this.#of(plainIds))],
    ['note', 2, (game) => this.#putAbout(game, this.#anId())],
    ['draft', 2, (game) => this.#putLine(game, this.#of(plainIds), '0.0.0', { publish: false })],
    ['rule', 5, (game) => this.#putRule(game, this.#anId(), this.#of(ruleNames))],
    ['unselected rule', 3, (game) => this.#putRule(game, this.#anId(), 'nobody')],
    ['mapping removed', 2, (game) => this.#putMapping(game, this.#of(plainIds), '[]')],
    ['mapping spaced', 2, (game) => this.#spaceMapping(game, this.#anId())],
    ['segment', 5, (game) => this.#putSegment(game, this.#of(segmentNames))],
    ['segment spaced', 2, (game) => this.#spaceSegment(game, this.#of(segmentNames))],
    ['rollback', 5, (game) => this.#rollBack(game, `contents/${this.#anId()}`)],
    ['segment rollback', 4, (game) => this.#rollBack(game, `segments/${this.#of(segmentNames)}`)],
    ['line removed', 1, (game) => this.#removeLine(game, this.#of(linedIds))],
    ['delete', 2, (game) => this.#ask(game, 'DELETE', `contents/${this.#anId()}`)],
    ['restore', 4, (game) => this.#restore(game)],
    ['publish', 2, (game) => this.#ask(game, 'POST', `contents/${this.#anId()}/publish`, {})],
    ['sync', 3, (game) => this.#sync(game)],
    ['import', 2, (game) => this.#import(game)],
  ];

  get #shares(): number {
    return this.#kinds.reduce((sum, [, share]) => sum + share, 0);
  }

  /** Of a few texts, so that states come back. */
  #putLine(
    game: Target,
    id: string,
    appVersion: string,
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<Answer> {
    const n = this.#number(6);
    const text = `{"n":${n},"line":"${appVersion}","big":9007199254740993,"price":1.10,"of":{"n":${n}}}`;
    const fields = JSON.stringify({ text, appVersion, ...more }).slice(0, -1);
    // A lined content that was deleted starts with a mapping again.
    const mapping = isLined(id) ? `,"mapping":${mappingOf(this.#rulesOf(id))}` : '';
    return this.#ask(game, 'PUT', `contents/${id}`, `${fields}${mapping}}`);
  }

  #putText(game: Target, id: string): Promise<Answer> {
    const version = isLined(id) && this.#random() < 0.5 ? highLine : lowLine(id);
    return this.#putLine(game, id, version);
  }

  /** The text that is there, with other comments and white space. */
  async #putDressed(game: Target, id: string): Promise<Answer> {
    const found = await this.#ask(game, 'GET', `contents/${id}`);
    // What is there is not what players get while there is a draft on top of it.
    if (found.status !== 200 || found.json.live !== found.json.revision) return nothingThere;
    const { text, appVersion } = found.json.lines[0];
    const bare = withoutComments(text);
    const dressed = `/* ${this.#number(1e6)} */ ${bare.replaceAll(',', ' ,\n')} // end`;
    return this.#ask(game, 'PUT', `contents/${id}`, { text: dressed, appVersion });
  }

  #putAbout(game: Target, id: string): Promise<Answer> {
    const description = `described ${this.#number(1e6)}`;
    // A content that is not there needs a text.
    return this.#ifThere(game, id, () => {
      return this.#ask(game, 'PUT', `contents/${id}`, { description, note: description });
    });
  }

  #putRule(game: Target, id: string, name: (typeof ruleNames)[number]): Promise<Answer> {
    const rules = this.#rulesOf(id);
    rules[name] = this.#number(4);
    if (isLined(id)) rules.nobody ||= 1;
    return this.#putMapping(game, id, mappingOf(rules));
  }

  #putMapping(game: Target, id: string, mapping: string): Promise<Answer> {
    return this.#ifThere(game, id, () => {
      return this.#ask(game, 'PUT', `contents/${id}`, `{"mapping":${mapping}}`);
    });
  }

  async #spaceMapping(game: Target, id: string): Promise<Answer> {
    const found = await this.#ask(game, 'GET', `contents/${id}`);
    if (found.status !== 200 || found.json.live !== found.json.revision) return nothingThere;
    const mapping = JSON.stringify(found.json.mapping, null, 1 + this.#number(8));
    return this.#ask(game, 'PUT', `contents/${id}`, `{"mapping":${mapping}}`);
  }

  #putSegment(game: Target, name: (typeof segmentNames)[number]): Promise<Answer> {
    const value = this.#number(4);
    const when =
      name === 'us'
        ? { country: { $in: ['US', 'CA', 'DE'].slice(0, value) } }
        : { level: { $gte: value * 10 } };
    return this.#ask(game, 'PUT', `segments/${name}`, { when });
  }

  async #spaceSegment(game: Target, name: string): Promise<Answer> {
    const { when } = expectDone(await this.#ask(game, 'GET', `segments/${name}`)).json;
    const spaced = JSON.stringify(when, null, 1 + this.#number(8));
    return this.#ask(game, 'PUT', `segments/${name}`, `{"when":${spaced}}`);
  }

  async #rollBack(game: Target, noun: string): Promise<Answer> {
    const listed = await this.#ask(game, 'GET', `${noun}/revisions`);
    if (listed.status !== 200) return listed;
    const { revision } = this.#of<{ revision: number }>(listed.json.revisions);
    return this.#ask(game, 'POST', `${noun}/rollback`, { revision });
  }

  /** The low one stays: without a line there is no content. */
  async #removeLine(game: Target, id: string): Promise<Answer> {
    const found = await this.#ask(game, 'GET', `contents/${id}`);
    if (found.status !== 200 || found.json.lines.length < 2) return nothingThere;
    return this.#ask(game, 'DELETE', `contents/${id}/lines/${highLine}`);
  }

  async #restore(game: Target): Promise<Answer> {
    for (const id of contentIds) {
      const found = await this.#ask(game, 'GET', `contents/${id}`);
      if (found.status === 404) return this.#ask(game, 'POST', `contents/${id}/restore`, {});
    }
    return nothingThere;
  }

  async #sync(game: Target): Promise<Answer> {
    const changed = await this.#editSource(game);
    const { id: from } = this.#source;
    const ids = this.#random() < 0.3 ? {} : { ids: [changed] };
    return this.#ask(game, 'POST', 'sync', { from, ...ids });
  }

  async #import(game: Target): Promise<Answer> {
    await this.#editSource(game);
    const { adminUrl } = game.server;
    const headers = { authorization: `Bearer ${ownerToken}` };
    const agent = this.#agent;
    const file = await send(adminUrl, `${this.#source.path}/export`, { headers, agent });
    const wait = game.query.replace('?', '&');
    return send(adminUrl, `${game.path}/import?mode=merge${wait}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/x-ndjson' },
      body: expectDone(file).bytes,
      agent,
    });
  }

  /** @returns the id of a content that is another one there now, perhaps */
  async #editSource(game: Target): Promise<string> {
    const source = { ...game, path: this.#source.path };
    const id = this.#anId();
    expectDone(await this.#putText(source, id));
    expectDone(await this.#putRule(source, id, this.#of(ruleNames)));
    expectDone(await this.#putSegment(source, this.#of(segmentNames)));
    return id;
  }

  async #ifThere(game: Target, id: string, put: () => Promise<Answer>): Promise<Answer> {
    const found = await this.#ask(game, 'GET', `contents/${id}`);
    return found.status === 200 ? put() : found;
  }

  #ask(game: Target, method: string, path: string, body?: unknown): Promise<Answer> {
    const query = method === 'GET' ? '' : game.query;
    return send(game.server.adminUrl, `${game.path}/${path}${query}`, {
      method,
      headers: {
        authorization: `Bearer ${ownerToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      agent: this.#agent,
    });
  }

  #rulesOf(id: string): Rules {
    const known = this.#rules.get(id);
    if (known !== undefined) return known;
    const rules = { whales: 1, us: 0, nobody: 1, window: 0, test: 1 };
    this.#rules.set(id, rules);
    return rules;
  }

  #anId(): string {
    return this.#of(contentIds);
  }

  #of<T>(list: readonly T[]): T {
    return list[this.#number(list.length)] as T;
  }

  /** From 0 to below `limit`. */
  #number(limit: number): number {
    return Math.floor(this.#random() * limit);
  }
}

/** Kinds of edits after which players get what they got before. */
const cosmetic: ReadonlySet<string> = new Set([
  'comment',
  'note',
  'draft',
  'mapping spaced',
  'segment spaced',
]);

/** Stands for a refusal: another edit is drawn. */
const nothingThere = new Answer(404, {}, Buffer.from('{"code":"not_found"}'));

function mappingOf(rules: Rules): string {
  const { whales, us, nobody, window, test } = rules;
  const year = window === 1 ? 2001 : 2101;
  const all = [
    { segment: 'whales', merge: { n: whales, gone: null } },
    { segment: 'us', patch: [{ op: 'replace', path: '/of/n', value: us }] },
    { segment: 'nobody', when: { country: 'ZZ' }, merge: { n: nobody } },
    {
      ...{ segment: 'window', when: {}, merge: { window } },
      ...{ from: '2000-01-01T00:00:00Z', until: `${year}-01-01T00:00:00Z` },
    },
    {
      ...{ segment: 'test', when: { '@v': { $vgte: '1.5.0' } } },
      variants: [
        { name: 'control', groups: [0, 499] },
        { name: 'other', groups: [500, 999], merge: { test } },
      ],
    },
  ];
  return JSON.stringify(all.filter((_rule, at) => rules[ruleNames[at] as never] > 0));
}

/** The texts of these edits have neither comments within strings nor trailing commas. */
function withoutComments(text: string): string {
  return text.replace(notDelivered, (match) => (match.startsWith('"') ? match : ''));
}

const notDelivered = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|\s+/g;
