/** Runs the `loadout` command. The token is in the environment, never in an argument. */
import { spawnSync } from 'node:child_process';
import { ActionFailure } from './workflow.mjs';

const outputBytesMax = 64 * 1024 * 1024;
const commandMillisMax = 10 * 60_000;

/**
 * @param {readonly string[]} args
 * @returns {{ ok: boolean, value: any, stderr: string }} `value`: what it printed as JSON, or null
 */
export function loadout(args) {
  const [program, ...before] = (process.env.ACTION_LOADOUT || 'loadout').split(' ');
  const { GITHUB_TOKEN: _, ...env } = process.env;
  const options = { encoding: 'utf8', env, maxBuffer: outputBytesMax, timeout: commandMillisMax };
  const ran = spawnSync(program, [...before, ...args], options);
  if (ran.error) throw new ActionFailure(`${program} cannot be run: ${ran.error.message}.`);
  return { ok: ran.status === 0, value: jsonIn(ran.stdout), stderr: ran.stderr.trim() };
}

/** @returns what a command that must succeed printed */
export function mustLoadout(args, what) {
  const { ok, value, stderr } = loadout(args);
  if (!ok || value === null) throw new ActionFailure(`${what} failed.\n${stderr}`);
  return value;
}

/** An environment that asks for approvals takes no import: a release reaches it, from another environment. */
export function rejectReviewed(env) {
  const { review } = mustLoadout(['env', 'show', env, '--json'], `Reading ${env}`);
  if (review === 0) return;
  throw new ActionFailure(
    `${env} asks for approvals, so nothing is imported into it. Give release-to: ${env}, and as environment one that asks for none.`,
  );
}

/** What importing the folder would change. */
export function dryRun(dir) {
  return loadout(['import', '--dir', dir, '--dry-run', '--json']);
}

function jsonIn(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
