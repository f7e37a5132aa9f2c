/** The experiments of the demo's game: how its made-up players behave in each, so that one wins, one is open and one is broken. */

/** Events of a metric that a player causes after an exposure. */
export interface Behaviour {
  /** Name of the events. */
  readonly event: string;
  /** Of a hundred players: those who do it, by variant; of other variants `control`. */
  readonly percent: Readonly<Record<string, number>>;
  /** One of them is sent with each event. */
  readonly values: readonly number[];
  /** After the exposure; from the first to the last. */
  readonly afterMinutes: readonly [number, number];
  /** Those who do it did it on a day before the exposure, too: of a hundred. */
  readonly beforePercent?: number;
}

export interface DemoExperiment {
  /** As in `history.json`. */
  readonly id: string;
  /** Players who see its content for the first time on a day. */
  readonly playersPerDay: number;
  /** Exposures of a hundred that never arrive, by variant: a fault of the game. */
  readonly lostPercent?: Readonly<Record<string, number>>;
  readonly behaviours: readonly Behaviour[];
}

const minutesPerDay = 24 * 60;

const purchases: Pick<Behaviour, 'event' | 'values' | 'afterMinutes'> = {
  event: 'purchase',
  values: [1.99, 3.99, 3.99, 4.99, 4.99, 4.99, 5.99, 9.99],
  afterMinutes: [5, 2 * minutesPerDay],
};

const comesBack: Pick<Behaviour, 'event' | 'values' | 'afterMinutes'> = {
  event: 'session',
  values: [1],
  afterMinutes: [14 * 60, 40 * 60],
};

export const demoExperiments: readonly DemoExperiment[] = [
  {
    id: 'level-12-moves',
    playersPerDay: 900,
    behaviours: [
      {
        event: 'level-12-won',
        percent: { control: 34, 'three-more': 43, 'no-blockers': 36 },
        values: [1],
        afterMinutes: [3, 9 * 60],
      },
      { ...purchases, percent: { control: 8 }, beforePercent: 40 },
    ],
  },
  {
    id: 'navigator-price',
    playersPerDay: 700,
    behaviours: [
      { ...purchases, percent: { control: 18 }, beforePercent: 50 },
      { ...comesBack, percent: { control: 38 } },
    ],
  },
  {
    id: 'push-hour',
    playersPerDay: 600,
    // A release of the game drops the events of players whose message comes late in the evening.
    lostPercent: { later: 45 },
    behaviours: [{ ...comesBack, percent: { control: 33, earlier: 34, later: 35 } }],
  },
];

/** @returns of a hundred, those who do it */
export function percentOf({ percent }: Pick<Behaviour, 'percent'>, variant: string): number {
  return percent[variant] ?? percent['control'] ?? 0;
}
