/** What the files of this project share, made once and kept in the folder for temporary files: minutes of compiling beside a download. */
import { buildPrograms, hasGo } from './programs.js';
import { makeBase, whyNoContainer } from './root-file-system.js';

/** Called by vitest. */
export async function setup(): Promise<void> {
  const isInCi = process.env['CI'] !== undefined;
  await Promise.all([
    hasGo ? buildPrograms() : null,
    isInCi || whyNoContainer() === null ? makeBase() : null,
  ]);
}
