/** Reads Prometheus text (version 0.0.4) into its samples by name. Lines that are none are passed over. */

export interface MetricSample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export type Metrics = ReadonlyMap<string, readonly MetricSample[]>;

/** A name, its labels in braces (values are quoted and may hold anything), a value; a timestamp may follow. */
const sampleLine = /^([a-zA-Z_:][\w:]*)\s*(?:\{((?:[^"}]|"(?:[^"\\]|\\.)*")*)\})?\s*(\S+)/;
const labelPair = /([a-zA-Z_]\w*)\s*=\s*"((?:[^"\\]|\\.)*)"/g;
const escaped = /\\(.)/g;

export function parseMetrics(text: string): Metrics {
  const metrics = new Map<string, MetricSample[]>();
  for (const line of text.split('\n')) {
    if (line.startsWith('#')) continue;
    const [, name, labels = '', written] = sampleLine.exec(line.trim()) ?? [];
    if (name === undefined || written === undefined) continue;
    const samples = metrics.get(name) ?? [];
    samples.push({ labels: parseLabels(labels), value: parseValue(written) });
    metrics.set(name, samples);
  }
  return metrics;
}

function parseLabels(source: string): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const [, name = '', value = ''] of source.matchAll(labelPair)) {
    labels[name] = value.replace(escaped, (_, char: string) => (char === 'n' ? '\n' : char));
  }
  return labels;
}

function parseValue(written: string): number {
  if (written === '+Inf') return Number.POSITIVE_INFINITY;
  if (written === '-Inf') return Number.NEGATIVE_INFINITY;
  return Number(written);
}
