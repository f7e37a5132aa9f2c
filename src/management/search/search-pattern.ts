/**
 * What a search looks for, as two regular expressions made of the same characters. One goes over the bytes of whole texts and
 * may only err by finding too much; the other decides on the characters of one key or value.
 */

/** Bytes of a text that are looked at in one go: a fraction of a millisecond, and a copy of no consequence. */
const windowBytes = 1024 * 1024;
/** A character in a text takes 12 bytes at most: two escapes of six. */
const bytesPerCharacterMax = 12;

/** Where a match is, in UTF-16 code units. */
export interface Match {
  readonly at: number;
  readonly length: number;
}

export class SearchPattern {
  /** Over bytes as Latin-1: the text in UTF-8, with or without JSON's escapes. */
  readonly #source: RegExp;
  readonly #characters: RegExp;
  readonly #overlapBytes: number;

  /** @param query at least one character; a character also matches its other case (of one character) */
  constructor(query: string) {
    const variants = Array.from(query, casesOf);
    const join = (write: (character: string) => readonly string[]): string =>
      variants.map((all) => `(?:${all.flatMap(write).join('|')})`).join('');
    this.#source = new RegExp(join(sourcesOf), 'g');
    this.#characters = new RegExp(join((character) => [literal(character)]));
    this.#overlapBytes = variants.length * bytesPerCharacterMax;
  }

  /** Whether some key or value of the text may match. False: none does. */
  mayBeIn(text: Uint8Array): boolean {
    return this.candidatesIn(text).next(0) >= 0;
  }

  /** @param text JSON with comments, UTF-8 */
  candidatesIn(text: Uint8Array): Candidates {
    return new Candidates(text, this.#source, this.#overlapBytes);
  }

  /** The first match in the characters of a key or value. */
  matchIn(characters: string): Match | null {
    const found = this.#characters.exec(characters);
    return found === null ? null : { at: found.index, length: found[0].length };
  }
}

/** Places of one text at which a match may begin: each match begins at one of them. */
export class Candidates {
  readonly #bytes: Buffer;
  readonly #source: RegExp;
  readonly #overlapBytes: number;
  /** As Latin-1, so that a code unit is a byte. It begins at `#start`. */
  #window = '';
  #start = 0;

  constructor(text: Uint8Array, source: RegExp, overlapBytes: number) {
    this.#bytes = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
    this.#source = source;
    this.#overlapBytes = overlapBytes;
    this.#moveTo(0);
  }

  /** Offset of the first one from `from` on; -1: there is none. Not before a window that was left already. */
  next(from: number): number {
    if (from >= this.#start + windowBytes) this.#moveTo(from);
    this.#source.lastIndex = from - this.#start;
    for (;;) {
      const found = this.#source.exec(this.#window);
      if (found !== null) return this.#start + found.index;
      if (this.#start + windowBytes >= this.#bytes.length) return -1;
      this.#moveTo(this.#start + windowBytes);
      this.#source.lastIndex = 0;
    }
  }

  #moveTo(start: number): void {
    this.#start = start;
    this.#window = this.#bytes.toString('latin1', start, start + windowBytes + this.#overlapBytes);
  }
}

/** The character, and its other cases that are one character each. */
function casesOf(character: string): string[] {
  const cases = [character, character.toLowerCase(), character.toUpperCase()];
  return [...new Set(cases)].filter((one) => Array.from(one).length === 1);
}

/** The ways in which JSON can write the character, as expressions over Latin-1. */
function sourcesOf(character: string): string[] {
  const sources = [escapedUnits(character)];
  const short = shortEscapes.get(character);
  if (short !== undefined) sources.push(`\\\\${literal(short)}`);
  // These never stand in a string as they are, and nowhere else in a key or value.
  if (character >= ' ' && character !== '"' && character !== '\\') {
    sources.push(Array.from(Buffer.from(character), hexByte).join(''));
  }
  return sources;
}

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ...([
    ['"', '"'],
    ['\\', '\\'],
    ['/', '/'],
  ] as const),
  ...([
    ['\b', 'b'],
    ['\f', 'f'],
    ['\n', 'n'],
    ['\r', 'r'],
    ['\t', 't'],
  ] as const),
]);

/** `\u00e4`, with digits in either case. */
function escapedUnits(character: string): string {
  return unitsOf(character)
    .map((unit) => `\\\\u${Array.from(unit, anyCase).join('')}`)
    .join('');
}

function anyCase(digit: string): string {
  return digit >= 'a' ? `[${digit}${digit.toUpperCase()}]` : digit;
}

/** Matches the character itself, whatever it means in an expression. */
function literal(character: string): string {
  return unitsOf(character)
    .map((unit) => `\\u${unit}`)
    .join('');
}

/** UTF-16 code units, as four hex digits each. */
function unitsOf(character: string): string[] {
  return Array.from({ length: character.length }, (_, index) =>
    character.charCodeAt(index).toString(16).padStart(4, '0'),
  );
}

function hexByte(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, '0')}`;
}
