/** Short forms for the envelope's tests: texts in, and what is delivered in every combination of rules. */

import { envelopeOf } from '../../../../src/content/envelope/envelope-of.js';
import type { LineEnvelope } from '../../../../src/content/envelope/line-envelope.js';
import { indexDocument } from '../../../../src/content/json/document.js';
import { parseMapping, type Rule } from '../../../../src/content/mapping/mapping.js';
import type { Mutation } from '../../../../src/content/mutation/mutation.js';
import { splice } from '../../../../src/content/mutation/splice.js';
import { documentOf, mutationOf } from '../mutation/splicing.js';

export function rulesOf(mapping: string): readonly Rule[] {
  const parsed = parseMapping(Buffer.from(mapping));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return parsed.rules;
}

/** The envelope of one line, 1.0.0. */
export function envelope(line: string, mapping = '[]', stepsMax?: number): LineEnvelope {
  const lines = [{ version: '1.0.0', document: documentOf(line) }];
  return envelopeOf(lines, rulesOf(mapping), stepsMax)[0] as LineEnvelope;
}

/** Of several lines without rules, by version. */
export function envelopes(
  lines: Readonly<Record<string, string>>,
  mapping = '[]',
): readonly LineEnvelope[] {
  const list = Object.entries(lines).map(([version, text]) => {
    return { version, document: documentOf(text) };
  });
  return envelopeOf(list, rulesOf(mapping));
}

/** What each rule may do: nothing, or one of these. */
export function choicesOf(rules: readonly Rule[]): readonly (readonly (Mutation | null)[])[] {
  return rules.map(({ variants, mutation }) => {
    const sources = variants === null ? [mutation] : variants.map((variant) => variant.mutation);
    return [
      null,
      ...sources.flatMap((source) => {
        if (source === null) return [];
        return [mutationOf(source.kind, Buffer.from(source.document.bytes).toString())];
      }),
    ];
  });
}

/** Everything that the delivery path's own splice makes of the line, over all combinations of choices. */
export function* deliveries(
  line: string,
  choices: readonly (readonly (Mutation | null)[])[],
): Generator<string> {
  const combinations = choices.reduce((product, { length }) => product * length, 1);
  for (let combination = 0; combination < combinations; combination++) {
    let rest = combination;
    const mutations: Mutation[] = [];
    for (const options of choices) {
      const chosen = options[rest % options.length];
      rest = Math.floor(rest / options.length);
      if (chosen) mutations.push(chosen);
    }
    yield delivered(line, mutations);
  }
}

export function delivered(line: string, mutations: readonly Mutation[]): string {
  const document = indexDocument(Buffer.from(line));
  return Buffer.from(splice(document, mutations, 1e6).bytes).toString();
}
