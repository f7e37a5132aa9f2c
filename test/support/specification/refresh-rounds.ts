/**
 * Clients of refresh beside random edits. Whenever a refresh has said that nothing more is to come, its client holds what
 * single requests get at that sequence, and nothing was sent that it held already.
 */
import { Agent } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { type Environment, makeEnvironment } from '../server/environment.js';
import type { RunningServer } from '../server/server-process.js';
import { HeldContents, type Page, type Say } from './held-contents.js';
import { RandomEdits } from './random-edits.js';
import { singleResponses } from './single-responses.js';
import { putTimed } from './timed-content.js';

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

interface Context extends Readonly<Record<string, unknown>> {
  readonly u?: string;
  readonly p?: Readonly<Record<string, unknown>>;
  readonly v?: string;
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
    if (random() < 0.1) {
      const edge = new Date(Date.now() + 20 + number(400)).toISOString();
      await putTimed(game, random, edge);
    } else await edits.make(server, '');
  };

  for (let done = 0; done < refreshes && violations.length < violationsMax; ) {
    if (random() < 0.1) await edit();
    const client = clients[number(clients.length)] as RefreshClient;
    const say = (what: string): number =>
      violations.push(`refresh ${done}, ${JSON.stringify(client.context)}: ${what}`);
    // Once in a while it is another user's device, or one that makes its tags up.
    const other = clients[number(clients.length)] as RefreshClient;
    if (random() < 0.02) client.held.takeFrom(other.held);
    const bytesMax = random() < 0.5 ? undefined : 1 + number(1_500);
    for (let more = true; more; ) {
      const [gzip, serialized, inSequence] = [random() < 0.7, random() < 0.3, random() < 0.3];
      const page = await client.refresh({ bytesMax, gzip, serialized, inSequence }, say);
      if (page.isCompressed) figures.compressed += 1;
      if (serialized) figures.serialized += 1;
      if (inSequence) figures.inSequence += 1;
      figures.pages += 1;
      figures.entries += page.changed.length;
      figures.gone += page.gone.length;
      ({ more } = page);
      if (more && random() < 0.3) {
        figures.interrupted += 1;
        break;
      }
      if (more && random() < 0.1) await edit();
      if (more) continue;
      done += 1;
      if (page.changed.length + page.gone.length === 0) figures.unchanged += 1;
      if (await client.compare(page, say)) figures.compared += 1;
      else figures.passedEdges += 1;
    }
  }
  edits.close();
  agent.destroy();
  const seconds = Math.round((performance.now() - startedMs) / 100) / 10;
  return { figures: { ...figures, seconds }, violations };
}

interface RefreshPage extends Page {
  readonly isCompressed: boolean;
}

class RefreshClient {
  readonly context: Context;
  readonly held: HeldContents = new HeldContents();
  readonly #game: Environment;
  readonly #agent: Agent;
  #sequence = 0;

  constructor(game: Environment, agent: Agent, context: Context) {
    this.#game = game;
    this.#agent = agent;
    this.context = context;
  }

  /** One page, which is added to what is held. */
  async refresh(way: Way, say: Say): Promise<RefreshPage> {
    const { bytesMax, gzip, serialized, inSequence } = way;
    const { have } = this.held;
    const body = { ...this.context, have, ...(bytesMax === undefined ? {} : { bytesMax }) };
    const path = `/api/v1/refresh${serialized ? '?responseType=serialized' : ''}`;
    const headers = {
      ...(inSequence ? { 'x-min-sequence': String(this.#sequence) } : {}),
      ...(gzip ? { 'accept-encoding': 'gzip' } : {}),
    };
    const answer = await this.#game.ask('POST', path, body, headers, this.#agent);
    if (answer.status !== 200) throw new Error(`delivery said ${answer.status}: ${answer.text}`);
    const isCompressed = answer.headers['content-encoding'] === 'gzip';
    const page = this.held.add(
      isCompressed ? gunzipSync(answer.bytes) : answer.bytes,
      say,
      serialized,
    );
    const { sequence } = page;
    const said = answer.headers['x-sequence'];
    if (said !== (inSequence ? String(sequence) : undefined)) {
      say(`X-Sequence of a page of ${sequence} is ${said}`);
    }
    if (inSequence && sequence < this.#sequence) say(`${sequence} follows ${this.#sequence}`);
    this.#sequence = sequence;
    for (const id of page.goneInVain) say(`${id} is gone, and was not held`);
    return { ...page, isCompressed };
  }

  /**
   * Compares what is held with single responses.
   * @returns false when the clock has passed `changesAt` meanwhile
   */
  async compare({ sequence, changesAt }: Page, say: Say): Promise<boolean> {
    const ids = Object.keys((await this.#game.catalog()).json.catalog);
    const singles = await singleResponses(this.#game, this.context, ids, sequence, this.#agent);
    if (changesAt !== null && Date.now() >= Date.parse(changesAt)) return false;
    this.held.compare(singles, say);
    return true;
  }
}
