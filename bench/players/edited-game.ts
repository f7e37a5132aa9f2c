/** An environment with a long evening of edits, and what each player was given in it: by conditions in plain code. */
import { gameContent, type Json, type JsonObject } from '../data/game-content.js';
import { SeededRandom } from '../data/random.js';
import type { Serve } from '../serve.js';

const env = '/admin/v1/environments/game';
export const contentId = 'shop';
export const playersCount = 10_000;
export const changesCount = 200;
/** The price that was wrong for a while. */
export const wrongPrice = 4.99;

const textBytes = 20_000;
const countries = ['DE', 'FR', 'JP', 'BR', 'US', 'CA'] as const;
const prices = [wrongPrice, 9.99, 14.99, 19.99];

export interface Player {
  readonly u: string;
  readonly p: { readonly country: string; readonly level: number; readonly [name: string]: Json };
  readonly v: string;
}

/** Players with a dozen attributes each, as games send them: some 300 bytes. */
export function makePlayers(): readonly Player[] {
  const random = new SeededRandom(22);
  return Array.from({ length: playersCount }, (_, at) => ({
    u: `player-${String(at).padStart(5, '0')}`,
    p: {
      ...{ country: random.pick(countries), level: random.below(60), spent: random.below(500) },
      ...{ language: 'de', platform: random.pick(['ios', 'android']), utcOffset: 60 },
      ...{ sessions: random.below(900), guild: `guild-${random.below(400)}`, device: 'phone-12' },
      ...{ installedAt: '2026-03-01T12:00:00Z', cohort: `2026-${random.below(12)}`, vip: false },
    },
    v: '1.4.0',
  }));
}

/** What decides the price after an edit. */
interface State {
  readonly price: number;
  /** Who is of the saved segment. */
  readonly home: string;
  readonly homePrice: number;
  readonly levelMin: number;
  readonly veteranPrice: number;
  /** The live revision. */
  readonly revision: number;
}

/** Edits: the text, a saved segment, the rules and a layer in turn. */
export class EditedGame {
  readonly states: readonly State[];

  private constructor(states: readonly State[]) {
    this.states = states;
  }

  static async make(serve: Serve, progress: (done: number) => void): Promise<EditedGame> {
    const random = new SeededRandom(200);
    await serve.ask('POST', '/admin/v1/environments', JSON.stringify({ id: 'game' }));
    const base = gameContent(1, textBytes);
    let state: State = {
      ...{ price: 9.99, home: 'DE', homePrice: 9.99, levelMin: 30, veteranPrice: 14.99 },
      revision: 0,
    };
    const put = async (path: string, body: unknown): Promise<void> => {
      const response = await serve.ask('PUT', `${env}/${path}`, JSON.stringify(body));
      if (path.startsWith('contents/')) state = { ...state, revision: revisionOf(response) };
    };
    await put('segments/home', { when: { country: state.home } });
    await put('layers', layersOf(0));
    const first = { text: textOf(base, state.price, 0), mapping: mappingOf(state) };
    await put(`contents/${contentId}`, first);
    const states = [state];
    for (let number = 1; number <= changesCount; number += 1) {
      const kind = number % 4;
      if (kind === 0) {
        state = { ...state, price: random.pick(prices) };
        await put(`contents/${contentId}`, { text: textOf(base, state.price, number) });
      } else if (kind === 1) {
        state = { ...state, home: otherCountry(state.home, random) };
        await put('segments/home', { when: { country: state.home } });
      } else if (kind === 2) {
        state = { ...state, homePrice: random.pick(prices), levelMin: 10 + ((number * 7) % 45) };
        await put(`contents/${contentId}`, { mapping: mappingOf(state) });
      } else {
        await put('layers', layersOf(number));
      }
      states.push(state);
      progress(number);
    }
    return new EditedGame(states);
  }

  /** The revision that gave a player the wrong price first; null: none did. */
  firstGiven({ p }: Player): number | null {
    const given = this.states.find(({ price, home, homePrice, levelMin, veteranPrice }) => {
      const veteran = p.level >= levelMin ? veteranPrice : price;
      return (p.country === home ? homePrice : veteran) === wrongPrice;
    });
    return given?.revision ?? null;
  }
}

function revisionOf(response: string): number {
  const { revision } = JSON.parse(response) as { readonly revision: number };
  if (typeof revision !== 'number') throw new Error(`no revision in ${response}`);
  return revision;
}

/** Each edit changes something. */
function textOf(base: JsonObject, price: number, edit: number): string {
  return JSON.stringify({ offers: [{ id: 'gems', price }], edit, ...base }, null, 1);
}

function otherCountry(than: string, random: SeededRandom): string {
  return random.pick(countries.filter((country) => country !== than));
}

/** Of rules that set the same place the later one counts. */
function mappingOf({ homePrice, levelMin, veteranPrice }: State): readonly unknown[] {
  const priced = (price: number) => ({ offers: [{ id: 'gems', price }] });
  return [
    { segment: 'veterans', when: { level: { $gte: levelMin } }, merge: priced(veteranPrice) },
    { segment: 'home', merge: priced(homePrice) },
    {
      ...{ segment: 'test', when: {}, layer: 'shop', slice: [0, 499], salt: 'test' },
      variants: [
        { name: 'a', groups: [0, 499], merge: { settings: { banner: 'a' } } },
        { name: 'b', groups: [500, 999], merge: { settings: { banner: 'b' } } },
      ],
    },
  ];
}

function layersOf(number: number): unknown {
  return { layers: [{ name: 'shop', salt: `salt-${number}` }], holdout: null };
}
