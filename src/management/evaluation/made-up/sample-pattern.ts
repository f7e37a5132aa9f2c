/**
 * Writes a text that a regular expression probably matches: the first branch of each alternative, the fewest repetitions
 * that are allowed. It reads the common part of the syntax; the caller tests what comes out with the real matcher.
 */

/** Longer repetitions give no better examples. */
const repetitionsMax = 64;
const sampleCharsMax = 1_000;

/** Null: the pattern has syntax that is not read here. */
export function samplePattern(source: string): string | null {
  const reader = new PatternReader(source);
  const sample = reader.alternatives();
  return sample === null || !reader.atEnd || sample.length > sampleCharsMax ? null : sample;
}

const escaped: ReadonlyMap<string, string> = new Map([
  ['d', '0'],
  ['D', 'a'],
  ['w', 'a'],
  ['W', '-'],
  ['s', ' '],
  ['S', 'a'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['b', ''],
  ['B', ''],
]);
const letterOrDigit = /[A-Za-z0-9]/;
const quantifier = /^(?:([*?+])|\{(\d{1,4})(?:,\d{0,4})?\})\??/;
const groupStart = /^\((?:\?(?::|P?<[A-Za-z_]\w*>))?(?!\?)/;

class PatternReader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  get atEnd(): boolean {
    return this.#at === this.#source.length;
  }

  /** The sample of the first branch; the others are only read. */
  alternatives(): string | null {
    const first = this.#sequence();
    while (first !== null && this.#source[this.#at] === '|') {
      this.#at++;
      if (this.#sequence() === null) return null;
    }
    return first;
  }

  #sequence(): string | null {
    let sample = '';
    for (let next = this.#source[this.#at]; next !== undefined; next = this.#source[this.#at]) {
      if (next === '|' || next === ')') break;
      const atom = this.#atom(next);
      if (atom === null) return null;
      sample += atom.repeat(this.#times());
      if (sample.length > sampleCharsMax) return null;
    }
    return sample;
  }

  #atom(next: string): string | null {
    switch (next) {
      case '^':
      case '$':
        this.#at++;
        return '';
      case '.':
        this.#at++;
        return 'a';
      case '(':
        return this.#group();
      case '[':
        return this.#class();
      case '\\':
        return this.#escape();
      case '*':
      case '+':
      case '?':
        return null;
      default:
        this.#at++;
        return next;
    }
  }

  #group(): string | null {
    const start = groupStart.exec(this.#source.slice(this.#at));
    if (start === null) return null;
    this.#at += start[0].length;
    const sample = this.alternatives();
    if (sample === null || this.#source[this.#at] !== ')') return null;
    this.#at++;
    return sample;
  }

  #escape(): string | null {
    const char = this.#source[this.#at + 1];
    if (char === undefined) return null;
    const sample = escaped.get(char) ?? (letterOrDigit.test(char) ? null : char);
    this.#at += 2;
    return sample;
  }

  /** The first member of `[…]`; of a negated one, a character that none of its members is. */
  #class(): string | null {
    const end = this.#endOfClass();
    if (end === -1) return null;
    const isNegated = this.#source[this.#at + 1] === '^';
    const inner = this.#source.slice(this.#at + (isNegated ? 2 : 1), end);
    this.#at = end + 1;
    if (!isNegated) {
      if (inner[0] !== '\\') return inner[0] ?? null;
      return escaped.get(inner[1] ?? '') ?? inner[1] ?? null;
    }
    return ['a', 'Z', '0', '-', ' ', '~'].find((char) => !mayHold(inner, char)) ?? null;
  }

  #endOfClass(): number {
    for (let at = this.#at + 2; at < this.#source.length; at++) {
      if (this.#source[at] === '\\') at++;
      else if (this.#source[at] === ']') return at;
    }
    return -1;
  }

  /** How often what was read is repeated, at least. */
  #times(): number {
    const found = quantifier.exec(this.#source.slice(this.#at, this.#at + 16));
    if (found === null) return 1;
    this.#at += found[0].length;
    const [, sign, least] = found;
    if (sign !== undefined) return sign === '+' ? 1 : 0;
    return Math.min(repetitionsMax, Number(least));
  }
}

/** Whether a class may hold the character; a wrong yes only costs a candidate. */
function mayHold(inner: string, char: string): boolean {
  if (inner.includes(char) || inner.includes('\\')) return true;
  for (let at = 1; at < inner.length - 1; at++) {
    if (inner[at] === '-' && (inner[at - 1] ?? '') <= char && char <= (inner[at + 1] ?? ''))
      return true;
  }
  return false;
}
