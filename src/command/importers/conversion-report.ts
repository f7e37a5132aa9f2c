/** What became of each part of an export. Nothing is dropped without a finding here. */

/**
 * `exact`: players get what they got. `approximated`: nearly, the message says how it differs. `left-out`: the message says what
 * happens instead. `no-effect`: it decided nothing that players get, such as the colour of a label.
 */
export type Outcome = 'exact' | 'approximated' | 'left-out' | 'no-effect';

export interface Finding {
  readonly outcome: Outcome;
  /** The vendor's name of the thing. */
  readonly name: string;
  /** JSON Pointer to it in the export. */
  readonly path: string;
  readonly message: string;
}

/** An attribute that the imported conditions read, which the game has to send. */
export interface NeededAttribute {
  /** `p.country`, `u` or `v`: its place in the body of a request. */
  readonly name: string;
  readonly meaning: string;
}

export interface Renamed {
  readonly kind: 'content' | 'segment' | 'attribute';
  readonly from: string;
  readonly to: string;
}

export interface ConversionReport {
  readonly vendor: string;
  readonly counts: Readonly<Record<Outcome, number>>;
  readonly findings: readonly Finding[];
  readonly attributes: readonly NeededAttribute[];
  readonly renamed: readonly Renamed[];
}

export class ReportBuilder {
  readonly #findings: Finding[] = [];
  readonly #attributes = new Map<string, string>();
  readonly #renamed = new Map<string, Renamed>();

  add(outcome: Outcome, name: string, path: string, message: string): void {
    this.#findings.push({ outcome, name, path, message });
  }

  needs(name: string, meaning: string): void {
    if (!this.#attributes.has(name)) this.#attributes.set(name, meaning);
  }

  renamed(kind: Renamed['kind'], from: string, to: string): void {
    if (from !== to) this.#renamed.set(`${kind} ${from}`, { kind, from, to });
  }

  finish(vendor: string): ConversionReport {
    const counts = { exact: 0, approximated: 0, 'left-out': 0, 'no-effect': 0 };
    for (const { outcome } of this.#findings) counts[outcome] += 1;
    const attributes = [...this.#attributes]
      .map(([name, meaning]) => ({ name, meaning }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    const renamed = [...this.#renamed.values()];
    return { vendor, counts, findings: this.#findings, attributes, renamed };
  }
}
