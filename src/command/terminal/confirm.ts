/** Asks for confirmation before an act that cannot be undone easily; scripts use `--yes` instead. */

import { isAtTerminal, Questions } from './ask.js';
import { CommandFailure } from './failure.js';

/**
 * Returns when the person types `word` exactly, or when `yes` is set. The question goes to stderr: stdout is for results.
 * @param question what is about to happen, one sentence
 * @param word what must be typed: `yes`, or the name of what is at stake
 * @throws CommandFailure when something else was typed, or when there is no person to ask
 */
export async function confirm(
  question: string,
  word: string,
  yes: boolean | undefined,
): Promise<void> {
  if (yes) return;
  if (!isAtTerminal()) {
    throw new CommandFailure(`${question} Use --yes to skip this confirmation.`);
  }
  const questions = new Questions();
  try {
    const typed = await questions.ask(`${question} Type ${word} to continue: `);
    if (typed !== word) throw new CommandFailure('Nothing was changed.');
  } finally {
    questions.close();
  }
}
