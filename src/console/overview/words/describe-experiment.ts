/** What an experiment says so far, for one line of the overview. Pure. */
import type { ExperimentLead, OverviewExperiment } from '../../../contract/operations/overview.js';
import { formatPart, formatWhole } from '../../../contract/results/effect-words.js';
import { runText } from '../../experiments/words/days.js';
import { timeAgo } from '../../parts/time/time-ago.js';

/** Such as `Day 4 of 14 · No decision yet · 12,410 players 33.1 % / 33.4 % / 33.5 % · as of 3 minutes ago`. */
export function describeExperiment(experiment: OverviewExperiment, nowMs: number): string {
  const { lead } = experiment;
  const parts = [runText(experiment, nowMs)];
  if (lead === null) return [...parts, 'result not computed yet'].join(' · ');
  const players = describePlayers(lead);
  // Without players it would say the same twice.
  if (lead.kind !== 'waiting' || players === null) parts.push(lead.text);
  if (players !== null) parts.push(players);
  return [...parts, `as of ${timeAgo(lead.asOf, nowMs)}`].join(' · ');
}

function describePlayers({ variants }: ExperimentLead): string | null {
  const counts = variants.map(({ players }) => players ?? 0);
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all === 0) return null;
  const shares = counts.map((count) => formatPart(count / all)).join(' / ');
  return `${formatWhole(all)} players ${shares}`;
}
