/** What an edit changes of the plan of an experiment, in words for its log. Pure. */
import type { ExperimentColumns, ExperimentRecord } from '../store/experiments/experiments.js';

type Planned = Extract<
  keyof ExperimentColumns,
  | 'name'
  | 'hypothesis'
  | 'owner'
  | 'control'
  | 'primaryMetric'
  | 'guardMetrics'
  | 'plannedDays'
  | 'smallestEffect'
>;

const words: Readonly<Record<Planned, string>> = {
  name: 'name',
  hypothesis: 'hypothesis',
  owner: 'owner',
  control: 'control',
  primaryMetric: 'primary metric',
  guardMetrics: 'guard metrics',
  plannedDays: 'planned days',
  smallestEffect: 'smallest effect',
};

/** Long texts, of which a line of the log says only that they changed. */
const unquoted: readonly string[] = ['hypothesis'];

/** One for each member that differs; none: nothing does. */
export function describeEdit(before: ExperimentRecord, edit: ExperimentColumns): string[] {
  return (Object.keys(words) as Planned[]).flatMap((member) => {
    const [from, to] = [before[member], edit[member]];
    if (to === undefined || JSON.stringify(from) === JSON.stringify(to)) return [];
    if (unquoted.includes(member)) return [words[member]];
    return [`${words[member]} from ${textOf(from)} to ${textOf(to)}`];
  });
}

function textOf(value: unknown): string {
  if (value === null) return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  return typeof value === 'string' ? `"${value}"` : String(value);
}
