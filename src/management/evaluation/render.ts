/** Renders what a selection makes of a line, byte for byte as delivery does. */
import { strict as assert } from 'node:assert';
import type { Selection } from '../../content/content-plan.js';
import type { EvaluationContext } from '../../content/evaluation-context.js';
import { indexDocument, type JsonDocument } from '../../content/json/document.js';
import { compileMutation, type Mutation, MutationIssue } from '../../content/mutation/mutation.js';
import { splice } from '../../content/mutation/splice.js';
import { mutatedBytesMax } from '../../content/mutation/splice-limits.js';
import { getOrAdd } from '../get-or-add.js';
import type { CandidateLine } from './candidate.js';

export interface Rendered {
  /** The value of `data`. */
  readonly json: Uint8Array;
  /** The value of `meta.seg`: JSON text. */
  readonly seg: string;
  /** By index of the rule: why a mutation that was selected could not apply. */
  readonly missed: ReadonlyMap<number, string>;
}

/** Keeps what is the same for every selection: the index of a line, and mutations that are compiled. */
export class Renderer {
  readonly #documents = new Map<CandidateLine, JsonDocument>();
  readonly #mutations = new Map<string, Mutation>();

  render(line: CandidateLine, selection: Selection): Rendered {
    if (selection.mutations.length === 0) {
      return { json: line.json(), seg: selection.segJson, missed: noneMissed };
    }
    const mutations = selection.mutations.map((source) => this.#mutation(source));
    const document = getOrAdd(this.#documents, line, () => indexDocument(line.json()));
    const { bytes, issues } = splice(document, mutations, mutatedBytesMax);
    const indexes: number[] = [];
    const missed = new Map<number, string>();
    for (const [index, issue] of issues.entries()) {
      if (issue === null) continue;
      indexes.push(index);
      missed.set(selection.rulesOfMutations[index] ?? -1, issue.message);
    }
    return { json: bytes, seg: selection.segJsonWithout(indexes), missed };
  }

  #mutation({ kind, document, digest }: Selection['mutations'][number]): Mutation {
    return getOrAdd(this.#mutations, digest, () => {
      const compiled = compileMutation(kind, document);
      assert(!(compiled instanceof MutationIssue), 'a parsed mapping has mutations that compile');
      return compiled;
    });
  }
}

const noneMissed: ReadonlyMap<number, string> = new Map();

/** The wrapped response. Field order as in docs/delivery-api.md; the parity with delivery is tested end to end. */
export function wrap({ json, seg }: Rendered, hash: string, caller: EvaluationContext): Uint8Array {
  const meta = `{"uid":${caller.uid},"mod":${caller.mod},"seg":${seg}}`;
  return Buffer.concat([
    Buffer.from('{"data":'),
    json,
    Buffer.from(`,"hash":"${hash}","meta":${meta}}`),
  ]);
}
