/** The answers of 4,096 variants without keeping 400 MB: one buffer, whose few differing bytes are set for each. */
import { hasRule, independentRules, switchOff, switchOn } from '../../data/mappings.js';
import type { Answers } from './request-source.js';

export class VariantAnswers implements Answers {
  readonly #bytes: Buffer;
  readonly #switchOffsets: readonly number[];
  readonly #segOffset: number;

  /** @param plainAnswer the wrapped answer to the caller to whom no rule applies: it ends in `"seg":[]}}` */
  constructor(plainAnswer: Uint8Array) {
    const foot = Buffer.from('"seg":[]}}');
    const room = independentRules * 40;
    this.#bytes = Buffer.alloc(plainAnswer.byteLength + room);
    this.#bytes.set(plainAnswer, 0);
    this.#segOffset = plainAnswer.byteLength - foot.byteLength;
    this.#switchOffsets = Array.from({ length: independentRules }, (_, rule) => {
      const key = `"s${rule}":`;
      return this.#bytes.indexOf(`${key}${switchOff(rule)}`) + key.length;
    });
  }

  expected(variant: number): Uint8Array {
    const seg: string[] = [];
    for (let rule = 0; rule < independentRules; rule += 1) {
      const on = hasRule(variant, rule);
      const value = on ? switchOn(rule) : switchOff(rule);
      this.#bytes.write(String(value), this.#switchOffsets[rule]!, 'latin1');
      if (on) seg.push(`{"n":"switch-${rule}","v":null}`);
    }
    const tail = `"seg":[${seg.join(',')}]}}`;
    return this.#bytes.subarray(0, this.#segOffset + this.#bytes.write(tail, this.#segOffset));
  }
}
