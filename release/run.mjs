/** Runs programs for a release: what they print is shown only if they fail. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A release cannot be made; the message is for the person who makes it. */
export class ReleaseFailure extends Error {}

const outputBytesShown = 8_000;

/**
 * @param {string} cwd
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Readonly<Record<string, string>>} [env] beside this process's own
 * @returns {Promise<string>} what it printed on standard output
 * @throws ReleaseFailure if it is missing or ends with another code than 0
 */
export async function run(cwd, command, args, env = {}) {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: 'pipe' });
  child.stdin.end();
  let stdout = '';
  let all = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece) => {
      if (stream === child.stdout) stdout += piece;
      all += piece;
    });
  }
  const words = `${command} ${args.join(' ')}`;
  const ended = once(child, 'close');
  const [code] = await ended.catch((error) => {
    throw new ReleaseFailure(`${words}: ${error.message}`);
  });
  if (code !== 0) throw new ReleaseFailure(`${words} failed\n${all.slice(-outputBytesShown)}`);
  return stdout;
}

/** Prints a step of the release with the time since it began. */
export function said(startedAtMs, what) {
  const seconds = ((performance.now() - startedAtMs) / 1_000).toFixed(0);
  console.log(`${seconds.padStart(4)} s  ${what}`);
}
