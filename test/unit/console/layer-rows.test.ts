/** Layers and the holdout as a form has them. */
import { expect, it } from 'vitest';
import { inputOf, rowsOf, shareOf } from '../../../src/console/environments/layer-rows.js';

const layers = [{ name: 'shop', salt: 's' }];

it('keeps what is not touched, and leaves salts to the server where none is typed', () => {
  const holdout = { salt: 'h', groups: [950, 999] as [number, number] };
  expect(shareOf({ holdout })).toBe(5);
  const rows = [...rowsOf({ layers }), { key: '1', name: 'menu', salt: '', isSaved: false }];
  expect(inputOf(rows, 5, { holdout })).toEqual({ layers: [...layers, { name: 'menu' }], holdout });
});

it('gives a holdout of another size the first bucket that it had, where there is room', () => {
  const held = { holdout: { salt: 'h', groups: [100, 149] as [number, number] } };
  expect(inputOf([], 10, held).holdout).toEqual({ salt: 'h', groups: [100, 199] });
  const late = { holdout: { salt: 'h', groups: [980, 999] as [number, number] } };
  expect(inputOf([], 5, late).holdout).toEqual({ salt: 'h', groups: [950, 999] });
  expect(inputOf([], 5, { holdout: null }).holdout).toEqual({ groups: [0, 49] });
  expect(inputOf([], 0, held).holdout).toBeNull();
});
