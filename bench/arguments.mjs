/**
 * Reads the command line: which questions, how often, how long, on which cores, and where the results go. Plain
 * JavaScript, because `start.mjs` reads it before anything is built: `--help` and a typing error must not wait.
 */
import { Command, Option } from 'commander';
import { askedOf, UsageError } from './asked.mjs';
import { names, quickNames } from './catalogue.mjs';
import { deployedAsked, deployedOf } from './deployed-options.mjs';
import { describeQuestions } from './help.mjs';
import { above0, contenderNames, contenders, cores, json, list, whole } from './option-values.mjs';

/**
 * @typedef {object} Chosen
 * @property {readonly string[]} asked names of questions
 * @property {string} ref of bench:compare; '' otherwise
 * @property {number} rounds
 * @property {number} seconds
 * @property {number} warmSeconds
 * @property {boolean} quick
 * @property {boolean} wrk
 * @property {'auto' | 'on' | 'off'} native
 * @property {number} soakMinutes
 * @property {readonly string[] | null} contenders beside Loadout; null: all
 * @property {import('./option-values.mjs').Cores} cores
 * @property {number} listeners 0: as the question has it
 * @property {number} connections 0: as the question has it
 * @property {import('./deployed-options.mjs').Deployed | null} deployed
 * @property {string} out '' for the local history
 * @property {string} html '' for a report beside it
 * @property {boolean} record
 * @property {boolean} build
 *
 * @typedef {{ readonly text: string, readonly exitCode: number }} Said What is printed instead of running.
 */

/** @type {import('./option-values.mjs').Cores} */
const coresDefault = { server: [0], load: [1] };

/** @typedef {'run' | 'compare'} Mode */

/**
 * @param {readonly string[]} words what stands behind `npm run bench --`
 * @param {Mode} mode
 * @returns {Chosen | Said}
 */
export function readArguments(words, mode = 'run') {
  let printed = '';
  const command = commandOf(mode).exitOverride();
  command.configureOutput({
    writeOut: (text) => {
      printed += text;
    },
    writeErr: (text) => {
      printed += text;
    },
  });
  try {
    command.parse(words, { from: 'user' });
    if (command.opts()['help'] !== true) return chosenOf(command, mode);
    const text = [command.helpInformation(), examples(mode), describeQuestions(planOf(command))];
    return { text: text.join('\n'), exitCode: 0 };
  } catch (error) {
    if (error instanceof UsageError) printed = `error: ${error.message}\n`;
    else if (printed === '') throw error;
    return {
      text: `${printed}All options and questions: ${invocation(mode)} --help\n`,
      exitCode: 2,
    };
  }
}

/** The words as a record may keep them. @param {readonly string[]} words */
export function withoutSecrets(words) {
  return words.map((word, at) => {
    if (words[at - 1] === '--key') return '***';
    return word.startsWith('--key=') ? '--key=***' : word;
  });
}

/** @param {Mode} mode */
function invocation(mode) {
  return mode === 'run' ? 'npm run bench --' : 'npm run bench:compare --';
}

/** @param {Mode} mode */
function commandOf(mode) {
  const command = new Command(invocation(mode));
  if (mode === 'compare') command.argument('[ref]', 'git commit that this tree is compared with');
  command
    .argument('[question...]', 'each question whose name begins so (default: all of them)')
    .helpOption(false)
    .option('-h, --help', 'print this and the list of questions')
    .option('--quick', 'one short round of the most telling questions')
    .option(
      '--rounds <n>',
      'rounds; each runs every contender once (default: 5; --quick: 1)',
      whole(1, 1000),
    )
    .option(
      '--seconds <s>',
      'load per run, after as much warm-up, at most 3 s; micro: a quarter (default: 3; --quick: 0.6)',
      above0,
    )
    .addOption(
      new Option(
        '--cores <server,load>',
        'cores of the servers and of the load generator, each as 0, 0-3 or 0+2',
      )
        .argParser(cores)
        .default(coresDefault, '0,1'),
    )
    .option(
      '--listeners <n>',
      'delivery processes of a contender on one port, a server core each; of http/listeners the most (default: 1; http/listeners: one for each server core, at least 2)',
      whole(1, 256),
    )
    .option(
      '--connections <n>',
      'keep-alive connections of a closed load (default: 50)',
      whole(1, 10_000),
    )
    .option(
      '--contenders <names>',
      `who takes part beside loadout: ${contenderNames.join(', ')}, or none (default: all that the question has)`,
      contenders,
    )
    .option('--wrk', 'cross-check with wrk, which saturates a server that autocannon cannot')
    .addOption(
      new Option('--native <choice>', 'whether the addon does the document work, as `serve`')
        .choices(['auto', 'on', 'off'])
        .default('auto'),
    )
    .option(
      '--soak-minutes <m>',
      'length of http/soak and http/attacks/all (default: 1; --quick: 0.1)',
      above0,
    )
    .option(
      '--out <file>',
      'append the results to this file, a JSON line per run (default: bench/results/local/runs.jsonl, which git ignores)',
    )
    .option(
      '--html <file>',
      'write the report with its plots here (default: bench/results/local/<time>.html)',
    )
    .option('--no-build', 'measure the dist/ that is there');
  return mode === 'run' ? withRunOptions(command) : command;
}

/** What only `npm run bench` takes. @param {Command} command */
function withRunOptions(command) {
  return command
    .option('--record', 'append the results to the tracked bench/results/runs.jsonl, too')
    .option(
      '--url <url>',
      'load this deployed server instead of starting one: --rounds times --seconds, and as much warm-up; only a server of yours',
    )
    .addOption(new Option('--key <key>', 'API key for --url').env('LOADOUT_BENCH_KEY'))
    .option('--content <ids>', 'contents to ask --url for, separated by commas', list)
    .option('--context <json>', 'request body for --url (default: that of the benchmarks)', json);
}

/** How often and how long. @param {Command} command */
function planOf(command) {
  const given = command.opts();
  const quick = given['quick'] === true;
  /** @type {number} */
  const seconds = given['seconds'] ?? (quick ? 0.6 : 3);
  return {
    rounds: given['rounds'] ?? (quick ? 1 : 5),
    seconds,
    warmSeconds: quick ? 0.5 : Math.max(1, Math.min(seconds, 3)),
    quick,
    wrk: given['wrk'] === true,
    soakMinutes: given['soakMinutes'] ?? (quick ? 0.1 : 1),
    contenders: given['contenders'] ?? null,
    listeners: given['listeners'] ?? 0,
  };
}

/**
 * @param {Command} command
 * @param {Mode} mode
 * @returns {Chosen}
 */
function chosenOf(command, mode) {
  const given = command.opts();
  const plan = planOf(command);
  const ref = mode === 'compare' ? command.args[0] : '';
  if (ref === undefined) throw new UsageError('a git commit to compare with comes first.');
  const typed = mode === 'compare' ? command.args.slice(1) : command.args;
  const deployed = deployedOf(command);
  const asked =
    deployed === null
      ? askedOf(typed, names, plan.quick ? quickNames : names)
      : deployedAsked(typed, deployed);
  return {
    ...plan,
    asked,
    ref,
    native: given['native'],
    cores: given['cores'],
    connections: given['connections'] ?? 0,
    deployed,
    out: given['out'] ?? '',
    html: given['html'] ?? '',
    record: given['record'] === true,
    build: given['build'],
  };
}

/** @param {Mode} mode */
function examples(mode) {
  const lines =
    mode === 'compare'
      ? ['main~3 http/one-content micro', 'HEAD~1 http/combine --rounds 7']
      : [
          '--quick',
          'http/one-content/wrapped --rounds 7 --seconds 5 --wrk',
          'http/listeners --cores 0-3,4-7',
          'micro/splice --out splice.jsonl --html splice.html',
          'http/one-content/wrapped --url https://config.example.com --content welcome,shop --rounds 3',
        ];
  return `Examples:\n${lines.map((line) => `  ${invocation(mode)} ${line}`).join('\n')}\n`;
}
