/** `npm run bench`, once all is built: asks the chosen questions, prints tables, keeps the figures and the report. */
import { readArguments, withoutSecrets } from './arguments.mjs';
import { ask } from './ask.js';
import { treeBuild } from './build.js';
import { deployedQuestions } from './http/deployed.js';
import { canPin, chooseCores, keepAside } from './measure/child.js';
import { chosenQuestions, questions } from './questions.js';
import { capacityOf } from './report/capacity.js';
import { describeMachine, machineLine } from './report/machine.js';
import { progressLine } from './report/progress.js';
import { Results } from './report/results.js';

const words = process.argv.slice(2);
const chosen = readArguments(words);
if ('text' in chosen) {
  console.error(chosen.text);
  process.exit(chosen.exitCode);
}
const { asked, deployed, cores, out, html, record, ...bench } = chosen;
const machine = describeMachine();
const results = begin();
console.log(machineLine(machine));
if (!canPin) console.log('Processes cannot be bound to cores here: figures will scatter.');

const offered = deployed === null ? questions : deployedQuestions(deployed);
const { findings, failed } = await ask(chosenQuestions(offered, asked), {
  ...bench,
  cores,
  builds: [treeBuild],
  progress: progressLine,
});
const capacity = bench.listeners > 1 ? '' : capacityOf(findings);
if (capacity !== '') console.log(`\n${capacity}`);
if (findings.length > 0) {
  for (const path of results.write(machine, withoutSecrets(words), findings)) console.log(path);
}
if (failed.length > 0) console.error(`Failed: ${failed.join(', ')}`);
process.exit(failed.length > 0 ? 1 : 0);

/** What may be wrong with a command that is well formed: its files, and cores that this machine does not have. */
function begin(): Results {
  try {
    const opened = new Results({ out, html, record, date: machine.date });
    chooseCores(cores);
    keepAside();
    return opened;
  } catch (error) {
    console.error(`error: ${(error as Error).message}`);
    process.exit(2);
  }
}
