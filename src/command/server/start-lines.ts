/** What a start says on standard output: for people and scripts as labelled text, where it is the log as lines of the log. */
import { fstatSync } from 'node:fs';
import { isatty } from 'node:tty';
import { pino } from 'pino';
import { standardStream } from '../../published/standard-stream.js';
import { printLine } from '../terminal/output.js';

/** Of `--start-lines`. */
export const startForms = ['auto', 'text', 'json'] as const;
export type StartForm = (typeof startForms)[number];

export interface StartLine {
  /** First word of the text. */
  readonly label: string;
  /** The text behind the label. */
  readonly text: string;
  /** Stable name in the log. */
  readonly event: string;
  /** What the log says besides, by name. */
  readonly fields: Readonly<Record<string, string>>;
}

export type SayStart = (line: StartLine) => void;

export const sayInText: SayStart = ({ label, text }) =>
  printLine(`${label.padEnd(10)}${text}`.trimEnd());

/** Whether standard output is a terminal, without opening a stream for it. */
export function isOnTerminal(): boolean {
  return isatty(1);
}

/** How the lines of a start are said. */
export function startLines(form: StartForm): SayStart {
  const isJson = form === 'json' || (form === 'auto' && !isOnTerminal() && isTheLog());
  if (!isJson) return sayInText;
  const log = pino({ base: { process: 'control' } }, standardStream(1));
  return ({ label, text, event, fields }) =>
    log.info({ event, ...fields }, `${label} ${text}`.trimEnd());
}

/** Whether standard output and standard error, which has the log, are one file, pipe or socket: a journal, `2>&1`. */
function isTheLog(): boolean {
  const [out, error] = [fstatSync(1), fstatSync(2)];
  return out.dev === error.dev && out.ino === error.ino;
}
