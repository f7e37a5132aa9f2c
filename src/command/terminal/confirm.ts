/** Asks for confirmation before an act that cannot be undone easily; scripts use `--yes` instead. */

import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { CommandFailure } from './failure.js';
import { io } from './io.js';

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
  if (!io().stdin.isTTY || !io().stderr.isTTY) {
    throw new CommandFailure(`${question} Use --yes to skip this confirmation.`);
  }
  const prompt = createInterface({ input: io().stdin, output: io().stderr });
  try {
    // Ctrl-C and Ctrl-D reject it; a terminal that goes away closes the prompt and leaves the question open.
    const asked = prompt.question(`${question} Type ${word} to continue: `).catch(() => '');
    const typed = await Promise.race([asked, once(prompt, 'close').then(() => '')]);
    if (typed.trim() !== word) throw new CommandFailure('Nothing was changed.');
  } finally {
    prompt.close();
  }
}
