/** `loadout bench`: the benchmarks of the delivery side in the installed package, which has no repository around it. */
import { accessSync, constants, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { BenchOptions } from '../../src/command/bench/bench.js';
import { confirm } from '../../src/command/terminal/confirm.js';
import { CommandFailure, misuse } from '../../src/command/terminal/failure.js';
import { printLine, printNote } from '../../src/command/terminal/output.js';
import { readVersion } from '../../src/command/terminal/version.js';
import { digestOf } from '../../src/content/hash.js';
import { PublishedWriter } from '../../src/published/writer.js';
import { ask } from '../ask.js';
import { UsageError } from '../asked.mjs';
import type { Bench, Cores, Finding, Question } from '../bench.js';
import { treeRoot } from '../build.js';
import type { Plan } from '../catalogue.mjs';
import * as limits from '../deployed-options.mjs';
import { duration } from '../help.mjs';
import { deployedQuestions } from '../http/deployed.js';
import { canPin, chooseCores, keepAside } from '../measure/child.js';
import { cpuTimeOf } from '../measure/cpu-time.js';
import { cores as parseCores } from '../option-values.mjs';
import { carriedBy, carriedFinding } from '../report/carries.js';
import { cautionsOf, cpuQuotaOf, disturbanceOf, isOnBattery } from '../report/cautions.js';
import { pageHtml } from '../report/html.js';
import { describeMachine, type Machine, machineLine } from '../report/machine.js';
import { progressLine } from '../report/progress.js';
import { textOf } from '../report/text-table.js';
import { comparisonOf } from './comparison.js';
import { allowedCores, divideCores } from './cores.js';
import { durationOf, planOf, questionsOf } from './plan.js';
import {
  type Report,
  ReportFileError,
  type ReportHead,
  readReport,
  reportOf,
} from './report-file.js';

/** Exit code of a process that Ctrl-C or a signal ended (`measure/child.ts`). */
const interrupted = 130;

/**
 * Measures this machine, or the deployed server that `options` name, prints tables and writes the report.
 * @param key for the deployed server; null: this machine is measured
 * @throws CommandFailure
 */
export async function runBench(options: BenchOptions, key: string | null): Promise<void> {
  const wanted = {
    quick: options.quick === true,
    only: options.only ?? [],
    rounds: options.rounds ?? null,
    seconds: options.seconds ?? null,
  };
  const plan = planOf(wanted);
  const cores = chosenCores(options.cores);
  const questions = usage(() =>
    key === null ? questionsOf(wanted, cores.server.length) : deployedChosen(options, key, plan),
  );
  if (key !== null) await warnBefore(options, plan, questions.length);
  const version = readVersion();
  const machine = describeMachine(version);
  const files = filesOf(options, machine.date);
  const cautions = cautionsNow(machine);
  printLine(`loadout ${machineLine(machine)}`);
  for (const caution of cautions) printNote(`warning: ${caution}`);
  process.on('exit', (code) => {
    progressLine('');
    if (code === interrupted) printNote('Interrupted: no report was written.');
  });
  keepAside();

  const names = questions.map(({ name }) => name);
  const { findings, failed } = await ask(questions, benchOf(plan, options, cores, names));
  progressLine('');
  if (findings.length > 0) {
    const { rounds, seconds, quick } = plan;
    const head = {
      ...{ name: options.name ?? hostname(), loadout: version, url: options.url ?? null },
      plan: { rounds, seconds, quick },
    };
    conclude(head, machine, cautions, findings, files);
  }
  if (failed.length > 0) throw new CommandFailure(`Failed: ${failed.join(', ')}.`);
}

/** Prints what the figures mean, and writes the report. */
function conclude(
  head: ReportHead,
  machine: Machine,
  cautions: readonly string[],
  findings: readonly Finding[],
  files: Files,
): void {
  const carried = carriedBy(findings);
  const seen = disturbanceOf(findings);
  for (const caution of seen) printNote(`warning: ${caution}`);
  const warnings = [...cautions, ...seen];
  const summary = carried.length > 0 ? [carriedFinding(carried, warnings)] : [];
  for (const finding of summary) printLine(textOf(finding));
  write(files, reportOf(head, machine, warnings, findings, carried), [...summary, ...findings]);
  printLine(`\n${files.json}\n${files.html}`);
}

/**
 * Prints the reports side by side, and writes them as a page where one is wanted.
 * @throws CommandFailure for a file that is no report
 */
export function compareReports(paths: readonly string[], html: string | undefined): void {
  const reports = withOwnNames(paths.map(readOrFail));
  const findings = comparisonOf(reports);
  for (const finding of findings) printLine(textOf(finding));
  if (html === undefined) return;
  const path = resolve(html);
  checkWritable(path);
  const about = Object.fromEntries(reports.map(({ name }, at) => [name, paths[at]]));
  const names = reports.map(({ name }) => name).join(', ');
  writeFileSync(path, pageHtml('Loadout on several machines', names, about, findings));
  printLine(`\n${path}`);
}

function readOrFail(path: string): Report {
  try {
    return readReport(path);
  } catch (error) {
    if (error instanceof ReportFileError) throw new CommandFailure(error.message);
    throw error;
  }
}

/** Two runs of one machine have its name. */
function withOwnNames(reports: readonly Report[]): readonly Report[] {
  return reports.map((report, at) => {
    const before = reports.slice(0, at).filter(({ name }) => name === report.name).length;
    return before === 0 ? report : { ...report, name: `${report.name} (${before + 1})` };
  });
}

function chosenCores(given: string | undefined): Cores {
  const cores = usage(() =>
    given === undefined ? divideCores(allowedCores()) : parseCores(given),
  );
  try {
    chooseCores(cores);
  } catch (error) {
    throw misuse((error as Error).message);
  }
  return cores;
}

/** What the benchmarks reject of a command line is wrong usage here as well. */
function usage<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const isUsage = error instanceof UsageError || (error as Error).name === 'CommanderError';
    const isArgument = (error as { code?: string }).code === 'commander.invalidArgument';
    throw isUsage || isArgument ? misuse((error as Error).message) : error;
  }
}

function deployedChosen(options: BenchOptions, key: string, plan: Plan): readonly Question[] {
  limits.bounded('--seconds', plan.seconds, limits.secondsMax);
  limits.bounded('--rounds', plan.rounds, limits.roundsMax);
  limits.bounded('--connections', options.connections, limits.connectionsMax);
  const contents = options.content ?? [];
  const deployed = {
    ...{ url: limits.originOf(options.url ?? ''), key, contents },
    context: options.context ?? null,
  };
  const asked = limits.deployedAsked(options.only ?? [], deployed);
  return deployedQuestions(deployed).filter(({ name }) => asked.includes(name));
}

/** Others may depend on a server that is not on this machine. */
async function warnBefore(options: BenchOptions, plan: Plan, count: number): Promise<void> {
  const { hostname: host } = new URL(options.url ?? '');
  if (/^(localhost|127(\.\d+){3}|\[::1\])$/.test(host)) return;
  const seconds = count * plan.rounds * (plan.warmSeconds + plan.seconds);
  await confirm(
    `This loads ${options.url} as fast as it responds for ${duration(seconds)}; its players will notice.`,
    'yes',
    options.yes,
  );
}

function cautionsNow({ cores, load, governor }: Machine): readonly string[] {
  return cautionsOf({
    ...{ cores, load, governor, canPin },
    tellsCpuTime: Number.isFinite(cpuTimeOf(process.pid).process),
    cpuQuota: cpuQuotaOf('/'),
    onBattery: isOnBattery('/'),
  });
}

function benchOf(plan: Plan, options: BenchOptions, cores: Cores, names: readonly string[]): Bench {
  const startedAt = performance.now();
  const whole = durationOf(names, plan);
  return {
    ...plan,
    ...{ cores, native: 'auto', connections: options.connections ?? 0 },
    builds: [{ name: 'loadout', root: treeRoot, publishing: { PublishedWriter, digestOf } }],
    progress: (line) => {
      const left = whole - (performance.now() - startedAt) / 1000;
      progressLine(left > 1 ? `${line}; about ${duration(left)} left` : line);
    },
  };
}

interface Files {
  readonly json: string;
  readonly html: string;
}

/** @throws CommandFailure when one cannot be written: better now than after minutes */
function filesOf({ out, html }: BenchOptions, date: string): Files {
  const json = resolve(out ?? `loadout-bench-${date.slice(0, 19).replaceAll(':', '-')}.json`);
  const files = { json, html: resolve(html ?? `${json.replace(/\.jsonl?$/, '')}.html`) };
  for (const path of [files.json, files.html]) checkWritable(path);
  return files;
}

function checkWritable(path: string): void {
  try {
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const why = code === 'ENOENT' ? 'there is no such folder' : 'permission denied';
    throw new CommandFailure(`${path} cannot be written: ${why}.`);
  }
}

function write(files: Files, report: Report, findings: readonly Finding[]): void {
  const { machine, name, loadout, url, cautions } = report;
  const about = {
    ...{ name, loadout, ...(url === null ? {} : { url }) },
    ...machine,
    ...(cautions.length === 0 ? {} : { warnings: cautions.join(' ') }),
  };
  writeFileSync(files.json, `${JSON.stringify(report)}\n`);
  writeFileSync(
    files.html,
    pageHtml(`What ${url ?? 'this machine'} carries`, name, about, findings),
  );
}
