/**
 * Where the elements of an array may be when rules have shifted them: for each element the first and the last place, and how
 * many elements there are. A rule that edits one place then touches the few elements that may be there.
 */

export interface Bag {
  /** How many elements the arrays have. */
  readonly min: number;
  readonly max: number;
  /** Parallel to the elements. */
  readonly first: readonly number[];
  readonly last: readonly number[];
}

/** Each element at its place. */
export function inPlace(length: number): Bag {
  const places = Array.from({ length }, (_, place) => place);
  return { min: length, max: length, first: places, last: places };
}

export function mayBeAt({ first, last }: Bag, element: number, place: number): boolean {
  return (first[element] as number) <= place && place <= (last[element] as number);
}

/** The same elements in arrays that have the place, as an operation on it requires. */
export function reaching({ min, max, first, last }: Bag, place: number): Bag {
  return { min: Math.max(min, place + 1), max, first, last };
}

/** With one more element, which is the last of `elements`. @param place null: the end */
export function withInserted({ min, max, first, last }: Bag, place: number | null): Bag {
  const from = place ?? max;
  return {
    min: Math.max(min, place ?? 0) + 1,
    max: max + 1,
    first: [...first.map((at) => (at >= from ? at + 1 : at)), place ?? min],
    last: [...last.map((at) => (at >= from ? at + 1 : at)), from],
  };
}

/** With one more alternative for a place. */
export function withAlternative(bag: Bag, place: number): Bag {
  const { min, max, first, last } = reaching(bag, place);
  return { min, max, first: [...first, place], last: [...last, place] };
}

/** Without what is at the place. What may be there stays: it may be elsewhere. */
export function withoutPlace(bag: Bag, place: number): Bag {
  const { min, max, first, last } = reaching(bag, place);
  return {
    min: min - 1,
    max: max - 1,
    first: first.map((at) => (at > place ? at - 1 : at)),
    last: last.map((at, i) => (at > place ? Math.max(at - 1, first[i] as number) : at)),
  };
}

/** Elements of the same number joined; those that only one has keep their places. */
export function joinBags(a: Bag, b: Bag): Bag {
  const longer = a.first.length >= b.first.length ? a : b;
  const shorter = longer === a ? b : a;
  const hull = (
    pick: (one: number, other: number) => number,
    one: readonly number[],
    other: readonly number[],
  ) => one.map((at, i) => (i < other.length ? pick(at, other[i] as number) : at));
  return {
    min: Math.min(a.min, b.min),
    max: Math.max(a.max, b.max),
    first: hull(Math.min, longer.first, shorter.first),
    last: hull(Math.max, longer.last, shorter.last),
  };
}
