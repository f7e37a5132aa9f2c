/** The content items of an environment that OFREP's bulk evaluation lists flags of. */
import type { EvaluationContext } from '../../content/evaluation-context.js';
import type { ServedContent } from '../render/served-content.js';
import type { ServedState } from '../render/served-state.js';

export class FlaggedContents {
  readonly #contents: readonly ServedContent[];
  readonly #isRamping: boolean;
  /** What all callers are given of them, found on first use; null while a release ramps that changes one of them. */
  #states: readonly ServedState[] | null = null;

  /** @param contents all of the environment, in the order of the catalog */
  constructor(contents: readonly ServedContent[]) {
    this.#contents = contents.filter(({ listsFlags }) => listsFlags);
    this.#isRamping = this.#contents.some(({ ramp }) => ramp !== null);
  }

  /** What the caller is given of them, in the order of the catalog; each lists a flag. */
  for(caller: EvaluationContext): readonly ServedState[] {
    if (this.#states !== null) return this.#states;
    const states: ServedState[] = [];
    for (const content of this.#contents) {
      const state = content.stateFor(caller);
      if (state !== null && state.flags.length > 0) states.push(state);
    }
    if (!this.#isRamping) this.#states = states;
    return states;
  }
}
