/** One mutation being followed: what it may change in place, what it has cost, and what its values are. */

import type { JsonDocument } from '../json/document.js';
import { ChildCursor } from '../mutation/child-cursor.js';
import { type JsonValue, Untouched } from '../mutation/json-value.js';
import { keyTextAt } from '../mutation/member-key.js';
import {
  AbstractArray,
  AbstractObject,
  type AbstractValue,
  Mixed,
  NOT_OWNED,
  Origin,
  type Slot,
} from './abstract-value.js';
import type { Bag } from './bag.js';
import { layersMax } from './envelope-limits.js';
import type { ValueSource } from './line-envelope.js';
import type { Steps } from './steps.js';

export class Edit {
  readonly steps: Steps;
  /** Copied values nest deeper than can be followed. */
  isTooDeep = false;
  readonly #origins = new Map<JsonDocument, Origin>();
  readonly #inserted = new WeakMap<JsonValue, AbstractValue>();
  #owner = NOT_OWNED + 1;

  constructor(steps: Steps) {
    this.steps = steps;
  }

  /** Names the source of a document whose values will be inserted. */
  register(document: JsonDocument, source: ValueSource): Origin {
    const origin = new Origin(document, source);
    this.#origins.set(document, origin);
    return origin;
  }

  /** What is there now is shared from here on: an edit of it makes a copy. */
  share(): void {
    this.#owner++;
  }

  /** The object, to be changed in place. */
  own(object: AbstractObject): AbstractObject {
    if (object.owner === this.#owner) return object;
    const { origin, base, depth, changes } = object;
    this.steps.take(1);
    if (depth < layersMax && depth + changes.size > 0) {
      return new AbstractObject(origin, base, object, new Map(), this.#owner);
    }
    const all = object.changesAbove(null);
    this.steps.take(all.size);
    return new AbstractObject(origin, base, null, new Map(all), this.#owner);
  }

  /** The array's elements, to be changed in place and then given to `array`. */
  elementsOf({ elements, owner }: AbstractArray): AbstractValue[] {
    if (owner === this.#owner) return elements;
    this.steps.take(1 + (elements.length >>> ELEMENTS_PER_STEP_LOG2));
    return elements.slice();
  }

  array(origin: object, elements: AbstractValue[], bag: Bag | null): AbstractArray {
    return new AbstractArray(origin, elements, bag, this.#owner);
  }

  /** A value of a mutation, as what it makes of the place where it is inserted. */
  insert(value: JsonValue): AbstractValue {
    if (value instanceof Untouched) {
      return (this.#origins.get(value.document) as Origin).at(value.node);
    }
    let inserted = this.#inserted.get(value);
    if (inserted === undefined) {
      const members = new Map<string, Slot>();
      for (const cursor = new ChildCursor(value); !cursor.atEnd; cursor.advance()) {
        const key = keyTextAt(cursor.keyJson, cursor.keyStart);
        members.set(key, { value: this.insert(cursor.value), isAlwaysThere: true });
      }
      inserted = new Mixed(null, [new AbstractObject(value, null, null, members, NOT_OWNED)]);
      this.#inserted.set(value, inserted);
    }
    return inserted;
  }
}

/** Copying an element costs a small part of a step. */
const ELEMENTS_PER_STEP_LOG2 = 5;
