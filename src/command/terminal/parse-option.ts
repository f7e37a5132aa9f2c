/** Parses the values of options and arguments; commander reports errors with the option's name. */

import { InvalidArgumentError } from 'commander';
import ipaddr from 'ipaddr.js';
import { attributeNameCharsMax, eventAttributesMax } from '../../delivery/limits.js';

const digits = /^\d{1,15}$/;
const versionForm = /^\d{1,9}\.\d{1,9}\.\d{1,9}$/;
const lasting = /^(\d{1,5})([mhd])$/;

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const truths = ['true', 'yes', 'on', '1'];
const untruths = ['false', 'no', 'off', '0'];

/** A parser of whole numbers from `min` to `max`. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = digits.test(text) ? Number(text) : -1;
    if (value < min || value > max) {
      const bounds = max < Number.MAX_SAFE_INTEGER ? `from ${min} to ${max}` : `not below ${min}`;
      throw new InvalidArgumentError(`It must be a whole number ${bounds}.`);
    }
    return value;
  };
}

/** A number, or `all`: no limit. Not null, of which commander makes an empty text. */
export type NumberOrAll = number | 'all';

/** As `wholeNumber`; takes `all` too. */
export function wholeNumberOrAll(min: number, max: number): (text: string) => NumberOrAll {
  const parse = wholeNumber(min, max);
  return (text) => (text === 'all' ? text : parse(text));
}

/** As the server has it: null is no limit. Undefined stays undefined. */
export function allAsNull<T extends NumberOrAll | undefined>(value: T): Exclude<T, 'all'> | null {
  return value === 'all' ? null : (value as Exclude<T, 'all'>);
}

/** A port; 0 lets the system choose a free one. */
export const parsePort: (text: string) => number = wholeNumber(0, 65_535);

/** yes or no, for switches that the environment can set as well as clear. */
export function parseSwitch(text: string): boolean {
  const value = text.toLowerCase();
  if (truths.includes(value)) return true;
  if (untruths.includes(value)) return false;
  throw new InvalidArgumentError('It must be true or false.');
}

/**
 * How long something lasts: `10m`, `1h`, `2d`, or `0`.
 * @returns whole minutes
 */
export function parseMinutes(text: string): number {
  const [, count, unit = ''] = lasting.exec(text) ?? [];
  if (count === undefined && text !== '0') {
    throw new InvalidArgumentError('It must be a duration such as 10m, 1h or 2d, or 0.');
  }
  return (Number(count ?? 0) * (unitMs[unit] ?? 0)) / 60_000;
}

/** A number, such as `5`, `-0.5` or `1e6`. */
export function parseNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) {
    throw new InvalidArgumentError('It must be a number.');
  }
  return value;
}

/** The number of a release. */
export const parseRelease: (text: string) => number = wholeNumber(1, Number.MAX_SAFE_INTEGER);

/** The number of a revision. */
export const parseRevision: (text: string) => number = wholeNumber(1, Number.MAX_SAFE_INTEGER);

/** The number of a revision, or `newest`. */
export function parseRevisionOrNewest(text: string): number | 'newest' {
  return text === 'newest' ? text : parseRevision(text);
}

/** An app version, `X.Y.Z`, in the one spelling the server gives it: without leading zeros. */
export function parseAppVersion(text: string): string {
  if (!versionForm.test(text)) {
    throw new InvalidArgumentError('It must have the form X.Y.Z, for instance 1.4.0.');
  }
  return text.split('.').map(Number).join('.');
}

/** The address of the admin API, without a slash at its end. */
export function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    const lacksScheme = !text.includes('://') && URL.canParse(`http://${text}`);
    const example = lacksScheme ? `http://${text}` : 'http://127.0.0.1:8081';
    throw new InvalidArgumentError(`It must be an address such as ${example}.`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new InvalidArgumentError(
      'It must be a plain address; the token goes into LOADOUT_TOKEN.',
    );
  }
  return url.href.endsWith('/') ? url.href.slice(0, -1) : url.href;
}

/** Origins separated by commas; `*` for all, `off` (or nothing) for none. */
export function parseOrigins(text: string): readonly string[] {
  const origins = listOf(text);
  for (const origin of origins) {
    const known = origin === '*' || (URL.canParse(origin) && new URL(origin).origin === origin);
    if (!known) {
      throw new InvalidArgumentError(
        `"${origin}" is not an origin; write https://game.example, *, or off.`,
      );
    }
  }
  return origins;
}

/** Addresses or networks (10.0.0.0/8) separated by commas; `off` (or nothing) for none. */
export function parseNetworks(text: string): readonly string[] {
  const networks = listOf(text);
  for (const network of networks) {
    const [address = ''] = network.split('/');
    const isNetwork = ipaddr.isValidCIDR(network) || network === address;
    // Of IPv4 only the usual form: 10.1 is an address too, by rules that few people know.
    const isAddress = ipaddr.IPv6.isValid(address) || ipaddr.IPv4.isValidFourPartDecimal(address);
    if (!isNetwork || !isAddress) {
      throw new InvalidArgumentError(
        `"${network}" is not an address, nor a network such as 10.0.0.0/8.`,
      );
    }
  }
  return networks;
}

/** Names of attributes separated by commas, each once; `off` (or nothing) for none. */
export function parseNames(text: string): readonly string[] {
  const names = [...new Set(listOf(text))];
  if (names.length > eventAttributesMax) {
    throw new InvalidArgumentError(`It may have at most ${eventAttributesMax} names.`);
  }
  if (names.some((name) => name.length > attributeNameCharsMax)) {
    throw new InvalidArgumentError(`A name has at most ${attributeNameCharsMax} characters.`);
  }
  return names;
}

/** Collects an option that may be given several times. */
export function collect(value: string, earlier: readonly string[] | undefined): readonly string[] {
  return [...(earlier ?? []), value];
}

/** Texts separated by commas; none for `off`. */
function listOf(text: string): readonly string[] {
  const parts = text.split(',').map((part) => part.trim());
  const list = parts.filter((part) => part !== '');
  return list.length === 1 && list[0] === 'off' ? [] : list;
}
