/** A guard as its fields are typed. */
import { describe, expect, it } from 'vitest';
import {
  editGuard,
  editMaxChange,
  enumOf,
  enumTexts,
} from '../../../../src/console/content/settings/guard-fields.js';

describe('a guard', () => {
  it('loses the members that are left empty', () => {
    const guard = { path: '/a', min: 1, max: 2, severity: 'warn' as const };
    expect(editGuard(guard, { min: undefined, max: 3 })).toEqual({
      ...{ path: '/a', max: 3, severity: 'warn' },
    });
  });

  it('has a limit of change by factor, by difference, by both, or none', () => {
    expect(editMaxChange(undefined, { by: 5 })).toEqual({ by: 5 });
    expect(editMaxChange({ by: 5 }, { factor: 2 })).toEqual({ by: 5, factor: 2 });
    expect(editMaxChange({ by: 5 }, { by: undefined })).toBeUndefined();
  });

  it.each([['gold'], ['5'], ['"5"'], ['true'], ['null'], ['-1.5'], ['{"a":1}']])(
    'keeps the listed value %s as it is typed',
    (text) => {
      expect(enumTexts(enumOf([text]))).toEqual([text]);
    },
  );

  it('lists texts without quotes, and other values as JSON', () => {
    expect(enumOf(['gold', '5', '"5"', 'null'])).toEqual(['gold', 5, '5', null]);
    expect(enumOf([])).toBeUndefined();
  });
});
