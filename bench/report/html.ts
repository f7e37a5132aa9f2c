/** The report of a run: one HTML file with nothing outside itself. */
import type { Cell, Finding } from '../bench.js';
import { distributionPlot } from './distribution-plot.js';
import { latencyPlot } from './latency-plot.js';
import { loadPlot } from './load-plot.js';
import type { Machine } from './machine.js';
import { escaped, short } from './text-table.js';

const style = `
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem; color: #1c1c1c; background: #fff; }
  h1 { font-size: 1.4rem; } h2 { font-size: 1.05rem; margin: 2.5rem 0 .5rem; font-family: ui-monospace, monospace; }
  table { border-collapse: collapse; font-variant-numeric: tabular-nums; display: block; overflow-x: auto; }
  th, td { padding: .2rem .7rem; text-align: right; border-bottom: 1px solid #ddd; white-space: nowrap; }
  th:first-child, td:first-child { text-align: left; padding-left: 0; } th { font-weight: 600; color: #555; }
  svg { max-width: 46rem; width: 100%; margin-top: 1rem; font-size: 11px; } svg text { fill: #555; } .grid { stroke: #e4e4e4; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; } dt { color: #555; } dd { margin: 0; }
  .notes { color: #555; margin: .4rem 0; padding-left: 1.1rem; }
  @media (prefers-color-scheme: dark) {
    body { background: #161616; color: #e8e8e8; } th, dt, .notes, svg text { color: #aaa; fill: #aaa; }
    th, td { border-color: #333; } .grid { stroke: #333; }
  }`;

export function reportHtml(
  machine: Machine,
  flags: readonly string[],
  findings: readonly Finding[],
): string {
  const about = { ...machine, flags: flags.join(' ') || 'none' };
  return pageHtml('Loadout benchmarks', machine.commit, about, findings);
}

/** @param about what stands above the findings: names and values */
export function pageHtml(
  heading: string,
  of: string,
  about: Readonly<Record<string, unknown>>,
  findings: readonly Finding[],
): string {
  const list = Object.entries(about)
    .map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(String(value))}</dd>`)
    .join('');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(`${heading}, ${of}`)}</title><style>${style}</style></head>
<body><h1>${escaped(heading)}</h1><dl>${list}</dl>
${findings.map(sectionOf).join('\n')}
</body></html>
`;
}

function sectionOf({ question, columns, rows, notes, figures, curves = [] }: Finding): string {
  const head = columns.map((column) => `<th>${escaped(column)}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map(cellOf).join('')}</tr>`).join('\n');
  const list = notes.map((note) => `<li>${escaped(note)}</li>`).join('');
  return `<h2>${escaped(question)}</h2>
<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>
${list === '' ? '' : `<ul class="notes">${list}</ul>`}${loadPlot(curves)}${latencyPlot(figures)}${distributionPlot(figures)}`;
}

function cellOf(cell: Cell): string {
  return `<td>${escaped(typeof cell === 'string' ? cell : short(cell))}</td>`;
}
