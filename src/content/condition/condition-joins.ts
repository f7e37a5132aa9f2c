/** Joins compiled tests, and charges for those that it runs. One test is itself and two are a plain `&&` or `||`: most conditions have no more. */

import { testWork } from '../evaluation-work.js';
import { always, type Test } from './condition-site.js';

/** Holds when every test holds, so also when there is none. */
export function allOf(tests: readonly Test[]): Test {
  const [first, second] = tests;
  if (first === undefined) return always;
  if (second === undefined) return first;
  if (tests.length === 2) {
    return (value, caller) => {
      caller.workLeft -= 2 * testWork;
      return first(value, caller) && second(value, caller);
    };
  }
  return (value, caller) => {
    let ran = 0;
    let holds = true;
    while (holds && ran < tests.length) holds = (tests[ran++] as Test)(value, caller);
    caller.workLeft -= ran * testWork;
    return holds;
  };
}

/** Holds when any test holds, and (so the dialect says) when there is none. */
export function anyOf(tests: readonly Test[]): Test {
  const [first, second] = tests;
  if (first === undefined) return always;
  if (second === undefined) return first;
  if (tests.length === 2) {
    return (value, caller) => {
      caller.workLeft -= 2 * testWork;
      return first(value, caller) || second(value, caller);
    };
  }
  return (value, caller) => {
    let ran = 0;
    let holds = false;
    while (!holds && ran < tests.length) holds = (tests[ran++] as Test)(value, caller);
    caller.workLeft -= ran * testWork;
    return holds;
  };
}

export function negate(test: Test): Test {
  return (value, caller) => !test(value, caller);
}

/** A comparison with the app version, which is null for a caller that sent none: then no comparison holds. */
export function whenPresent(test: Test): Test {
  return (value, caller) => value !== null && test(value, caller);
}
