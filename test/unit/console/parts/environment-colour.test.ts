/** Environments have colours of their own, which stay the same while others come, go and are protected. */
import { describe, expect, it } from 'vitest';
import {
  coloursOf,
  environmentColours,
} from '../../../../src/console/parts/place/environment-colour.js';

const environment = (id: string, day: number, isProtected = false) => ({
  id,
  protected: isProtected,
  createdAt: `2026-11-${String(day).padStart(2, '0')}T00:00:00.000Z`,
});

describe('colours of environments', () => {
  it('differ while there are enough of them', () => {
    const some = environmentColours.map((_, place) => environment(`env-${place}`, place + 1));
    expect(new Set(coloursOf(some).values()).size).toBe(environmentColours.length);
  });

  it('are given again where there are more environments', () => {
    const many = Array.from({ length: 40 }, (_, place) => environment(`env-${place}`, 1));
    expect(coloursOf(many).size).toBe(40);
  });

  it('do not depend on the order of the list', () => {
    const some = [environment('a', 3), environment('b', 1), environment('c', 2)];
    expect(coloursOf([...some].reverse())).toEqual(coloursOf(some));
  });

  it('stay when a newer environment is created', () => {
    const before = [environment('staging', 1), environment('dev', 2)];
    const after = coloursOf([...before, environment('qa', 3), environment('test', 4)]);
    for (const [id, colour] of coloursOf(before)) expect(after.get(id)).toBe(colour);
  });

  it('stay when another environment is protected, which then has the one of all protected ones', () => {
    const before = coloursOf([environment('production', 1), environment('staging', 2)]);
    const after = coloursOf([environment('production', 1, true), environment('staging', 2)]);
    expect(after.get('production')).toBe('guard');
    expect(after.get('staging')).toBe(before.get('staging'));
    expect([...environmentColours]).not.toContain('guard');
  });
});
