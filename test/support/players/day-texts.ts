/** Texts, mappings, conditions and layers for a recorded day of edits, and the moments at which windows open and close. */

/** A content item that an experiment is about; its mapping is always `experimentRule`. */
export const testedItem = 'priced';
export const itemIds = ['events', 'flags', 'gone', 'news', 'packs', testedItem, 'shop', 'timed'];
export const segmentNames = ['eu', 'whales'] as const;
export const experimentRule = {
  ...{ segment: 'price-test', when: { level: { $gte: 2 } }, salt: 'price-test' },
  variants: [
    { name: 'control', groups: [0, 499] },
    { name: 'cheap', groups: [500, 999], merge: { cheap: true } },
  ],
} as const;

const countries = ['DE', 'FR', 'CA', 'US'] as const;
const versions = ['1.0.0', '1.5.0', '2.0.0'] as const;
const minuteMs = 60_000;

export class DayTexts {
  readonly #random: () => number;
  readonly #offsets: readonly number[];
  readonly #edges: number[] = [];
  #count = 0;

  /** @param offsets minutes east of UTC of the players that will be asked for */
  constructor(random: () => number, offsets: readonly number[]) {
    this.#random = random;
    this.#offsets = offsets;
  }

  below(end: number): number {
    return Math.floor(this.#random() * end);
  }

  pick<T>(list: readonly T[]): T {
    const picked = list[this.below(list.length)];
    if (picked === undefined) throw new Error('nothing to pick from');
    return picked;
  }

  happens(probability: number): boolean {
    return this.#random() < probability;
  }

  /** JSONC, no two alike; numbers are written in ways that parsing them would not keep. */
  text(): string {
    this.#count += 1;
    const price = this.pick(['1.10', '2e0', '9007199254740993', '0.30', '4']);
    const comment = this.happens(0.3) ? `/* edit ${this.#count} */ ` : '';
    return `{"price": ${price}, ${comment}"n":${this.#count},"list":[1, 2,3],"deep":{"a":"ä"}}`;
  }

  version(): string {
    return this.pick(versions);
  }

  condition(): object {
    const level = this.below(12);
    return this.pick<object>([
      { country: this.pick(countries) },
      { country: { $in: [this.pick(countries), this.pick(countries)] } },
      { level: { $gte: level } },
      { $or: [{ country: this.pick(countries) }, { level: { $lt: level } }] },
    ]);
  }

  /** Rules of every kind for one content item; none: null players of it are targeted. */
  mapping(id: string): readonly object[] {
    if (id === testedItem) return [experimentRule];
    const rules: object[] = [];
    if (this.happens(0.6)) rules.push({ segment: 'eu', merge: { eu: this.below(1_000) } });
    if (this.happens(0.6)) {
      const value = this.below(1_000);
      rules.push({ segment: 'whales', patch: [{ op: 'replace', path: '/list/1', value }] });
    }
    if (this.happens(0.4)) {
      const when = this.condition();
      rules.push({ segment: 'own', when, holdout: true, merge: { own: this.below(1_000) } });
    }
    if (id === 'shop' || id === 'packs') rules.push(this.#layered(id));
    if (this.happens(0.4)) rules.push(this.#window());
    if (this.happens(0.4)) rules.push(this.#localWindow());
    if (this.happens(0.2)) rules.push(this.#repeat());
    return rules;
  }

  layers(): { readonly layers: readonly object[]; readonly holdout: object | null } {
    const from = this.below(900);
    const holdout = { salt: this.pick(['held', 'kept']), groups: [from, from + this.below(100)] };
    const layers = [{ name: 'shop', salt: this.pick(['first', 'second', 'third', 'fourth']) }];
    return { layers, holdout: this.happens(0.7) ? holdout : null };
  }

  /** Whether a window of any player may open or close in [fromMs, untilMs]. */
  hasEdge(fromMs: number, untilMs: number): boolean {
    // Repeated windows have edges at whole minutes, and offsets of players are whole minutes.
    if (Math.floor(fromMs / minuteMs) !== Math.floor(untilMs / minuteMs)) return true;
    return this.#edges.some((edge) => edge >= fromMs && edge <= untilMs);
  }

  #layered(id: string): object {
    return {
      ...{ segment: 'test', when: {}, layer: 'shop', salt: `test of ${id}`, holdout: true },
      slice: id === 'shop' ? [0, 599] : [600, 999],
      variants: [
        { name: 'a', groups: [0, 499] },
        { name: 'b', groups: [500, 999], merge: { test: this.below(1_000) } },
      ],
    };
  }

  #window(): object {
    const fromMs = Date.now() + this.below(4_000) - 1_000;
    const untilMs = fromMs + 1_000 + this.below(8_000);
    this.#edges.push(fromMs, untilMs);
    const [from, until] = [fromMs, untilMs].map((at) => new Date(at).toISOString());
    return { segment: 'sale', when: {}, from, until, merge: { sale: this.below(1_000) } };
  }

  /** Opens or closes soon for players of one of the offsets; for others it has been, or will be. */
  #localWindow(): object {
    const wallMs = Date.now() + this.pick(this.#offsets) * minuteMs + this.below(4_000);
    for (const offset of this.#offsets) this.#edges.push(wallMs - offset * minuteMs);
    const wall = new Date(wallMs).toISOString().slice(0, -1);
    const end = this.happens(0.5) ? { from: wall } : { until: wall };
    return { segment: 'local', when: {}, ...end, merge: { local: this.below(1_000) } };
  }

  #repeat(): object {
    const at = (aheadMs: number): string =>
      new Date(Date.now() + aheadMs).toISOString().slice(11, 16);
    const offsetMs = this.pick(this.#offsets) * minuteMs;
    return {
      ...{ segment: 'daily', when: {}, merge: { daily: this.below(1_000) } },
      repeat: {
        days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
        ...{ from: at(offsetMs + minuteMs), until: at(offsetMs + 3 * minuteMs) },
      },
    };
  }
}
