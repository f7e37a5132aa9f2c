/** `loadout bench`: how much this machine or a deployed server carries, and how machines compare. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { programFolder } from '../../program-folder.js';
import { misuse } from '../terminal/failure.js';
import { io } from '../terminal/io.js';
import { wholeNumber } from '../terminal/parse-option.js';
import { checkSecret, readNamedFile, readSecretFile } from '../terminal/secrets.js';

/** The longest load of one run, seconds. */
const secondsMax = 600;

export interface BenchOptions {
  readonly quick?: boolean;
  readonly only?: readonly string[];
  readonly rounds?: number;
  readonly seconds?: number;
  readonly connections?: number;
  readonly cores?: string;
  readonly name?: string;
  readonly out?: string;
  readonly html?: string;
  readonly compare?: readonly string[];
  readonly url?: string;
  readonly keyFile?: string;
  readonly content?: readonly string[];
  readonly context?: string;
  readonly yes?: boolean;
}

/** What the bundled benchmarks (`bench/installed/run.ts`) give this command: nothing of them is loaded before it runs. */
interface BenchProgram {
  runBench(options: BenchOptions, key: string | null): Promise<void>;
  compareReports(paths: readonly string[], html: string | undefined): void;
}

const ofMeasuring = ['quick', 'only', 'rounds', 'seconds', 'connections', 'cores', 'name', 'out'];
const ofDeployed = ['url', 'keyFile', 'content', 'context', 'yes'];

export function benchCommand(): Command {
  return new Command('bench')
    .description('measure how many players this machine carries, and at which latency')
    .option('--quick', 'one short round of fewer questions: about half a minute')
    .option('--only <questions>', 'questions whose names begin so, separated by commas', parseList)
    .option('--rounds <n>', 'rounds (default: 3; --quick: 1)', wholeNumber(1, 100))
    .option(
      '--seconds <s>',
      'load per run, after half as much warm-up, at most 1 s (default: 1.5; --quick: 0.6)',
      parseSeconds,
    )
    .option('--connections <n>', 'connections that stay open (default: 50)', wholeNumber(1, 10_000))
    .option(
      '--cores <server,load>',
      'cores of servers and load generators, each as 0, 0-3 or 0+2 (default: a third, the rest)',
    )
    .option('--name <name>', 'what the report calls this machine (default: its host name)')
    .option('--out <file>', 'report, one line of JSON (default: loadout-bench-<time>.json)')
    .option('--html <file>', 'report with plots (default: beside the JSON)')
    .option('--compare <file...>', 'put reports side by side instead of measuring')
    .option('--url <url>', 'load this deployed server, which is yours, instead of this machine')
    .option('--key-file <file>', 'file with the API key for --url (or LOADOUT_BENCH_KEY)')
    .option('--content <ids>', 'content items to ask --url for, separated by commas', parseList)
    .addOption(
      new Option(
        '--context <json>',
        'request body for --url (default: that of the benchmarks)',
      ).argParser(parseJson),
    )
    .option('--yes', 'load a server that is not on this machine without asking first')
    .addHelpText('after', helpAfter)
    .action(bench);
}

const helpAfter = `
Measures the delivery process of this package over loopback, beside the bare HTTP front end as a yardstick that makes machines
comparable. It needs no admin right and no running server, and takes about three minutes. Ctrl-C ends it, with all of its
processes. Run it on a machine that is otherwise idle.

Questions:
  http/one-content/wrapped-1kb      fetches of a content item of 1 KB with three rules; also plain-, serialized-, gzip-; -10kb, -100kb
  http/combine/wrapped-10x2kb       ten content items in one request; also gzip-10x2kb
  http/refresh/unchanged-30x2kb     start-up of a client that holds 30 content items; also changed-, combine-
  http/steady/wrapped-1kb           latency at 10 to 90 % of the rate that one listener reaches; also unchanged-30x2kb (refresh)
  http/listeners/wrapped-1kb        requests per second of 1, 2, 4, … listeners (with at least six cores)
With --url: http/one-content/{plain,wrapped,serialized,gzip} and http/combine/{wrapped,gzip}, each at most 20 rounds of 60 s and
1,000 connections.

Examples:
  loadout bench
  loadout bench --quick --name c7g.large --out c7g.json
  loadout bench --compare c7g.json m7i.json --html machines.html
  LOADOUT_BENCH_KEY_FILE=key.txt loadout bench --url https://config.example.com --content welcome,shop`;

async function bench(options: BenchOptions, command: Command): Promise<void> {
  const given = (names: readonly string[]): string | undefined =>
    names.find((name) => command.getOptionValueSource(name) !== undefined);
  const { compare, url } = options;
  const deployed = given(ofDeployed);
  if (compare !== undefined) {
    const other = given(ofMeasuring) ?? deployed;
    if (other !== undefined) throw misuse(`${flagOf(other)} does not go with --compare.`);
    if (compare.length < 2) throw misuse('--compare needs two reports or more.');
    (await loadProgram()).compareReports(compare, options.html);
    return;
  }
  if (url === undefined && deployed !== undefined) {
    throw misuse(`${flagOf(deployed)} needs --url: no server is loaded unless you name it.`);
  }
  if (url !== undefined && options.content === undefined) {
    throw misuse('--url needs --content: the content items to ask for.');
  }
  await (await loadProgram()).runBench(options, url === undefined ? null : readKey(options));
}

/** Not imported by name: it is an entry of its own, which starts what it measures. */
async function loadProgram(): Promise<BenchProgram> {
  return (await import(new URL('bench-run.js', programFolder).href)) as BenchProgram;
}

/** Never an argument: others see those in `ps`. */
function readKey({ keyFile }: BenchOptions): string {
  const variable = 'LOADOUT_BENCH_KEY';
  if (keyFile !== undefined)
    return checkSecret(readSecretFile(keyFile, '--key-file'), '--key-file');
  const value = (io().env[variable] ?? '').trim();
  const key = readNamedFile(variable, value === '' ? null : variable) ?? value;
  if (key === '') throw misuse(`--url needs an API key: ${variable}, or --key-file.`);
  return checkSecret(key, variable);
}

function flagOf(option: string): string {
  return option === 'keyFile' ? '--key-file' : `--${option}`;
}

function parseSeconds(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0.1 && value <= secondsMax)) {
    throw new InvalidArgumentError(`It must be a number from 0.1 to ${secondsMax}.`);
  }
  return value;
}

function parseList(text: string): readonly string[] {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.includes('')) throw new InvalidArgumentError('It must be names with commas between.');
  return parts;
}

function parseJson(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('It must be a JSON object, such as {"u":"player-1"}.');
  }
  return text;
}
