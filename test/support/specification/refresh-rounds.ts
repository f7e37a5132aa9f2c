/**
 * Clients of refresh beside random edits. Whenever a refresh has said that nothing more is to come, its client holds what
 * single requests get at that sequence, and nothing was sent that it held already.
 */
import { Agent } from 'node:http';
import { crc32, gunzipSync } from 'node:zlib';
import { rawMembers } from '../../../src/management/http/body/raw-members.js';
import { type Environment, makeEnvironment } from '../server/environment.js';
import type { RunningServer } from '../server/server-process.js';
import type { Answer } from '../wire/exchange.js';
import { RandomEdits } from './random-edits.js';

export interface RefreshRoundsOptions {
  readonly server: RunningServer;
  readonly random: () => number;
  /** Refreshes that end with nothing more to come. */
  readonly refreshes: number;
}

export interface RefreshFigures {
  readonly edits: number;
  readonly pages: number;
  /** Refreshes that were left after a page that was not the last, with or without an edit after it. */
  readonly interrupted: number;
  readonly entries: number;
  readonly gone: number;
  /** Refreshes that sent nothing. */
  readonly unchanged: number;
  readonly compared: number;
  /** The edge of a window came between a refresh and the comparison. */
  readonly passedEdges: number;
  /** Pages that came with gzip, were asked for as texts of JSON, and in the sequence of the page before. */
  readonly compressed: number;
  readonly serialized: number;
  readonly inSequence: number;
  readonly seconds: number;
}

export interface RefreshRounds {
  readonly figures: RefreshFigures;
  /** What a client may not see; the first of them. */
  readonly violations: readonly string[];
}

/** How a page is asked for; what it says is the same in any way. */
interface Way {
  /** Undefined: as much as the server sends at once. */
  readonly bytesMax: number | undefined;
  readonly gzip: boolean;
  readonly serialized: boolean;
  /** With `X-Min-Sequence`: the sequence of the page before. */
  readonly inSequence: boolean;
}

interface Context {
  readonly u?: string;
  readonly p?: Readonly<Record<string, unknown>>;
  readonly v?: string;
}

/** What a client holds of a content item: its tag, and the entry without `tag` and `crc`. */
interface Held {
  readonly tag: string;
  readonly wrapped: string;
  readonly data: string;
  readonly hash: string;
  readonly seg: string;
}

const violationsMax = 20;

function contexts(): Context[] {
  const countries = ['US', 'CA', 'DE', 'FR'];
  const versions = [undefined, '0.9.0', '1.4.9', '1.5.0', '2.0.0'];
  return Array.from({ length: 24 }, (_, at) => {
    const v = versions[at % versions.length];
    const p = { country: countries[at % countries.length], level: at * 3 };
    return at === 0 ? {} : { u: `user-${at}`, p, ...(v === undefined ? {} : { v }) };
  });
}

export async function refreshRounds(options: RefreshRoundsOptions): Promise<RefreshRounds> {
  const { server, random, refreshes } = options;
  const startedMs = performance.now();
  const number = (limit: number): number => Math.floor(random() * limit);
  const game = await makeEnvironment(server);
  const source = await makeEnvironment(server);
  const edits = await RandomEdits.start(game, source, random);
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const clients = contexts().map((context) => new RefreshClient(game, agent, context));
  const figures = {
    ...{ edits: 0, pages: 0, interrupted: 0, entries: 0, gone: 0, unchanged: 0 },
    ...{ compared: 0, passedEdges: 0, compressed: 0, serialized: 0, inSequence: 0 },
  };
  const violations: string[] = [];
  const edit = async (): Promise<void> => {
    figures.edits += 1;
    if (random() < 0.1) await putWindow(game, number);
    else await edits.make(server, '');
  };

  for (let done = 0; done < refreshes && violations.length < violationsMax; ) {
    if (random() < 0.1) await edit();
    const client = clients[number(clients.length)] as RefreshClient;
    const say = (what: string): number =>
      violations.push(`refresh ${done}, ${JSON.stringify(client.context)}: ${what}`);
    // Once in a while it is another user's device, or one that makes its tags up.
    const other = clients[number(clients.length)] as RefreshClient;
    if (random() < 0.02) client.takeFrom(other);
    const bytesMax = random() < 0.5 ? undefined : 1 + number(1_500);
    for (let more = true; more; ) {
      const [gzip, serialized, inSequence] = [random() < 0.7, random() < 0.3, random() < 0.3];
      const page = await client.refresh({ bytesMax, gzip, serialized, inSequence }, say);
      if (page.isCompressed) figures.compressed += 1;
      if (serialized) figures.serialized += 1;
      if (inSequence) figures.inSequence += 1;
      figures.pages += 1;
      figures.entries += page.entries;
      figures.gone += page.gone;
      ({ more } = page);
      if (more && random() < 0.2) {
        figures.interrupted += 1;
        break;
      }
      if (more && random() < 0.1) await edit();
      if (more) continue;
      done += 1;
      if (page.entries + page.gone === 0) figures.unchanged += 1;
      if (await client.compare(page, say)) figures.compared += 1;
      else figures.passedEdges += 1;
    }
  }
  edits.close();
  agent.destroy();
  const seconds = Math.round((performance.now() - startedMs) / 100) / 10;
  return { figures: { ...figures, seconds }, violations };
}

/** A rule that begins or ends in a moment, or later, for some of the players. */
async function putWindow(game: Environment, number: (limit: number) => number): Promise<void> {
  const edge = new Date(Date.now() + 20 + number(400)).toISOString();
  const late = new Date(Date.now() + 3_600_000 + number(1_000)).toISOString();
  const window = [{ from: edge }, { until: edge }, { from: edge, until: late }][number(3)];
  const variants = [{ name: 'a', groups: [0, 499], merge: { at: edge } }];
  const rule = number(2) === 0 ? { merge: { at: edge } } : { variants };
  const when = number(2) === 0 ? {} : { level: { $gte: 30 } };
  await game.put('timed', '{"at":"never"}', {
    mapping: [{ segment: 'timed', when, ...window, ...rule }],
  });
}

interface Page {
  readonly sequence: number;
  /** Milliseconds since the epoch; Infinity: never. */
  readonly changesAtMs: number;
  readonly entries: number;
  readonly gone: number;
  readonly more: boolean;
  readonly isCompressed: boolean;
}

class RefreshClient {
  readonly context: Context;
  readonly #game: Environment;
  readonly #agent: Agent;
  #held = new Map<string, Held>();
  #sequence = 0;

  constructor(game: Environment, agent: Agent, context: Context) {
    this.#game = game;
    this.#agent = agent;
    this.context = context;
  }

  takeFrom(other: RefreshClient): void {
    this.#held = new Map(other.#held);
  }

  /** One page, which is added to what is held. */
  async refresh(way: Way, say: (what: string) => void): Promise<Page> {
    const { bytesMax, gzip, serialized, inSequence } = way;
    const have = Object.fromEntries([...this.#held].map(([id, { tag }]) => [id, tag]));
    const body = { ...this.context, have, ...(bytesMax === undefined ? {} : { bytesMax }) };
    const query = serialized ? '?responseType=serialized' : '';
    const answer = await this.#ask(
      `/api/v1/refresh${query}`,
      body,
      inSequence ? this.#sequence : undefined,
      gzip ? { 'accept-encoding': 'gzip' } : {},
    );
    const isCompressed = answer.headers['content-encoding'] === 'gzip';
    const bytes = isCompressed ? gunzipSync(answer.bytes) : answer.bytes;
    const members = rawMembers(bytes);
    const entries = [...rawMembers(members.get('contents') ?? nothing)];
    const { sequence, changesAt, gone, more } = JSON.parse(bytes.toString());
    const said = answer.headers['x-sequence'];
    if (said !== (inSequence ? String(sequence) : undefined)) {
      say(`X-Sequence of a page of ${sequence} is ${said}`);
    }
    if (inSequence && sequence < this.#sequence) say(`${sequence} follows ${this.#sequence}`);
    this.#sequence = sequence;
    for (const id of gone) if (!this.#held.delete(id)) say(`${id} is gone, and was not held`);
    for (const [id, bytes] of entries) {
      const fields = rawMembers(bytes);
      const text = (name: string) => Buffer.from(fields.get(name) ?? nothing).toString();
      const data = serialized ? (JSON.parse(text('data')) as string) : text('data');
      const meta = text('meta');
      const tag = JSON.parse(text('tag'));
      if (JSON.parse(text('crc')) !== crc32(data).toString(16).padStart(8, '0')) {
        say(`the crc of ${id} is not that of ${data}`);
      }
      const before = this.#held.get(id);
      const seg = JSON.stringify(JSON.parse(meta).seg);
      if (before?.tag === tag) say(`${id} was sent, and held with this very tag`);
      const hash = text('hash');
      if (before?.hash === hash && before.data === data && before.seg === seg) {
        say(`${id} was sent again as it was: ${data}`);
      }
      const wrapped = `{"data":${data},"hash":${hash},"meta":${meta}}`;
      this.#held.set(id, { tag, wrapped, data, hash, seg });
    }
    const changesAtMs = changesAt === null ? Number.POSITIVE_INFINITY : Date.parse(changesAt);
    const counts = { entries: entries.length, gone: gone.length };
    return { sequence, changesAtMs, ...counts, more, isCompressed };
  }

  /**
   * Compares what is held with single responses. What a kept entry says of hash and ids may be older than theirs.
   * @returns false when the clock has passed `changesAt` meanwhile
   */
  async compare({ sequence, changesAtMs }: Page, say: (what: string) => void): Promise<boolean> {
    const catalog = await this.#game.catalog();
    const ids = Object.keys(catalog.json.catalog);
    const c = encodeURIComponent(JSON.stringify(ids));
    const answer = await this.#ask(`/api/v1/combine?c=${c}&dynamic=true`, this.context, sequence);
    if (Date.now() >= changesAtMs) return false;
    const singles = rawMembers(answer.bytes);
    let there = 0;
    for (const [id, bytes] of singles) {
      const single = Buffer.from(bytes).toString();
      if (single.startsWith('"Error 404')) continue;
      there += 1;
      const held = this.#held.get(id)?.wrapped ?? 'nothing';
      if (kept(held) !== kept(single)) say(`holds ${held} of ${id}, where singles are ${single}`);
    }
    if (there !== this.#held.size) say(`holds ${[...this.#held.keys()]}, where ${ids} are there`);
    return true;
  }

  async #ask(
    path: string,
    body: unknown,
    sequence?: number,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const all = sequence === undefined ? headers : { ...headers, 'x-min-sequence': `${sequence}` };
    const answer = await this.#game.ask('POST', path, body as never, all, this.#agent);
    if (answer.status !== 200) throw new Error(`delivery said ${answer.status}: ${answer.text}`);
    return answer;
  }
}

const nothing = Buffer.alloc(0);

/** Data and rules: what a tag stands for. */
function kept(wrapped: string): string {
  return wrapped.replace(/,"hash":"[0-9a-f]{16}","meta":\{"uid":\d+,"mod":\d+,/, ',').trim();
}
