/**
 * Which attributes and values may say who a player is: they are neither counted nor sampled. The rules err on the side of
 * leaving out. docs/data-lifecycle.md has them for people. Pure.
 */

/** Whether an attribute is about a person or a device, by a word of its name: `deviceId`, `e_mail`, `last-name`. */
export function isNamePersonal(name: string): boolean {
  const words = name.replace(camelBorders, ' ').toLowerCase().split(notLetters);
  return words.some((word) => personalWords.has(word));
}

/** Whether a text looks like an address, an id, a token, a number of some length, or a link. */
export function isTextPersonal(text: string): boolean {
  if (text.includes('@') || text.includes('://')) return true;
  const digits = text.match(everyDigit)?.length ?? 0;
  if (digits >= digitsMax || (digits > 0 && networkAddress.test(text))) return true;
  return digits > 0 && text.length >= tokenCharsMin && token.test(text);
}

/** Whether a number is as long as an id, a phone number or a point in time. */
export function isNumberPersonal(value: number): boolean {
  return Math.abs(value) >= 10 ** digitsMax;
}

/** Digits of a number that could be an id: amounts of a game's currency and dates may have as many, and are left out too. */
const digitsMax = 7;
/** Models of devices, such as `Samsung-SM-G991B`, are shorter than most tokens. */
const tokenCharsMin = 20;

const everyDigit = /\d/g;
const token = /^[\w.~+/=:-]+$/;
const networkAddress = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]*:[\da-f:]*:[\da-f.]*)$/i;
/** `deviceId`, and the end of `URLName`. */
const camelBorders = /(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g;
const notLetters = /[^\p{L}]+/u;

const personalWords: ReadonlySet<string> = new Set(
  [
    'id ids uid uids uuid guid udid gaid idfa idfv aaid imei imsi mac serial fingerprint hash',
    'account login user username nick nickname name firstname lastname fullname surname handle',
    'mail email phone telephone tel mobile address street zip postcode postal ip ipaddress ssn',
    'token secret password passwd pwd session cookie auth key jwt credential credentials',
    'birthday birthdate dob lat lon lng latitude longitude geo gps coordinates location',
    'userid playerid deviceid accountid adid clientid sessionid',
  ].flatMap((line) => line.split(' ')),
);
