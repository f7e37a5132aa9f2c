/** One body that callers are given: what it is made of, and the body itself while it is cached. */
import { type FlagReason, flagReasonOf } from '../../content/flags/flag-reason.js';
import type { MutationSource } from '../../content/mapping/mapping.js';
import type { Selection } from '../../content/selection.js';
import { tagOf } from '../../content/tag.js';
import type { CountedArms } from '../experiments/counted-arms.js';
import { type TailHead, tailBytesMax } from './caller-tail.js';
import { crc32Join, crc32Of, crc32Shift } from './crc32.js';
import type { KeptFlag } from './flag-response.js';
import { Coding, Form, type RenderedParts, type RenderTask, wrapperHead } from './render-task.js';
import type { CachedBody } from './rendered-cache.js';
import type { ServedLine } from './served-state.js';

/** Room beyond this body's own tail: another content may share the body and report longer names. */
const tailBytesSpare = 64;

/** `,"tag":"…","crc":"…"}` in the place of a brace: what an entry of a refresh has more than a response. */
const refreshBytesMore = 42;

/** A digest and a tag in one string. */
const flagsTagBytes = 150;

/** The map of kept flags, without what is in it, and what forgets it. */
const keptFlagsBytes = 300;

const encoder = new TextEncoder();
const wrapperHeadCrc = crc32Of(0, encoder.encode(wrapperHead), 0, wrapperHead.length);
const noMutations: readonly MutationSource[] = [];
const noChoices: readonly number[] = [];

export class RenderSlot {
  /** What identifies the rendered body: contents with equal JSON and equal mutations share it. */
  readonly key: string;
  readonly line: ServedLine;
  /** What the tail begins with: it has the hash, which is not in the body. */
  readonly head: TailHead;
  readonly form: Form;
  readonly coding: Coding;
  readonly mutations: readonly MutationSource[];
  /** What callers who are given the body are counted for; null: no experiment that runs. */
  readonly counted: CountedArms | null;
  /** What making the body is estimated by: bytes of the unmutated one and of the mutations. */
  readonly workBytes: number;
  /**
   * The place in the cache of the body that serves this slot's requests, once it was found; the bytes may have been
   * evicted since. It is the uncompressed one where all these responses are below 1 KiB.
   */
  body: CachedBody | null = null;
  /** What is kept of OFREP's evaluations of this body, by the flag's key; null before the first. `FlagResponses` bounds it. */
  flags: Map<string, KeptFlag> | null = null;
  readonly #selection: Selection | null;
  readonly #mappingDigest: string;
  #uncompressed: RenderSlot | null = null;
  #suffix: Uint8Array | null = null;
  #suffixMissed: readonly number[] = noChoices;
  #tag: string | null = null;
  #flagsTag: string | null = null;
  /** `refreshSuffix` for the suffix and the CRC beside it. */
  #refreshSuffix: Uint8Array | null = null;
  #refreshOf: Uint8Array | null = null;
  #refreshCrc = -1;

  /**
   * @param selection null for plain delivery, which applies no mapping
   * @param counted see there
   */
  constructor(
    line: ServedLine,
    selection: Selection | null,
    mappingDigest: string,
    form: Form,
    coding: Coding,
    counted: CountedArms | null = null,
  ) {
    this.line = line;
    this.head = line.tailHead;
    this.form = form;
    this.coding = coding;
    this.#selection = selection;
    this.mutations = selection?.mutations ?? noMutations;
    this.counted = counted;
    this.workBytes = line.bytes + (selection?.mutationsBytes ?? 0);
    this.#mappingDigest = this.mutations.length === 0 ? '' : mappingDigest;
    this.key = `${form}${coding}${line.digest}${selection?.mutationsKey ?? ''}`;
  }

  /** The same body without a coding: it is served while the compressed one does not exist, and below 1 KiB. */
  get uncompressed(): RenderSlot {
    const { line, form } = this;
    this.#uncompressed ??= new RenderSlot(
      line,
      this.#selection,
      this.#mappingDigest,
      form,
      Coding.Identity,
      this.counted,
    );
    return this.#uncompressed;
  }

  /** Roughly what it holds in memory: objects, the key, and the text of its selection as bytes; with `uncompressed`. */
  get bytes(): number {
    const own = 640 + this.key.length + 2 * (this.#selection?.segJson.length ?? 0);
    return this.coding === Coding.Identity ? own : 2 * own;
  }

  /**
   * What follows the ids in the tail: `,"seg":[…]}}`.
   * @param missed indexes into `mutations`: rules that could not apply, which are not reported
   */
  suffix(missed: readonly number[]): Uint8Array {
    const isKnown =
      this.#suffixMissed === missed || missed.length + this.#suffixMissed.length === 0;
    if (this.#suffix === null || !isKnown) {
      const seg = this.#selection?.segJsonWithout(missed) ?? '[]';
      // Memory of its own: a piece of Node's shared pool would keep 8 KiB alive for as long as the selection is remembered.
      this.#suffix = encoder.encode(`,"seg":${seg}}}`);
      this.#suffixMissed = missed;
    }
    return this.#suffix;
  }

  /** Whether later requests receive this very slot, so that what is kept at it is found. */
  get isRemembered(): boolean {
    return this.#selection?.isRemembered ?? false;
  }

  /** @param forget called once, as soon as the slot is remembered no longer */
  keepFlags(flags: Map<string, KeptFlag>, forget: () => void): void {
    this.flags = flags;
    this.#selection?.whenForgotten(forget);
    this.#selection?.countAttached(keptFlagsBytes);
  }

  /** @param missed see `suffix` */
  flagReason(missed: readonly number[]): FlagReason {
    const selection = this.#selection;
    return flagReasonOf(selection?.hasRules ?? false, selection?.applied(missed) ?? []);
  }

  /** What refresh clients compare; known without the body. */
  get tag(): string {
    this.#tag ??= this.#selection?.tag(this.line.digest) ?? tagOf(this.line.digest, []);
    return this.#tag;
  }

  /**
   * `ServedState.flagsTag` for whoever gets this body: one string for all of them.
   * @param flagsDigest of the content that the slot is of
   */
  flagsTag(flagsDigest: string): string {
    if (this.#flagsTag === null) {
      this.#flagsTag = `${flagsDigest} ${this.tag}`;
      this.#selection?.countAttached(flagsTagBytes);
    }
    return this.#flagsTag;
  }

  /**
   * The suffix of an entry of a refresh, which says `,"tag":"…","crc":"…"}` in the place of its last brace. The CRC is of
   * the data as JSON, in either form, as 8 lower-case hex digits.
   */
  refreshSuffix(parts: RenderedParts): Uint8Array {
    if (parts.dataCrc < 0) parts.dataCrc = dataCrcOf(parts);
    const { dataCrc, missed } = parts;
    const suffix = this.suffix(missed);
    const known = this.#refreshSuffix;
    if (known !== null && this.#refreshOf === suffix && this.#refreshCrc === dataCrc) return known;
    const crc = dataCrc.toString(16).padStart(8, '0');
    const made = new Uint8Array(suffix.byteLength + refreshBytesMore);
    made.set(suffix);
    made.set(encoder.encode(`,"tag":"${this.tag}","crc":"${crc}"}`), suffix.byteLength - 1);
    if (known === null) this.#selection?.countAttached(made.byteLength);
    this.#refreshSuffix = made;
    this.#refreshOf = suffix;
    this.#refreshCrc = dataCrc;
    return made;
  }

  get task(): RenderTask {
    return {
      bodyDigest: this.line.digest,
      mappingDigest: this.#mappingDigest,
      choices: this.#mappingDigest === '' ? noChoices : (this.#selection?.choices ?? noChoices),
      form: this.form,
      coding: this.coding,
      tailRoom:
        this.form === Form.Plain
          ? 0
          : tailBytesMax(this.head, this.suffix(noChoices)) + refreshBytesMore + tailBytesSpare,
    };
  }
}

/** Of a wrapped body. Of its head and its data together the CRC may be known: the head's part is taken out again. */
function dataCrcOf({ raw, rawLength, crc }: RenderedParts): number {
  if (raw !== null) return crc32Of(0, raw, wrapperHead.length, rawLength);
  return crc32Join(wrapperHeadCrc, crc, crc32Shift(rawLength - wrapperHead.length));
}
