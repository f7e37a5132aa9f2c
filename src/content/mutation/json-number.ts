/** Numbers as exact decimals: 1e2 is 100.0, 1e400 is 10e399, and no exponent is ever expanded. */

/** A text that two number lexemes share exactly when they mean the same number. */
export function canonicalNumber(lexeme: string): string {
  const isNegative = lexeme.startsWith('-');
  const exponentAt = lexeme.search(EXPONENT_LETTER);
  const mantissa = lexeme.slice(isNegative ? 1 : 0, exponentAt < 0 ? undefined : exponentAt);
  const [integer = '', fraction = ''] = mantissa.split('.');
  const all = integer + fraction;
  const first = skipZeros(all);
  if (first === all.length) return '0';
  const digits = all.slice(first, endWithoutZeros(all));
  // The number is 0.digits times ten to this power.
  const pointShift = integer.length - first;
  const exponent = addSmall(exponentAt < 0 ? '0' : lexeme.slice(exponentAt + 1), pointShift);
  return `${isNegative ? '-' : ''}${digits}e${exponent}`;
}

/** A decimal integer of any length plus a small one (less than 2^40 either way), without leading zeros or plus sign. */
function addSmall(decimal: string, small: number): string {
  const isNegative = decimal.startsWith('-');
  const unsigned = SIGN.test(decimal) ? decimal.slice(1) : decimal;
  const magnitude = unsigned.slice(skipZeros(unsigned));
  if (magnitude.length <= TAIL_DIGITS) {
    return String((isNegative ? -Number(magnitude) : Number(magnitude)) + small);
  }
  // A magnitude this large keeps its sign. Only its tail takes part, and at most one is carried to or from the head.
  const head = magnitude.slice(0, -TAIL_DIGITS);
  const tail = Number(magnitude.slice(-TAIL_DIGITS)) + (isNegative ? -small : small);
  const carry = Math.floor(tail / TAIL_RANGE);
  const rest = String(tail - carry * TAIL_RANGE).padStart(TAIL_DIGITS, '0');
  const sum = (carry === 0 ? head : step(head, carry)) + rest;
  return (isNegative ? '-' : '') + sum.slice(skipZeros(sum));
}

/** A decimal of any length, one more or one less. BigInt would take time in the square of its digits. */
function step(decimal: string, by: number): string {
  const full = by > 0 ? '9' : '0';
  let end = decimal.length;
  while (end > 0 && decimal[end - 1] === full) end--;
  const digit = end === 0 ? 0 : Number(decimal[end - 1]);
  const tail = (by > 0 ? '0' : '9').repeat(decimal.length - end);
  return decimal.slice(0, Math.max(0, end - 1)) + String(digit + by) + tail;
}

function skipZeros(digits: string): number {
  let at = 0;
  while (digits[at] === '0') at++;
  return at;
}

function endWithoutZeros(digits: string): number {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return end;
}

const EXPONENT_LETTER = /[eE]/;
const SIGN = /^[+-]/;
/** Digits that a double holds exactly, with room for the carry. */
const TAIL_DIGITS = 15;
const TAIL_RANGE = 1e15;
