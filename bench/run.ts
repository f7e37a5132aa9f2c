/** `npm run bench`: asks the chosen questions, prints tables, records the figures, writes the report. */
import { readArguments, usage } from './arguments.js';
import { ask } from './ask.js';
import { treeBuild } from './build.js';
import { canPin, keepAside } from './measure/child.js';
import { questions } from './questions.js';
import { describeMachine } from './report/machine.js';
import { progressLine } from './report/progress.js';
import { record } from './report/record.js';

const words = process.argv.slice(2);
const chosen = readArguments(words, questions);
if (typeof chosen === 'string') {
  console.log(`${chosen}\n${usage(questions)}`);
  process.exit(chosen === '' ? 0 : 2);
}
const machine = describeMachine();
console.log(
  `${machine.commit}, node ${machine.node}, ${machine.cores} x ${machine.cpu}, load ${machine.load}`,
);
keepAside();
if (!canPin) console.log('Processes cannot be bound to cores here: figures will scatter.');

const { asked, bench } = chosen;
const { findings, failed } = await ask(asked, {
  ...bench,
  builds: [treeBuild],
  progress: progressLine,
});
if (findings.length > 0) console.log(`\n${record(machine, words, findings)}`);
if (failed.length > 0) console.error(`Failed: ${failed.join(', ')}`);
process.exit(failed.length > 0 ? 1 : 0);
