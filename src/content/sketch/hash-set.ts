/** A set of 64-bit hashes in one typed array: 16 to 32 bytes a hash, and nothing for the garbage collector to walk. Pure. */

const placesMin = 64;
/** Words of a place: the high half of a hash, and the low one. */
const placeWords = 2;

export class HashSet {
  /** Open addressing with linear probing, at most half full. Two zeros are an empty place. */
  #words: Int32Array = new Int32Array(placesMin * placeWords);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** What it holds in memory. */
  get bytes(): number {
    return this.#words.byteLength;
  }

  /**
   * Two signed 32-bit integers; 0 and 0 count as 0 and 1.
   * @returns whether the hash is new
   */
  add(high: number, low: number): boolean {
    const second = high === 0 && low === 0 ? 1 : low;
    const at = placeOf(this.#words, high, second);
    if (this.#words[at] === high && this.#words[at + 1] === second) return false;
    this.#words[at] = high;
    this.#words[at + 1] = second;
    this.#size += 1;
    if (this.#size * 2 * placeWords > this.#words.length) this.#rebuild(() => true);
    return true;
  }

  /** Forgets the hashes for which `keeps` is false. */
  filter(keeps: (high: number, low: number) => boolean): void {
    this.#rebuild(keeps);
  }

  /** In no particular order. */
  visit(visitor: (high: number, low: number) => void): void {
    const words = this.#words;
    for (let at = 0; at < words.length; at += placeWords) {
      const high = words[at] as number;
      const low = words[at + 1] as number;
      if (high !== 0 || low !== 0) visitor(high, low);
    }
  }

  /** Into a table that is at most a quarter full. */
  #rebuild(keeps: (high: number, low: number) => boolean): void {
    let kept = 0;
    this.visit((high, low) => {
      if (keeps(high, low)) kept += 1;
    });
    let places = placesMin;
    while (places < 4 * kept) places *= 2;
    const words = new Int32Array(places * placeWords);
    this.visit((high, low) => {
      if (!keeps(high, low)) return;
      const at = placeOf(words, high, low);
      words[at] = high;
      words[at + 1] = low;
    });
    this.#words = words;
    this.#size = kept;
  }
}

/** Where a hash stands, or is to stand. A sample's hashes have high halves that begin alike: the low ones say where. */
function placeOf(words: Int32Array, high: number, low: number): number {
  const mask = words.length - 1;
  let at = (low << 1) & mask;
  for (;;) {
    const first = words[at] as number;
    const second = words[at + 1] as number;
    if ((first === high && second === low) || (first === 0 && second === 0)) return at;
    at = (at + placeWords) & mask;
  }
}
