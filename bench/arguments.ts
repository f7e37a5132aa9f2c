/** Reads what the command line asks for: which questions, how often, how long. */
import { parseArgs } from 'node:util';
import type { Bench, NativeChoice, Question } from './bench.js';

export interface Chosen {
  readonly asked: readonly Question[];
  readonly bench: Omit<Bench, 'builds' | 'progress'>;
  /** What is left after the options: question names, and for compare a git ref before them. */
  readonly names: readonly string[];
}

const natives: readonly NativeChoice[] = ['auto', 'on', 'off'];

const options = {
  help: { type: 'boolean', default: false },
  quick: { type: 'boolean', default: false },
  rounds: { type: 'string' },
  seconds: { type: 'string' },
  wrk: { type: 'boolean', default: false },
  native: { type: 'string', default: 'auto' },
  'soak-minutes': { type: 'string' },
} as const;

/** Questions whose name is one of the words or begins with one; all of them without words. Text: what is wrong, '' for --help. */
export function readArguments(
  words: readonly string[],
  questions: readonly Question[],
): Chosen | string {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(words);
  } catch (error) {
    return (error as Error).message;
  }
  const { values, positionals: names } = parsed;
  const { quick, wrk } = values;
  if (values.help) return '';
  const rounds = Number(values.rounds ?? (quick ? 1 : 5));
  const seconds = Number(values.seconds ?? (quick ? 0.6 : 3));
  const soakMinutes = Number(values['soak-minutes'] ?? (quick ? 0.1 : 1));
  if (!(rounds >= 1 && seconds > 0 && soakMinutes > 0)) return 'Numbers must be positive.';
  const warmSeconds = quick ? 0.5 : Math.max(1, Math.min(seconds, 3));

  const native = natives.find((choice) => choice === values.native);
  if (native === undefined) return '--native is auto, on or off.';

  const unknown = names.find((name) => !questions.some((question) => asks(question, name)));
  if (unknown !== undefined) return `No question is called ${unknown}.`;
  const asked = questions.filter((question) =>
    names.length === 0 ? question.inQuick || !quick : names.some((name) => asks(question, name)),
  );
  return { asked, names, bench: { rounds, seconds, warmSeconds, quick, wrk, native, soakMinutes } };
}

function parse(words: readonly string[]) {
  return parseArgs({ args: [...words], options, allowPositionals: true });
}

function asks(question: Question, name: string): boolean {
  return question.name.startsWith(name);
}

export function usage(questions: readonly Question[]): string {
  const names = questions.map(({ name }) => `  ${name}`);
  return [
    'npm run bench -- [name...] [--quick] [--rounds N] [--seconds S] [--wrk] [--native auto|on|off] [--soak-minutes M]',
    'A name asks every question that begins with it. Questions:',
    ...names,
  ].join('\n');
}
