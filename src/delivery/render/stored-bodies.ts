/**
 * What a pool worker holds of published.db: parsed contents and mappings, bounded in bytes. Each was compared with its
 * digest when it was loaded, once (`PublishedReader`): whatever is made of it is made of what was published.
 */
import { LRUCache } from 'lru-cache';
import type { JsonDocument } from '../../content/json/document.js';
import { type MutationSource, parseMapping, type Rule } from '../../content/mapping/mapping.js';
import type { PublishedReader } from '../../published/reader.js';
import { parsedBytesMax } from '../limits.js';
import type { DocumentWork } from './document-work.js';

export class StoredBodies {
  readonly #reader: PublishedReader;
  readonly #work: DocumentWork;
  readonly #documents = new LRUCache<string, JsonDocument>({
    maxSize: parsedBytesMax,
    sizeCalculation: (document) => document.bytes.byteLength + document.nodes.byteLength + 256,
  });
  /** Rules by the digest of their mapping; sized by the text, its values' copies and their indexes. */
  readonly #mappings = new LRUCache<
    string,
    { readonly rules: readonly Rule[]; readonly bytes: number }
  >({
    maxSize: parsedBytesMax / 4,
    sizeCalculation: (mapping) => mapping.bytes,
  });

  constructor(reader: PublishedReader, work: DocumentWork) {
    this.#reader = reader;
    this.#work = work;
  }

  /** The stored JSON, or null when it is there no longer. */
  json(digest: string): Uint8Array | null {
    return this.#reader.body(digest);
  }

  /** The stored JSON with its index. */
  document(digest: string): JsonDocument | null {
    const known = this.#documents.get(digest);
    if (known !== undefined) return known;
    const bytes = this.#reader.body(digest);
    if (bytes === null) return null;
    const document = this.#work.index(bytes);
    this.#documents.set(digest, document);
    return document;
  }

  /** The mutations that a selection's choices stand for. */
  mutations(mappingDigest: string, choices: readonly number[]): readonly MutationSource[] | null {
    const rules = this.#rules(mappingDigest);
    return rules === null ? null : chosenMutations(rules, choices);
  }

  #rules(digest: string): readonly Rule[] | null {
    const known = this.#mappings.get(digest);
    if (known !== undefined) return known.rules;
    const text = this.#reader.body(digest);
    if (text === null) return null;
    const mapping = parseMapping(text);
    if (!mapping.ok) throw new Error('A published mapping does not parse.');
    this.#mappings.set(digest, { rules: mapping.rules, bytes: text.byteLength * 8 + 1024 });
    return mapping.rules;
  }
}

function chosenMutations(rules: readonly Rule[], choices: readonly number[]): MutationSource[] {
  const chosen: MutationSource[] = [];
  for (let at = 0; at < choices.length; at += 1) {
    const choice = choices[at] as number;
    const rule = rules[at];
    if (choice < 0 || rule === undefined) continue;
    const source = rule.variants === null ? rule.mutation : rule.variants[choice]?.mutation;
    if (source !== null && source !== undefined) chosen.push(source);
  }
  return chosen;
}
