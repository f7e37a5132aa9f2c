/** What a step says to GitHub's runner: annotations, outputs, the summary. Text of other people never becomes a command. */
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';

/** Ends the step with a message. */
export class ActionFailure extends Error {}

/** The runner replaces the value in logs. Elsewhere it would only be printed. */
export function mask(value) {
  if (process.env.GITHUB_ACTIONS === 'true' && value) console.log(`::add-mask::${value}`);
}

/** @param {'error' | 'warning' | 'notice'} level */
export function annotate(level, message) {
  const text = message.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  console.log(`::${level}::${text}`);
}

/** Prints text that people wrote: lines that begin with `::` stay text. */
export function printText(text) {
  const end = randomUUID();
  console.log(`::stop-commands::${end}\n${text}\n::${end}::`);
}

/** @param {string | number} value a number or nothing: it cannot end its line */
export function setOutput(name, value) {
  const file = process.env.GITHUB_OUTPUT;
  if (file) appendFileSync(file, `${name}=${value}\n`);
}

export function addSummary(markdown) {
  const file = process.env.GITHUB_STEP_SUMMARY;
  if (file) appendFileSync(file, `${markdown}\n`);
}
