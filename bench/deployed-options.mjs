/** The options that are about a deployed server: only one that is named is loaded, with a key, and within bounds. */
import { askedOf, UsageError } from './asked.mjs';
import { deployedNames } from './catalogue.mjs';

/**
 * @typedef {object} Deployed A server that runs elsewhere.
 * @property {string} url without a slash at its end
 * @property {string} key
 * @property {readonly string[]} contents ids
 * @property {string | null} context the body of each request; null: the one of the benchmarks
 */

/** Bounds of what a server that others use may be made to bear by one command. */
export const secondsMax = 60;
export const connectionsMax = 1000;
export const roundsMax = 20;

/**
 * What a deployed server is asked.
 * @param {readonly string[]} typed
 * @param {Deployed} deployed
 */
export function deployedAsked(typed, { contents }) {
  const unnamed = [
    'http/one-content/wrapped',
    ...(contents.length > 1 ? ['http/combine/wrapped'] : []),
  ];
  return askedOf(typed, deployedNames, unnamed);
}

/**
 * The deployed server that is to be loaded; null: none is.
 * @param {import('commander').Command} command
 * @returns {Deployed | null}
 */
export function deployedOf(command) {
  const { url, key, content, context, ...given } = command.opts();
  if (url === undefined) {
    for (const name of ['key', 'content', 'context']) {
      const isTyped = command.getOptionValueSource(name) === 'cli';
      if (isTyped)
        throw new UsageError(`--${name} needs --url: no server is loaded unless you name it.`);
    }
    return null;
  }
  if (key === undefined) throw new UsageError('--url needs --key, or LOADOUT_BENCH_KEY.');
  if (content === undefined) throw new UsageError('--url needs --content: the ids to ask for.');
  for (const name of ['wrk', 'listeners', 'contenders', 'record', 'soakMinutes']) {
    const source = command.getOptionValueSource(name);
    if (source !== undefined && source !== 'default') {
      throw new UsageError(
        `--${name === 'soakMinutes' ? 'soak-minutes' : name} does not go with --url.`,
      );
    }
  }
  bounded('--seconds', given['seconds'], secondsMax);
  bounded('--rounds', given['rounds'], roundsMax);
  bounded('--connections', given['connections'], connectionsMax);
  return { url: originOf(url), key, contents: content, context: context ?? null };
}

/**
 * @param {string} name
 * @param {number | undefined} value
 * @param {number} most
 */
export function bounded(name, value, most) {
  if (value !== undefined && value > most)
    throw new UsageError(`${name} is at most ${most} with --url.`);
}

/** @param {string} text */
export function originOf(text) {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isWhole = url !== null && (url.protocol === 'http:' || url.protocol === 'https:');
  if (!isWhole || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw new UsageError(`--url is an address such as https://config.example.com, not '${text}'.`);
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
