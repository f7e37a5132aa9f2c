/** Puts the reports of machines side by side, each figure as a ratio to that of the first one. */
import type { Cell, Curve, Finding } from '../bench.js';
import { spreadOf } from '../measure/statistics.js';
import { medianOf, type Report } from './report-file.js';

type Figure = Report['results'][number]['figures'][number];

/** What a reader compares; shares of cores are there to judge the others. */
const compared: Readonly<Record<string, string>> = {
  rate: 'requests/s',
  'server CPU': 'server µs/request',
  p50: 'p50 ms',
  p99: 'p99 ms',
};

/** @param given at least two, of names that differ */
export function comparisonOf(given: readonly Report[]): readonly Finding[] {
  const reports = given.map(withoutAddress);
  const questions = [
    ...new Set(reports.flatMap(({ results }) => results.map(({ question }) => question))),
  ];
  return [machines(reports), ...questions.flatMap((question) => questionOf(question, reports))];
}

/** Figures of a deployed server have its address, which another one does not have. */
function withoutAddress(report: Report): Report {
  if (report.url === null) return report;
  const results = report.results.map((result) => ({
    ...result,
    figures: result.figures.map((figure) => ({ ...figure, contender: 'deployed' })),
  }));
  return { ...report, results };
}

/** What a reader must know before the figures. */
function comparisonNotes(reports: readonly Report[]): readonly string[] {
  const differs = (of: (report: Report) => string): boolean => new Set(reports.map(of)).size > 1;
  return [
    ...(differs(({ loadout }) => loadout)
      ? ['The reports are of different versions of Loadout.']
      : []),
    ...(differs(({ plan }) => JSON.stringify(plan))
      ? ['The reports were made with different rounds or durations: their spreads differ.']
      : []),
    ...(differs(({ url }) => String(url !== null))
      ? ['Some reports are of deployed servers, and some of the machine itself.']
      : []),
    ...reports.flatMap(({ name, cautions }) => cautions.map((caution) => `${name}: ${caution}`)),
  ];
}

function machines(reports: readonly Report[]): Finding {
  const rows = [
    'cpu',
    'cores',
    'memoryTotalMiB',
    'virtualisation',
    'kernel',
    'node',
    'load',
    'date',
  ].map((fact): Cell[] => [
    fact,
    ...reports.map(({ machine }) => String(machine[fact] ?? 'unknown')),
  ]);
  return {
    question: 'Machines',
    columns: ['', ...reports.map(({ name }) => name)],
    rows: [['loadout', ...reports.map(({ loadout }) => loadout)], ...rows],
    notes: comparisonNotes(reports),
    figures: [],
  };
}

/** The figures that every report has of a question; none when there are none. */
function questionOf(question: string, reports: readonly Report[]): readonly Finding[] {
  const all = reports.map(({ results }) => results.find((each) => each.question === question));
  const [first, ...others] = all.map((result) => result?.figures ?? []);
  const rows = (first ?? []).flatMap((figure): Cell[][] => {
    const what = compared[figure.name];
    const rivals = others.map((figures) => figures.find((each) => isSame(each, figure)));
    if (what === undefined || rivals.includes(undefined)) return [];
    return [rowOf(what, figure, rivals as Figure[], reports)];
  });
  if (rows.length === 0) return [];
  const names = reports.map(({ name }) => name);
  const ofFirst = names.slice(1).map((name) => `${name} of ${names[0]}`);
  return [
    {
      question,
      columns: ['', 'figure', ...names, ...ofFirst, ''],
      rows: [...rows, ...ratioRows(all.map((result) => result?.figures ?? []))],
      notes: [],
      figures: [],
      curves: reports.flatMap((report) => curveOf(report, question)),
    },
  ];
}

function isSame(a: Figure, b: Figure): boolean {
  return a.contender === b.contender && a.name === b.name && a.unit === b.unit;
}

function rowOf(
  what: string,
  figure: Figure,
  rivals: readonly Figure[],
  reports: readonly Report[],
): Cell[] {
  const values = [figure, ...rivals].map(medianOf);
  const ratios = rivals.map((rival) => medianOf(rival) / medianOf(figure));
  return [
    ...[figure.contender, what, ...values],
    ...ratios.map((ratio) => (Number.isFinite(ratio) ? ratio.toFixed(2) : '-')),
    remark([figure, ...rivals], reports),
  ];
}

/** What a ratio must be read with. */
function remark(figures: readonly Figure[], reports: readonly Report[]): string {
  const [first, ...others] = figures.map(({ perRound }) =>
    spreadOf(perRound.filter((value) => value !== null)),
  );
  const bound = figures.flatMap(({ name, unit, better, contender }, at) => {
    const isRate = name === 'rate' && unit === '1/s' && !contender.includes('%');
    return isRate && better === 'neither' ? [reports[at]?.name ?? ''] : [];
  });
  if (bound.length > 0) return `client-bound: ${bound.join(', ')}`;
  const overlaps =
    first !== undefined && others.every(({ min, max }) => min <= first.max && max >= first.min);
  return overlaps && figures.every(({ perRound }) => perRound.length > 1)
    ? 'within the spread'
    : '';
}

/** How much of Loadout's CPU time the floor needs: what a machine's speed cancels out of. */
function ratioRows(all: readonly (readonly Figure[])[]): readonly Cell[][] {
  const ratios = all.map((figures) => {
    const cpuOf = (contender: string): number => {
      const found = figures.find(
        (each) => each.contender === contender && each.name === 'server CPU',
      );
      return found === undefined ? Number.NaN : medianOf(found);
    };
    return cpuOf('floor') / cpuOf('loadout');
  });
  const [first = Number.NaN, ...others] = ratios;
  if (ratios.some((ratio) => !Number.isFinite(ratio))) return [];
  return [
    [
      'loadout',
      'CPU of floor',
      ...ratios,
      ...others.map((ratio) => (ratio / first).toFixed(2)),
      '',
    ],
  ];
}

/** p99 against load, where the question measures it at several rates. */
function curveOf({ name, results }: Report, question: string): readonly Curve[] {
  if (!question.startsWith('http/steady/')) return [];
  const figures = results.find((each) => each.question === question)?.figures ?? [];
  const points = figures
    .filter((figure) => figure.name === 'rate')
    .flatMap((rate) => {
      const p99 = figures.find((each) => each.contender === rate.contender && each.name === 'p99');
      return p99 === undefined ? [] : [{ perSecond: medianOf(rate), ms: medianOf(p99) }];
    });
  return [{ label: `${name}, p99`, points }];
}
