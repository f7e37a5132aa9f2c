/** Requests per second and core, by size and form: the table that sizing starts from, ready for a document. */
import type { Figure, Finding } from '../bench.js';
import { short } from './text-table.js';

const prefixes = ['http/one-content/', 'http/combine/'];

/** '' when wrk drove none of the questions that it is made of. */
export function capacityOf(findings: readonly Finding[]): string {
  const rows = new Map<string, Map<string, string>>();
  const columns: string[] = [];
  for (const { question, figures } of findings) {
    const prefix = prefixes.find((each) => question.startsWith(each));
    const rate = named(figures, 'rate with wrk');
    const cpu = named(figures, 'server CPU with wrk');
    if (prefix === undefined || rate === undefined || cpu === undefined) continue;
    const [form, size] = question.slice(prefix.length).split('-') as [string, string];
    const row = prefix === prefixes[1] ? `combine, ${form}` : form;
    const { median, min, max } = rate.spread;
    const cell = `${short(median)} (${short(min)}-${short(max)}); ${short(cpu.spread.median)} µs`;
    rows.set(row, (rows.get(row) ?? new Map()).set(size, cell));
    if (!columns.includes(size)) columns.push(size);
  }
  if (rows.size === 0) return '';
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    'Requests per second of one delivery process, by wrk: median (min-max); CPU per request',
    '',
    line(['', ...columns]),
    line(['---', ...columns.map(() => '---')]),
    ...[...rows].map(([row, cells]) => line([row, ...columns.map((at) => cells.get(at) ?? '')])),
  ].join('\n');
}

function named(figures: readonly Figure[], name: string): Figure | undefined {
  return figures.find((figure) => figure.contender === 'loadout' && figure.name === name);
}
