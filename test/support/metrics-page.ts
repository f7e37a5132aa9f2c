/** The page docs/metrics.md, made of the definitions of all metrics; and what a scrape says, to compare it with. */
import type { Metric } from '../../src/management/metrics/definition.js';
import { metricGroups } from '../../src/management/serve/all-metrics.js';
import type { RunningServer } from './server/server-process.js';

const head = `# Metrics

<!-- Made of the code, where each metric is defined (D114). After a change: npx vitest run --config test/vitest.config.ts --project management test/unit/management/metrics/page.test.ts -u -->

\`/metrics\` of the admin port of each server has these, as text for Prometheus. [The page for operators](docs/operating.md#what-to-watch) says which to
alert on. Names, types and labels are [stable](docs/versioning.md); a label may get further values.

\`listener\` is the number of a delivery process, from 0. Counters begin at 0 when the process that counts starts. A histogram has
\`_bucket\` (with \`le\`), \`_sum\` and \`_count\`. No label is made of what a client sends.
`;

/** The whole page. */
export function metricsPage(): string {
  const sections = metricGroups.map(
    ({ title, metrics }) => `
## ${title}

| metric | type | labels | unit | meaning |
| --- | --- | --- | --- | --- |
${metrics.map(rowOf).join('')}`,
  );
  // Links are written from the root, and the page is in docs/.
  return [head, ...sections].join('').replaceAll('](docs/', '](');
}

function rowOf(metric: Metric): string {
  const { name, type, labels, help, onlyIf, note } = metric;
  const meaning = [help, note, ...(onlyIf === null ? [] : [`*Only ${withPreposition(onlyIf)}.*`])];
  const cells = [
    `\`${name}\``,
    type,
    labels.map((label) => `\`${label}\``).join(', '),
    unitOf(metric),
    meaning.filter((part) => part !== '').join(' '),
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
}

/** "on Linux" stands as it is; "the server takes events" is a condition. */
function withPreposition(onlyIf: string): string {
  return onlyIf.startsWith('on ') ? onlyIf : `if ${onlyIf}`;
}

function unitOf({ name }: Metric): string {
  if (/_(?:timestamp|start_time)_seconds$/.test(name)) return 'seconds since 1970';
  if (/_seconds(?:_total)?$/.test(name)) return 'seconds';
  return /_bytes(?:_total)?$/.test(name) ? 'bytes' : '';
}

/** All metrics that are defined, by name. */
export function definedMetrics(): ReadonlyMap<string, Metric> {
  return new Map(metricGroups.flatMap(({ metrics }) => metrics.map((one) => [one.name, one])));
}

export interface ScrapedMetric {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  /** Of all its samples. */
  readonly labels: readonly string[];
}

/** A sample by its name with labels, as it is written: `loadout_streams{listener="0"}`. */
export type Samples = ReadonlyMap<string, number>;

export interface Scrape {
  readonly metrics: ReadonlyMap<string, ScrapedMetric>;
  readonly samples: Samples;
}

/** What `/metrics` of a server says now. */
export async function scrape(server: RunningServer): Promise<Scrape> {
  const { text } = await server.admin('GET', '/metrics');
  return parseMetrics(text);
}

export function parseMetrics(text: string): Scrape {
  const helps = new Map(
    [...text.matchAll(/^# HELP (\S+) (.*)$/gm)].map(([, name = '', help = '']) => [name, help]),
  );
  const samples = [...text.matchAll(/^((\w+)(?:\{(.*)\})?) (\S+)$/gm)];
  const labels = new Map<string, Set<string>>();
  for (const [, , sample = '', list = ''] of samples) {
    const name = helps.has(sample) ? sample : sample.replace(/_(?:bucket|sum|count)$/, '');
    const own = labels.get(name) ?? new Set();
    for (const [, label = ''] of list.matchAll(/(\w+)="[^"]*"/g)) own.add(label);
    labels.set(name, own);
  }
  const metrics = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(
    ([, name = '', type = '']): readonly [string, ScrapedMetric] => {
      const own = [...(labels.get(name) ?? [])].filter((label) => label !== 'le').sort();
      return [name, { name, type, help: helps.get(name) ?? '', labels: own }];
    },
  );
  return {
    metrics: new Map(metrics),
    samples: new Map(samples.map(([, name = '', , , value]) => [name, Number(value)])),
  };
}

/** Of a server that no server may follow, and that follows none. */
export const followMetricNames: readonly string[] = [
  ...['loadout_followers', 'loadout_followers_sequence'],
  ...['loadout_parent_up', 'loadout_follow_reports_dropped_total'],
];

/**
 * Metrics of which a scrape and the definitions differ, as sentences; none: they agree.
 * @param absent defined metrics that this server has not got
 */
export function differences({ metrics }: Scrape, absent: readonly string[]): string[] {
  const defined = definedMetrics();
  const missing = [...defined.keys()].filter((name) => !metrics.has(name));
  const unexpected = absent.filter((name) => !missing.includes(name));
  return [
    ...missing.filter((name) => !absent.includes(name)).map((name) => `${name} is not scraped`),
    ...unexpected.map((name) => `${name} is scraped, and should not be`),
    ...[...metrics.values()].flatMap(({ name, type, help, labels }) => {
      const known = defined.get(name);
      if (known === undefined) return [`${name} is not defined`];
      const isSame = known.type === type && known.help === help;
      // A metric without samples yet has no labels.
      const hasLabels = labels.length === 0 || labels.join() === [...known.labels].sort().join();
      return isSame && hasLabels ? [] : [`${name} is otherwise: ${type} {${labels}} ${help}`];
    }),
  ];
}
