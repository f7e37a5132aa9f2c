/**
 * `npm run bench:compare -- <git ref> [name...]`: builds that commit in a temporary work tree and runs it against this
 * tree, interleaved, to tell whether a change made anything slower.
 */
import { readArguments, withoutSecrets } from './arguments.mjs';
import { ask } from './ask.js';
import type { Figure, Finding } from './bench.js';
import { treeBuild } from './build.js';
import { buildRef } from './build-ref.js';
import { chooseCores, keepAside } from './measure/child.js';
import { ratioOf } from './measure/statistics.js';
import { chosenQuestions, questions } from './questions.js';
import { describeMachine } from './report/machine.js';
import { progressLine } from './report/progress.js';
import { Results } from './report/results.js';
import { rangeOf, textOf } from './report/text-table.js';

/** Below this many rounds a spread says nothing. */
const roundsMin = 5;
/** Differences below this are not worth a word, however steady they are. */
const noticeable = 0.02;

const words = process.argv.slice(2);
const chosen = readArguments(words, 'compare');
if ('text' in chosen) {
  console.error(chosen.text);
  process.exit(chosen.exitCode);
}
const { asked: names, ref, out, html, ...bench } = chosen;
const machine = describeMachine();
const results = new Results({ out, html, record: false, date: machine.date });
chooseCores(bench.cores);
keepAside();
const asked = chosenQuestions(questions, names);
// Only questions that races answer take a second build.
const comparable = asked.filter(({ comparesBuilds }) => comparesBuilds);
const rounds = Math.max(roundsMin, bench.rounds);
const other = await buildRef(ref, progressLine);
const { findings, failed } = await ask(comparable, {
  ...bench,
  rounds,
  builds: [treeBuild, other],
  progress: progressLine,
});
const verdict = verdictOf(findings, other.name);
console.log(textOf(verdict));
for (const path of results.write(machine, withoutSecrets(words), [...findings, verdict])) {
  console.log(path);
}
process.exit(failed.length > 0 ? 1 : 0);

/** This tree's figures over the other's: beyond noise when every round says the same. */
function verdictOf(all: readonly Finding[], otherName: string): Finding {
  const rows = all.flatMap(({ question, figures }) =>
    figures.flatMap((figure) => {
      const rival = figures.find((candidate) => isRival(figure, candidate, otherName));
      if (rival === undefined || figure.better === 'neither') return [];
      const ratio = ratioOf(figure.perRound, rival.perRound);
      const spread = rangeOf(ratio);
      return [
        [
          question,
          `${figure.contender} ${figure.name}`,
          ratio.median,
          spread,
          judge(figure, ratio),
        ],
      ];
    }),
  );
  const columns = ['question', 'figure', `of ${otherName}`, 'min-max', ''];
  return { question: `this tree against ${otherName}`, columns, rows, notes: [], figures: [] };
}

/** The same figure of the other build: contenders are called `<build>`, or `<contender> of <build>`. */
function isRival(figure: Figure, candidate: Figure, otherName: string): boolean {
  const name = figure.contender.replace(/(^| of )loadout$/, `$1${otherName}`);
  return (
    name !== figure.contender && candidate.contender === name && candidate.name === figure.name
  );
}

function judge(
  { better }: Figure,
  ratio: { readonly median: number; readonly min: number; readonly max: number },
): string {
  if (Math.abs(ratio.median - 1) < noticeable || (ratio.min < 1 && ratio.max > 1))
    return 'no difference';
  return ratio.median > 1 === (better === 'higher') ? 'faster' : 'SLOWER';
}
