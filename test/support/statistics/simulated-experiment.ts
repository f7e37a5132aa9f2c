/**
 * Players of a game during an experiment, day by day: they come back, their sums grow, few of them pay, and few of those pay
 * most of it. Nothing is drawn independently of the day before.
 */
import type { Sums } from '../../../src/analysis/statistics/estimate.js';
import { logNormalValue, poissonValue, type Random } from './random-values.js';
import { UserSums } from './sums-of.js';

export interface SimulatedGame {
  readonly random: Random;
  readonly days: number;
  /** New players of a day, exposed on it; of the first day for a launch. */
  readonly playersOf: (day: number) => number;
  /** Of the treatment; the rest is the control. */
  readonly treatmentShare: number;
  readonly payers: number;
  /** Of the logarithm of what payers spend: 2 is a game in which a percent of them spends a third. */
  readonly sigma: number;
  /** By how much players of the treatment play and spend more: 0.1 is 10 %. */
  readonly effect: number;
}

/** The kinds of the metrics; `adjusted` is the revenue with its history, `uncut` without a cap. */
export const simulatedMetrics = {
  ...({ revenue: 'sum', uncut: 'sum', adjusted: 'sum' } as const),
  ...({ sessions: 'count', conversion: 'conversion', ratio: 'ratio' } as const),
};
export type SimulatedMetric = keyof typeof simulatedMetrics;

/** By variant: the control, then the treatment. */
export type SumsOfDay = Readonly<Record<SimulatedMetric, readonly [Sums, Sums]>>;

interface Player {
  readonly variant: 0 | 1;
  readonly activity: number;
  readonly isPayer: boolean;
  readonly scale: number;
  readonly firstDay: number;
  /** Spent in the seven days before; null: a new player. */
  readonly history: number | null;
  spent: number;
  sessions: number;
}

/** @returns the sums at the end of each day */
export function* simulateExperiment(game: SimulatedGame): Generator<SumsOfDay> {
  const players: Player[] = [];
  for (let day = 0; day < game.days; day++) {
    const arriving = game.playersOf(day);
    for (let at = 0; at < arriving; at++) players.push(newPlayer(game, day));
    for (const player of players) play(game, player, day - player.firstDay);
    yield sumsOfDay(players);
  }
}

function newPlayer(game: SimulatedGame, firstDay: number): Player {
  const { random } = game;
  const variant = random() < game.treatmentShare ? 1 : 0;
  const isPayer = random() < game.payers;
  const scale = isPayer ? logNormalValue(random, game.sigma) : 0;
  const activity = 0.1 + 0.8 * random() ** 2;
  const player = { variant, activity, isPayer, scale, firstDay, spent: 0, sessions: 0 } as const;
  return { ...player, history: random() < 0.6 ? weekOf(game, player) : null };
}

function weekOf(
  { random }: SimulatedGame,
  { activity, isPayer, scale }: Omit<Player, 'history'>,
): number {
  let spent = 0;
  for (let day = 0; isPayer && day < 7; day++) {
    if (random() < activity * 0.4) spent += scale * logNormalValue(random, 0.7);
  }
  return spent;
}

function play({ random, effect }: SimulatedGame, player: Player, age: number): void {
  if (random() >= player.activity / (1 + age / 10)) return;
  const factor = player.variant === 1 ? 1 + effect : 1;
  player.sessions += (1 + poissonValue(random, 1)) * factor;
  if (!player.isPayer || random() >= 0.4) return;
  player.spent += player.scale * logNormalValue(random, 0.7) * factor;
}

function sumsOfDay(players: readonly Player[]): SumsOfDay {
  const cut = quantileOfPayers(players, 0.999);
  const pairs = () => [new UserSums(), new UserSums()] as const;
  const [revenue, uncut, adjusted] = [pairs(), pairs(), pairs()];
  const [sessions, conversion, ratio] = [pairs(), pairs(), pairs()];
  for (const player of players) {
    const { variant, spent } = player;
    const counted = Math.min(spent, cut);
    const history = player.history === null ? null : Math.min(player.history, cut);
    revenue[variant].add(counted);
    uncut[variant].add(spent);
    adjusted[variant].add(counted, 0, history);
    sessions[variant].add(player.sessions);
    conversion[variant].add(spent > 0 ? 1 : 0);
    ratio[variant].add(counted, player.sessions);
  }
  return {
    ...{ revenue: withoutHistory(revenue), uncut: withoutHistory(uncut), adjusted },
    ...{ sessions: withoutHistory(sessions), conversion: withoutHistory(conversion) },
    ratio: withoutHistory(ratio),
  };
}

function withoutHistory([control, treatment]: readonly [Sums, Sums]): readonly [Sums, Sums] {
  return [
    { ...control, pre: null },
    { ...treatment, pre: null },
  ];
}

/** Of what those have spent who have. */
function quantileOfPayers(players: readonly Player[], quantile: number): number {
  const spent = players.flatMap((player) => (player.spent > 0 ? [player.spent] : []));
  spent.sort((a, b) => a - b);
  return spent[Math.floor((spent.length - 1) * quantile)] ?? 0;
}
