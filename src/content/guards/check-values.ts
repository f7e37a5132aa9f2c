/** Checks what guards say of values by themselves: `min`, `max`, `type`, `enum`, `required`. */

import type { AbstractValue } from '../envelope/abstract-value.js';
import { findingsMax } from '../envelope/envelope-limits.js';
import { TypeBit, typesOf } from '../envelope/json-types.js';
import type { LineEnvelope } from '../envelope/line-envelope.js';
import { pointerWith } from '../envelope/pointer-with.js';
import { ValueGroup } from '../envelope/value-group.js';
import { describeBound, describeNumber, describePath, describeTypes } from './describe-bound.js';
import { EnumCheck } from './enum-check.js';
import type { Guard, GuardFinding, GuardFindingKind } from './guard.js';
import {
  type GuardState,
  initialStates,
  matchesOf,
  nextStates,
  requiredName,
} from './guard-pattern.js';

interface Place {
  readonly path: string;
  readonly values: readonly AbstractValue[];
  readonly states: readonly GuardState[];
}

/** @returns at most `findingsMax` */
export function checkValues(guards: readonly Guard[], line: LineEnvelope): GuardFinding[] {
  const enums = new Map(guards.map((guard) => [guard, new EnumCheck(guard.enum ?? [])]));
  const findings: GuardFinding[] = [];
  const waiting: Place[] = [{ path: '', values: [line.root], states: initialStates(guards) }];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (findings.length >= findingsMax) break;
    const { path, states } = place;
    const group = new ValueGroup(place.values);
    const report = (guard: Guard, kind: GuardFindingKind, at: string, message: string): void => {
      const sentence = `In version line ${line.version}, ${message}.`;
      findings.push({
        kind,
        severity: guard.severity,
        version: line.version,
        path: at,
        message: sentence,
      });
    };
    for (const guard of matchesOf(states)) {
      checkNumbers(guard, group, path, report);
      checkTypes(guard, group, path, report);
      const other = guard.enum && enums.get(guard)?.findOther(place.values);
      if (typeof other === 'string') {
        report(
          guard,
          'enum',
          path,
          `${describePath(path)} may be ${other}, which the guard does not list`,
        );
      }
    }
    const continuing = states.filter((state) => !isMissing(state, group, path, report));
    pushBelow(path, group, continuing, waiting);
  }
  return findings;
}

type Report = (guard: Guard, kind: GuardFindingKind, path: string, message: string) => void;

function checkNumbers(guard: Guard, { min, max }: ValueGroup, path: string, report: Report): void {
  if (guard.min !== undefined && min !== null && min.value < guard.min) {
    const allowed = `the guard allows ${describeNumber(guard.min)} or more`;
    report(guard, 'min', path, `${describePath(path)} may be ${describeBound(min)}: ${allowed}`);
  }
  if (guard.max !== undefined && max !== null && max.value > guard.max) {
    const allowed = `the guard allows ${describeNumber(guard.max)} or less`;
    report(guard, 'max', path, `${describePath(path)} may be ${describeBound(max)}: ${allowed}`);
  }
}

function checkTypes(guard: Guard, group: ValueGroup, path: string, report: Report): void {
  if (guard.type === undefined) return;
  const allowed = typeof guard.type === 'string' ? [guard.type] : guard.type;
  const bits = allowed.reduce((sum, type) => sum | TypeBit[type], 0);
  const others = typesOf(group.types & ~bits);
  if (others.length === 0) return;
  const message = `${describePath(path)} may be ${describeTypes(others)}: the guard allows ${describeTypes(allowed)}`;
  report(guard, 'type', path, message);
}

/** Whether a name that the guard requires next may be missing here: what is below it then is not asked for again. */
function isMissing(state: GuardState, group: ValueGroup, path: string, report: Report): boolean {
  const name = requiredName(state);
  if (name === null || isAlwaysIn(group, name)) return false;
  const missing = describePath(pointerWith(path, name));
  const message = `${missing} may be missing: the guard requires ${describePath(state.guard.path)}`;
  report(state.guard, 'required', pointerWith(path, name), message);
  return true;
}

function isAlwaysIn(group: ValueGroup, name: string): boolean {
  if (group.types === TypeBit.array) return Number(name) < group.elementsMin;
  const member = group.member(name);
  return member !== null && group.alwaysHas(member);
}

function pushBelow(
  path: string,
  group: ValueGroup,
  states: readonly GuardState[],
  waiting: Place[],
): void {
  const found: Place[] = [];
  const push = (name: string | null, values: readonly AbstractValue[]): void => {
    const next = nextStates(states, name);
    if (next.length === 0 || values.length === 0) return;
    found.push({ path: pointerWith(path, name ?? '*'), values, states: next });
  };
  if (states.length > 0) {
    pushElements(group, states, push);
    for (const { name, values } of group.members) push(name, values);
  }
  for (let i = found.length - 1; i >= 0; i--) waiting.push(found[i] as Place);
}

/** All elements together, unless a guard names one of them, and its place is known. */
function pushElements(
  group: ValueGroup,
  states: readonly GuardState[],
  push: (name: string | null, values: readonly AbstractValue[]) => void,
): void {
  const named = states.some(({ tokens, matched }) => Number.isInteger(Number(tokens[matched])));
  const { length } = group;
  if (!named || length === null) {
    push(null, group.elements);
    return;
  }
  for (let index = 0; index < length; index++) push(String(index), group.elementsAt(index));
}
