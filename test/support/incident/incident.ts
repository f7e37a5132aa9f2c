/**
 * The incident that releases are for: a value of the wrong type begins to ramp at 1 %, games crash on it, the brake stops
 * the release by itself, and each player's next start is healthy. Real kits with their storage on disk; only the clock of
 * the server is moved.
 */
import { join } from 'node:path';
import { makeEvaluationContext } from '../../../src/content/evaluation-context.js';
import { sliceOf } from '../../../src/content/ramp.js';
import { eventually } from '../eventually.js';
import { addressOf } from '../kit-client.js';
import { makeEnvironment } from '../server/environment.js';
import { MovingClock } from '../server/moving-clock.js';
import { saltOf, TestedRelease } from '../server/release.js';
import { makeDataFolder, startServer } from '../server/server.js';
import { KitPlayer, type PlayedGame, type Player } from './player.js';

export interface IncidentOptions {
  readonly random: () => number;
  /** Of the game; those that are neither in nor in the control would see nothing, so few of them play. */
  readonly population: number;
  readonly players: number;
  /** Players of other kits; `member` gives the id of another user that is in. */
  readonly others?: (game: PlayedGame, folder: string, member: () => string) => Player[];
}

export interface IncidentFigures {
  readonly players: number;
  readonly inSlice: number;
  readonly inControl: number;
  /** Players whose game has crashed. */
  readonly reached: number;
  readonly crashes: number;
  /** From the first step to the stop, on the server's clock. */
  readonly secondsUntilStop: number;
  /** Starts after the stop that were not healthy, or not with what is live. */
  readonly unhealthyAfterwards: readonly string[];
  /** Crashes of players that are not in. */
  readonly crashedOutside: readonly string[];
  readonly state: string;
  readonly reason: string;
  readonly timeline: readonly string[];
}

const permille = 10;
const livePrice = 500;
const steps = [
  { percent: permille / 10, holdMinutes: 30 },
  { percent: 10, holdMinutes: 60 },
  { percent: 100, holdMinutes: 0 },
];
/** Players come evenly over so many minutes of the server's clock, in waves. */
const minutes = 10;
const waveSeconds = 15;
/** Games that start at the same moment, of those of a wave. */
const atOnce = 16;
const restartsMax = 3;

export async function incident(options: IncidentOptions): Promise<IncidentFigures> {
  const { random } = options;
  const folder = makeDataFolder();
  const clock = new MovingClock(folder);
  const flags = ['--trusted-proxies', '127.0.0.1'];
  const server = await startServer({ data: join(folder, 'server'), listeners: 2, clock, flags });
  const game = await makeEnvironment(server);
  await game.put('shop', JSON.stringify({ price: livePrice }));
  await game.put('news', '{"title":"Winter"}');
  await game.put('shop', JSON.stringify({ price: '500 gems' }), { publish: false });
  const release = await TestedRelease.make(game, {
    ...{ changes: [{ kind: 'content', id: 'shop' }], steps },
    brake: { receipts: { minutes: 1 } },
  });

  const salt = saltOf(server, game.id, release.number);
  const { candidate, control, none } = slicesOf(salt, options.population);
  const rest = none.slice(0, Math.max(options.players - candidate.length - control.length, 0));
  const played = { url: server.deliveryUrl, key: game.key };
  const others = options.others?.(played, folder, () => candidate.shift() as string) ?? [];
  const players = shuffled([...candidate, ...control, ...rest], random).map(
    (u, at) => new KitPlayer(played, u, join(folder, 'players', u), addressOf(at)),
  );
  const members = new Set([...candidate, ...others.map(({ u }) => u)]);
  await startAll([...others, ...players], async (player) => {
    const { isHealthy } = await player.start();
    if (!isHealthy) throw new Error(`${player.u} crashed before the release`);
  });

  await release.act('start');
  const startedMs = clock.nowMs;
  const reached = new Set<string>();
  const crashedOutside: string[] = [];
  let crashes = 0;
  const play = async (player: Player): Promise<void> => {
    for (let restarts = 0; restarts <= random() * restartsMax; restarts++) {
      if ((await player.start()).isHealthy) return;
      crashes += 1;
      reached.add(player.u);
      if (!members.has(player.u)) crashedOutside.push(player.u);
    }
  };
  await startAll(others, play);
  const perWave = Math.ceil((players.length * waveSeconds) / (minutes * 60));
  for (let at = 0; (await release.state()) === 'ramping' && at < players.length; at += perWave) {
    const wave = players.slice(at, at + perWave);
    await startAll(wave, play);
    const came = [...others, ...players.slice(0, at + perWave)].filter(({ u }) => members.has(u));
    await eventually('their starts are counted', 30_000, async () => {
      const { ramp } = await release.show();
      return ramp === null || ramp.counts.candidate.users >= came.length;
    });
    clock.move(waveSeconds * 1_000);
  }
  const shown = await release.show();

  const unhealthyAfterwards: string[] = [];
  await startAll([...others, ...players], async (player) => {
    const { isHealthy, source, price } = await player.start();
    if (!isHealthy || source !== 'server' || price !== livePrice) {
      unhealthyAfterwards.push(`${player.u}: ${price} of ${source}`);
    }
    await player.end();
  });
  return {
    ...{ players: players.length + others.length, inSlice: members.size },
    ...{ inControl: control.length, reached: reached.size, crashes, crashedOutside },
    secondsUntilStop: Math.round((Date.parse(shown.endedAt ?? '') - startedMs) / 1_000),
    ...{ unhealthyAfterwards, state: shown.state, reason: shown.reason },
    timeline: await release.timeline(),
  };
}

function slicesOf(salt: string, population: number) {
  const slices = { candidate: [] as string[], control: [] as string[], none: [] as string[] };
  for (let at = 0; at < population; at++) {
    const u = `player-${at}`;
    const slice = sliceOf({ salt, permille }, makeEvaluationContext(u, {}, null));
    slices[slice ?? 'none'].push(u);
  }
  return slices;
}

async function startAll(
  players: readonly Player[],
  work: (player: Player) => Promise<void>,
): Promise<void> {
  const left = [...players];
  const next = async (): Promise<void> => {
    for (let player = left.shift(); player !== undefined; player = left.shift()) await work(player);
  };
  await Promise.all(Array.from({ length: atOnce }, next));
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const drawn = list.map((item) => ({ item, place: random() }));
  return drawn.sort((one, other) => one.place - other.place).map(({ item }) => item);
}
