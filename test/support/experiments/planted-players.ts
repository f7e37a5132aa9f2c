/** Players of a game with two experiments, each with the TypeScript kit: one changes how many of them buy, one changes nothing. */
import { addressOf, createClient, transportFrom } from '../kit-client.js';

export interface PlantedPlayersOptions {
  readonly url: string;
  readonly key: string;
  /** For each player a number from 0 to below 1: who has a lower one than the rate buys. */
  readonly draws: readonly number[];
  /** Share of the players that buy at the ordinary price. */
  readonly rate: number;
  /** Relative: players who are shown the offer buy so much more. */
  readonly effect: number;
}

/** What the players saw, by the variant of the offer. */
export interface PlantedFigures {
  readonly players: { readonly control: number; readonly offer: number };
  readonly buyers: { readonly control: number; readonly offer: number };
  /** Starts without a configuration from the server; they take part in nothing. */
  readonly failed: readonly string[];
}

export const ordinaryPrice = 5;
export const offeredPrice = 4;
const startMillisMax = 60_000;
const atOnce = 24;

/** Two contents, `shop` with the offer and `news` with an A/A test. */
export const plantedMappings = {
  shop: mappingOf('offer-test', 'offer-1', { price: offeredPrice }),
  news: mappingOf('news-test', 'news-1', { title: 'Winter' }),
} as const;

function mappingOf(segment: string, salt: string, merge: object): readonly object[] {
  const variants = [
    { name: 'control', groups: [0, 499] },
    { name: 'changed', groups: [500, 999], merge },
  ];
  return [{ segment, when: {}, salt, variants }];
}

/** Starts every player's game once: it shows both contents, and the player may buy. */
export async function playAll(options: PlantedPlayersOptions): Promise<PlantedFigures> {
  const players = { control: 0, offer: 0 };
  const buyers = { control: 0, offer: 0 };
  const failed: string[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < options.draws.length; at = next++) {
      const played = await play(options, at);
      if (typeof played === 'string') {
        failed.push(played);
        continue;
      }
      const variant = played.price === offeredPrice ? 'offer' : 'control';
      players[variant] += 1;
      if (played.buys) buyers[variant] += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { players, buyers, failed };
}

async function play(
  { url, key, rate, effect, draws }: PlantedPlayersOptions,
  at: number,
): Promise<{ price: number; buys: boolean } | string> {
  const client = createClient({
    ...{ url, key, user: `player-${at}`, updates: 'none', storage: null },
    transport: transportFrom(addressOf(at)),
  });
  const { failure } = await client.start(startMillisMax);
  if (failure !== null) return `player-${at}: ${failure}`;
  const { value: price } = client.get('shop', '/price', 0);
  client.expose('shop');
  client.expose('news');
  const buys = (draws[at] as number) < (price === offeredPrice ? rate * (1 + effect) : rate);
  if (buys) client.track('purchase', price);
  await client.flush();
  await client.stop();
  return { price, buys };
}
