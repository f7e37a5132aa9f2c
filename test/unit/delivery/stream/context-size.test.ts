import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { contextSizeOf } from '../../../../src/delivery/stream/context-size.js';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const listOf = (one: string, count: number) =>
  `{"a":[${Array.from({ length: count }, () => one).join(',')}]}`;

describe('the size of a context', () => {
  it.each([
    ['objects', listOf('{}', 15_000)],
    ['lists', listOf('[]', 15_000)],
    ['objects with members', listOf('{"a":1,"b":"c"}', 4_000)],
    ['numbers', listOf('1', 30_000)],
    ['fractions', listOf('1.5', 15_000)],
    ['fractions among texts', listOf('1.5,""', 8_000)],
    ['texts', listOf('"abcdef"', 7_000)],
    ['one text', `{"a":"${'x'.repeat(60_000)}"}`],
    [
      'members',
      `{${Array.from({ length: 5_000 }, (_, at) => `"m${at.toString(36)}":1`).join(',')}}`,
    ],
  ])('covers what %s hold in memory', (_name, json) => {
    const kept: unknown[] = [];
    JSON.parse(json);
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let count = 0; count < 100; count += 1) kept.push(JSON.parse(json));
    collect();
    const held = (process.memoryUsage().heapUsed - before) / kept.length;
    const size = contextSizeOf({ u: '', p: kept[0] as Record<string, unknown> });
    expect(size.jsonBytes).toBe(json.length);
    // Other tests of the process may have let go of something meanwhile, or hold a little more.
    expect(size.heldBytes).toBeGreaterThan(0.8 * held);
  });

  it('is boundless where they nest too deep for the engine to write them', () => {
    const text = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const p = JSON.parse(`{"a":${text}}`);
    expect(contextSizeOf({ u: 'u', p }).jsonBytes).toBe(
      canWrite(p) ? `u{"a":${text}}`.length : Number.POSITIVE_INFINITY,
    );
  });
});

/** From V8 13.8 on no depth is too much. */
function canWrite(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}
