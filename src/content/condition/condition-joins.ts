/** Joins compiled tests. One test is itself and two are a plain `&&` or `||`: most conditions have no more. */

import { always, type Test } from './condition-site.js';

/** Holds when every test holds, so also when there is none. */
export function allOf(tests: readonly Test[]): Test {
  const [first, second] = tests;
  if (first === undefined) return always;
  if (second === undefined) return first;
  if (tests.length === 2) return (value, caller) => first(value, caller) && second(value, caller);
  return (value, caller) => {
    for (let i = 0; i < tests.length; i++) {
      if (!(tests[i] as Test)(value, caller)) return false;
    }
    return true;
  };
}

/** Holds when any test holds, and (so the dialect says) when there is none. */
export function anyOf(tests: readonly Test[]): Test {
  const [first, second] = tests;
  if (first === undefined) return always;
  if (second === undefined) return first;
  if (tests.length === 2) return (value, caller) => first(value, caller) || second(value, caller);
  return (value, caller) => {
    for (const test of tests) {
      if (test(value, caller)) return true;
    }
    return false;
  };
}

export function negate(test: Test): Test {
  return (value, caller) => !test(value, caller);
}

/** A comparison with the app version, which is null for a caller that sent none: then no comparison holds. */
export function whenPresent(test: Test): Test {
  return (value, caller) => value !== null && test(value, caller);
}
