/**
 * Finds values of attributes for which a condition holds: a search through its joins that keeps, for each attribute, the
 * values that all tests so far allow, and goes back where none is left. What it finds holds unless attributes overlap (`a`
 * and `a.b`), so the caller asks the condition itself; what it does not find may still exist.
 */
import { getOrAdd } from '../../get-or-add.js';
import { madeUpStepsMax, madeUpStepsPerUserMax } from '../../limits/evaluation.js';
import { type ConditionTest, type ConditionTree, takeApart } from '../condition-tree.js';
import { AttributeValues } from './attribute-values.js';
import { absent, fillers, interestingValues, sizes } from './interesting-values.js';
import type { SeededRandom } from './seeded-random.js';

/** By attribute, the places of the values that are allowed. */
export type AllowedValues = ReadonlyMap<string, readonly number[]>;

/** A condition that was taken apart, with the values that may satisfy it. */
export interface Target {
  readonly tree: ConditionTree;
  /** Of each attribute that it reads, the places of the values that its own tests made interesting. */
  readonly candidates: ReadonlyMap<string, readonly number[]>;
}

interface Goal {
  readonly tree: ConditionTree;
  readonly wanted: boolean;
}

/** Midpoints and list lengths are added for so many values of one attribute in one condition. */
const combinedValuesMax = 32;
/** Conditions on elements of lists hold further ones, down to here. */
const elementLevelsMax = 4;

export class ConditionSolver {
  readonly attributes = new Map<string, AttributeValues>();
  readonly #random: SeededRandom;
  #stepsLeft = madeUpStepsMax;
  #userStepsLeft = 0;
  #elementLevels = 0;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  /** @param condition one that compiles, as `JSON.parse` gave it */
  prepare(condition: unknown): Target {
    const tree = takeApart(condition);
    const ofAttribute = new Map<string, ConditionTest[]>();
    eachTest(tree, (test) => getOrAdd(ofAttribute, test.attribute, () => []).push(test));
    const candidates = new Map<string, readonly number[]>();
    for (const [attribute, tests] of ofAttribute) {
      candidates.set(attribute, this.#candidatesFor(attribute, tests));
    }
    return { tree, candidates };
  }

  values(attribute: string): AttributeValues {
    return getOrAdd(this.attributes, attribute, (name) => new AttributeValues(name));
  }

  /** Another solution each time, where there are several; null: none was found within the steps that are allowed. */
  solve(target: Target): AllowedValues | null {
    if (this.#stepsLeft <= 0) return null;
    this.#userStepsLeft = Math.min(madeUpStepsPerUserMax, this.#stepsLeft);
    const before = this.#userStepsLeft;
    const found = this.#search([{ tree: target.tree, wanted: true }], [], new Map(), target);
    this.#stepsLeft -= before - this.#userStepsLeft;
    return found;
  }

  #candidatesFor(attribute: string, tests: readonly ConditionTest[]): number[] {
    const values = this.values(attribute);
    const places = new Set<number>(Array.from({ length: values.plainOnes }, (_, place) => place));
    const add = (value: unknown): void => {
      const place = values.add(value);
      if (place !== null) places.add(place);
    };
    const own = tests.flatMap((test) =>
      interestingValues(test, (condition) => this.#solveElement(condition)),
    );
    for (const value of own) add(value);
    for (const value of between(own)) add(value);
    for (const value of combinedLists(own, tests)) add(value);
    return [...places];
  }

  /** An element of a list: an object with attributes, or a value on which operators hold. */
  #solveElement(condition: object): unknown {
    if (this.#elementLevels === elementLevelsMax) return null;
    this.#elementLevels++;
    const solver = new ConditionSolver(this.#random);
    solver.#elementLevels = this.#elementLevels;
    const isOfValue = Object.keys(condition).every((name) => name.startsWith('$'));
    const element = solver.#element(isOfValue ? { value: condition } : condition);
    this.#elementLevels--;
    if (element === null || !isOfValue) return element;
    return (element as { readonly value?: unknown }).value ?? null;
  }

  #element(condition: object): object | null {
    let target: Target;
    try {
      target = this.prepare(condition);
    } catch {
      // Joins among operators (`$and` on an element) are read otherwise than operators on an attribute.
      return null;
    }
    const allowed = this.solve(target);
    if (allowed === null) return null;
    const members: [string, unknown][] = [];
    for (const [attribute, [place]] of allowed) {
      if (attribute.startsWith('@') || place === undefined) return null;
      const value = this.values(attribute).values[place];
      if (value !== absent) members.push([attribute, value]);
    }
    return Object.fromEntries(members);
  }

  /** `branches`: goals that have alternatives, looked at when no other is left. */
  #search(
    goals: readonly Goal[],
    branches: readonly Goal[],
    allowed: Map<string, readonly number[]>,
    target: Target,
  ): AllowedValues | null {
    if (--this.#userStepsLeft < 0) return null;
    const waiting = [...branches];
    const open = [...goals];
    const narrowed = new Map(allowed);
    for (let goal = open.pop(); goal !== undefined; goal = open.pop()) {
      const { tree, wanted } = goal;
      if (tree.kind === 'test') {
        if (!this.#narrow(narrowed, tree.test, wanted, target)) return null;
      } else if (tree.kind === 'not') {
        open.push({ tree: tree.part, wanted: !wanted });
      } else if (tree.parts.length === 0) {
        // An empty list holds, of either kind.
        if (!wanted) return null;
      } else if ((tree.kind === 'all') === wanted) {
        for (const part of tree.parts) open.push({ tree: part, wanted });
      } else {
        waiting.push(goal);
      }
    }
    const branch = waiting.pop();
    if (branch === undefined) return narrowed;
    const { tree, wanted } = branch;
    const parts = 'parts' in tree ? tree.parts : [];
    const first = this.#random.below(parts.length);
    for (let tried = 0; tried < parts.length && this.#userStepsLeft > 0; tried++) {
      const part = parts[(first + tried) % parts.length] as ConditionTree;
      const found = this.#search([{ tree: part, wanted }], waiting, narrowed, target);
      if (found !== null) return found;
    }
    return null;
  }

  #narrow(
    allowed: Map<string, readonly number[]>,
    test: ConditionTest,
    wanted: boolean,
    { candidates }: Target,
  ): boolean {
    const { attribute } = test;
    const values = this.values(attribute);
    const before = allowed.get(attribute) ?? candidates.get(attribute) ?? [];
    const after = before.filter((place) => values.holds(test, place) === wanted);
    allowed.set(attribute, after);
    return after.length > 0;
  }
}

function eachTest(tree: ConditionTree, visit: (test: ConditionTest) => unknown): void {
  if (tree.kind === 'test') visit(tree.test);
  else if (tree.kind === 'not') eachTest(tree.part, visit);
  else for (const part of tree.parts) eachTest(part, visit);
}

/** Between two bounds there may be the only values that both allow. */
function between(values: readonly unknown[]): number[] {
  const numbers = values.filter((value) => typeof value === 'number' && Number.isFinite(value));
  const sorted = [...new Set(numbers as number[])]
    .sort((a, b) => a - b)
    .slice(0, combinedValuesMax);
  return sorted.slice(1).map((value, index) => ((sorted[index] as number) + value) / 2);
}

/** Lists that hold what one test asks for and are as long as another one does. */
function combinedLists(values: readonly unknown[], tests: readonly ConditionTest[]): unknown[] {
  const lists = values.filter((value) => Array.isArray(value)).slice(0, combinedValuesMax);
  if (lists.length === 0) return [];
  const all = [...new Set(lists.flat())].slice(0, combinedValuesMax);
  const lengths = tests.flatMap(({ operator, wanted }) =>
    operator === '$size' ? sizes(wanted) : [],
  );
  const longer = [all, ...lists].flatMap((list) =>
    lengths.slice(0, 8).flatMap((length) => {
      const missing = length - list.length;
      return missing > 0 ? [[...list, ...fillers(missing)]] : [];
    }),
  );
  return [all, ...longer.slice(0, 4 * combinedValuesMax)];
}
