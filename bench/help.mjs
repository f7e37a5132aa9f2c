/** Words the list of questions for `--help`. */
import { catalogue, names, namesOf, quickNames, secondsOf } from './catalogue.mjs';

/** @typedef {import('./catalogue.mjs').Plan} Plan */

/**
 * Each question with its sentence and about how long it takes.
 * @param {Plan} plan
 */
export function describeQuestions(plan) {
  const lines = catalogue.flatMap((group) => {
    const all = namesOf(group);
    const seconds = all.map((name) => secondsOf([name], plan));
    const each = all.length > 1 ? ' each' : '';
    return [
      `  ${briefly(group.name, group.cases)}`,
      `      ${group.asks}`,
      `      ${range(Math.min(...seconds), Math.max(...seconds))}${each}${inQuick(group)}`,
    ];
  });
  const { rounds, seconds } = plan;
  return [
    `Questions, with the time that they take with ${rounds} x ${seconds} s (all: ${duration(secondsOf(names, plan))}; of --quick: ${duration(secondsOf(quickNames, { ...plan, ...quickPlan }))}):`,
    ...lines,
    '',
  ].join('\n');
}

const quickPlan = { rounds: 1, seconds: 0.6, warmSeconds: 0.5, quick: true, soakMinutes: 0.1 };

/** @param {import('./catalogue.mjs').Group} group */
function inQuick({ cases, quick }) {
  if (quick.length === 0) return '';
  return `; --quick: ${quick.length === cases.length ? 'yes' : quick.join(', ')}`;
}

/**
 * @param {number} seconds
 * @returns {string} `20 s`, `4 min`, `1.5 h`
 */
export function duration(seconds) {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/**
 * @param {number} least
 * @param {number} most
 */
function range(least, most) {
  const [from, to] = [duration(least), duration(most)];
  return `about ${from === to ? from : `${from} to ${to}`}`;
}

/**
 * `http/combine/{a,b}`: the cases of a group in one line.
 * @param {string} name
 * @param {readonly string[]} cases
 */
function briefly(name, cases) {
  if (cases.length === 1) return cases[0] === '' ? name : `${name}/${cases[0]}`;
  const parts = cases.map((each) => each.split('-'));
  const heads = [...new Set(parts.map(([head]) => head))];
  const tails = [...new Set(parts.map(([, ...tail]) => tail.join('-')))];
  const isGrid =
    heads.length > 1 && tails.length > 1 && heads.length * tails.length === cases.length;
  return isGrid
    ? `${name}/{${heads.join(',')}}-{${tails.join(',')}}`
    : `${name}/{${cases.join(',')}}`;
}
