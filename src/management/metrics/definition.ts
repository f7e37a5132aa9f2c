/** What a metric is called and means: each is defined once, by the part that counts it, and docs/metrics.md lists all (D114). */

/** @typeParam Label names of its labels */
export interface Metric<Label extends string = string> {
  /** Counters end in `_total`; units are seconds and bytes. Never changed once released. */
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** A sentence, as `/metrics` shows it. */
  readonly help: string;
  readonly labels: readonly Label[];
  /** Which servers have it, as a condition; null: all. */
  readonly onlyIf: string | null;
  /** What docs/metrics.md adds to `help`, in Markdown with links from the root of the repository; '': nothing. */
  readonly note: string;
}

export interface MetricSpec<Label extends string> {
  readonly name: string;
  readonly help: string;
  /** None unless given. */
  readonly labels?: readonly Label[];
  readonly onlyIf?: string;
  readonly note?: string;
}

/** A counter if its name ends in `_total`, a gauge otherwise. */
export function metric<const Label extends string = never>(spec: MetricSpec<Label>): Metric<Label> {
  return made(spec, spec.name.endsWith('_total') ? 'counter' : 'gauge');
}

/** Its samples are made by a `Histogram`, or of counts that came from elsewhere. */
export function histogram<const Label extends string = never>(
  spec: MetricSpec<Label>,
): Metric<Label> {
  return made(spec, 'histogram');
}

function made<Label extends string>(
  { name, help, labels = [], onlyIf, note = '' }: MetricSpec<Label>,
  type: Metric['type'],
): Metric<Label> {
  return { name, type, help, labels, onlyIf: onlyIf ?? null, note };
}

/** A number of the control process itself. */
export interface Gauge {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  /** What distinguishes it from others of the name; none unless given. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What a metric is now; with a value for each of its labels, if it has any. */
export function sample<Label extends string>(
  { name, help, type }: Metric<Label>,
  value: number,
  ...given: [Label] extends [never] ? [] : [labels: Readonly<Record<Label, string>>]
): Gauge {
  const [labels] = given as readonly Readonly<Record<string, string>>[];
  const kind = type === 'counter' ? 'counter' : 'gauge';
  return { name, type: kind, help, ...(labels === undefined ? {} : { labels }), value };
}
