/** How deep and how large the possible values are. Parts may be shared many times over, and each is measured once. */

import { nextOf } from '../json/document.js';
import { Untouched } from '../mutation/json-value.js';
import { levelsOf } from '../mutation/levels.js';
import {
  type AbstractContainer,
  AbstractObject,
  type AbstractValue,
  Plain,
} from './abstract-value.js';
import type { Steps } from './steps.js';

export interface Size {
  /** No alternative nests deeper. */
  readonly levels: number;
  /** A walk along every reference visits no more; infinite where doubles end. */
  readonly values: number;
}

/** It recurses: values nest as deep as lines and mutations may, and copies are measured before they are placed. */
export function sizeOf(value: AbstractValue, steps: Steps): Size {
  return new Measure(steps).value(value);
}

class Measure {
  readonly #steps: Steps;
  readonly #known = new Map<Plain | AbstractContainer, Size>();

  constructor(steps: Steps) {
    this.#steps = steps;
  }

  value(value: AbstractValue): Size {
    if (value instanceof Plain) return this.#once(value, () => this.#plain(value));
    let levels = 0;
    let values = 1;
    for (const container of value.containers) {
      const size = this.#once(container, () => this.#container(container));
      levels = Math.max(levels, size.levels);
      values += size.values;
    }
    return { levels, values };
  }

  #once<Part extends Plain | AbstractContainer>(part: Part, measure: () => Size): Size {
    const known = this.#known.get(part);
    if (known !== undefined) return known;
    const size = measure();
    this.#known.set(part, size);
    return size;
  }

  #plain({ origin: { document }, node }: Plain): Size {
    const values = nextOf(document, node) - node;
    this.#steps.take(1 + (values >>> VALUES_PER_STEP_LOG2));
    return { levels: levelsOf(new Untouched(document, node)), values };
  }

  #container(container: AbstractContainer): Size {
    let levels = 0;
    let values = 1;
    const add = (child: AbstractValue): void => {
      const size = this.value(child);
      levels = Math.max(levels, size.levels);
      values += size.values;
    };
    if (!(container instanceof AbstractObject)) {
      this.#steps.take(1 + container.elements.length);
      container.elements.forEach(add);
      return { levels: 1 + levels, values };
    }
    const changes = container.changesAbove(null);
    this.#steps.take(1 + changes.size);
    for (const { value } of changes.values()) if (value !== null) add(value);
    const base = container.base === null ? NOTHING : this.value(container.base);
    return { levels: Math.max(1 + levels, base.levels), values: values + base.values };
  }
}

const NOTHING: Size = { levels: 0, values: 0 };

/** Looking at a value of a document costs a small part of a step. */
const VALUES_PER_STEP_LOG2 = 4;
