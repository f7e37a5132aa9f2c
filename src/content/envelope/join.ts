/** Joins what is known before and after a rule that may apply, or may not. What both share costs nothing. */

import {
  ABSENT,
  AbstractArray,
  type AbstractContainer,
  AbstractObject,
  type AbstractValue,
  containersOf,
  Mixed,
  NOT_OWNED,
  type Slot,
  scalarsOf,
} from './abstract-value.js';
import { inPlace, joinBags } from './bag.js';
import { elementsJoinedMax } from './envelope-limits.js';
import { joinScalars } from './scalar-set.js';
import type { Steps } from './steps.js';

/** Both values' alternatives. The result shares parts with both: neither may be changed in place afterwards. */
export function join(a: AbstractValue, b: AbstractValue, steps: Steps): AbstractValue {
  if (a === b) return a;
  const scalars = joinScalars(scalarsOf(a), scalarsOf(b));
  const containers = [...containersOf(a)];
  steps.take(1 + containers.length);
  const places = new Map(containers.map((container, place) => [container.origin, place]));
  for (const container of containersOf(b)) {
    const place = places.get(container.origin);
    if (place === undefined) containers.push(container);
    else {
      containers[place] = joinContainers(containers[place] as AbstractContainer, container, steps);
    }
  }
  return new Mixed(scalars, containers);
}

/** Of the same origin, hence of the same type. */
function joinContainers(
  a: AbstractContainer,
  b: AbstractContainer,
  steps: Steps,
): AbstractContainer {
  if (a === b) return a;
  if (a instanceof AbstractObject && b instanceof AbstractObject) return joinObjects(a, b, steps);
  return joinArrays(a as AbstractArray, b as AbstractArray, steps);
}

function joinObjects(a: AbstractObject, b: AbstractObject, steps: Steps): AbstractObject {
  const common = commonLayer(a, b);
  const ofA = a.changesAbove(common);
  const ofB = b.changesAbove(common);
  steps.take(ofA.size + ofB.size);
  const changes = new Map<string, Slot>();
  for (const [key, slot] of ofA)
    changes.set(key, joinSlots(slot, ofB.get(key) ?? b.get(key), steps));
  for (const [key, slot] of ofB) {
    if (!ofA.has(key)) changes.set(key, joinSlots(a.get(key), slot, steps));
  }
  return new AbstractObject(a.origin, a.base, common, changes, NOT_OWNED);
}

/** The highest layer that both stand on, or null. */
function commonLayer(one: AbstractObject, other: AbstractObject): AbstractObject | null {
  let a: AbstractObject | null = one;
  let b: AbstractObject | null = other;
  while (a !== b) {
    if (a === null || b === null) return null;
    if (a.depth >= b.depth) a = a.below;
    else b = b.below;
  }
  return a;
}

function joinSlots(a: Slot, b: Slot, steps: Steps): Slot {
  if (a === b || (a.value === b.value && a.isAlwaysThere === b.isAlwaysThere)) return a;
  if (a.value === null || b.value === null) {
    const value = a.value ?? b.value;
    return value === null ? ABSENT : { value, isAlwaysThere: false };
  }
  return {
    value: join(a.value, b.value, steps),
    isAlwaysThere: a.isAlwaysThere && b.isAlwaysThere,
  };
}

function joinArrays(a: AbstractArray, b: AbstractArray, steps: Steps): AbstractArray {
  steps.take(1 + ((a.elements.length + b.elements.length) >>> ELEMENTS_PER_STEP_LOG2));
  if ((a.bag === null) !== (b.bag === null)) return pour(a, b, steps);
  if (a.bag === null && !keepsPlaces(a, b)) return pour(a, b, steps);
  // Of two bags, elements of the same number come from the same one before: only the end has new ones.
  const longer = a.elements.length >= b.elements.length ? a : b;
  const elements = longer.elements.slice();
  const shorter = longer === a ? b : a;
  for (let i = 0; i < shorter.elements.length; i++) {
    const one = a.elements[i] as AbstractValue;
    const other = b.elements[i] as AbstractValue;
    if (one !== other) elements[i] = join(one, other, steps);
  }
  const bag = a.bag && b.bag && joinBags(a.bag, b.bag);
  return new AbstractArray(a.origin, elements, bag, NOT_OWNED);
}

/** Whether elements can be joined place by place: as many on both sides, and few that differ. */
function keepsPlaces(a: AbstractArray, b: AbstractArray): boolean {
  if (a.elements.length !== b.elements.length) return false;
  let different = 0;
  for (let i = 0; i < a.elements.length; i++) {
    if (a.elements[i] !== b.elements[i] && ++different > elementsJoinedMax) return false;
  }
  return true;
}

/** A bag of both arrays' elements: what both have is at the places of both. */
function pour(a: AbstractArray, b: AbstractArray, steps: Steps): AbstractArray {
  steps.take(a.elements.length + b.elements.length);
  const elements: AbstractValue[] = [];
  const first: number[] = [];
  const last: number[] = [];
  const numbers = new Map<AbstractValue, number>();
  for (const { elements: list, bag: given } of [a, b]) {
    const bag = given ?? inPlace(list.length);
    for (let i = 0; i < list.length; i++) {
      const element = list[i] as AbstractValue;
      const places = [bag.first[i] as number, bag.last[i] as number] as const;
      const number = numbers.get(element);
      if (number === undefined) {
        numbers.set(element, elements.push(element) - 1);
        first.push(places[0]);
        last.push(places[1]);
      } else {
        first[number] = Math.min(first[number] as number, places[0]);
        last[number] = Math.max(last[number] as number, places[1]);
      }
    }
  }
  const min = Math.min(a.lengths.min, b.lengths.min);
  const max = Math.max(a.lengths.max, b.lengths.max);
  return new AbstractArray(a.origin, elements, { min, max, first, last }, NOT_OWNED);
}

/** Comparing or copying an element costs a small part of a step. */
const ELEMENTS_PER_STEP_LOG2 = 5;
