/** Which rows of the list are selected. */
import { describe, expect, it } from 'vitest';
import { RowSelection, shareOf } from '../../../../src/console/contents/rows/row-selection.js';

const shown = ['a', 'b', 'c', 'd', 'e'];

describe('the selection of rows', () => {
  it('goes from the row that was touched last to the one that is clicked with Shift, either way', () => {
    const selection = new RowSelection();
    selection.toggle('b');
    selection.extend(shown, 'd');
    expect([...selection.ids]).toEqual(['b', 'c', 'd']);
    selection.extend(shown, 'a');
    expect([...selection.ids].sort()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('begins at the row itself where none was touched, or where a filter hides that one', () => {
    const selection = new RowSelection();
    selection.extend(shown, 'c');
    expect([...selection.ids]).toEqual(['c']);
    selection.toggle('gone');
    selection.extend(shown, 'e');
    expect([...selection.ids]).toEqual(['c', 'gone', 'e']);
  });

  it('keeps what a filter hides, and loses what is not there any more', () => {
    const selection = new RowSelection();
    selection.set(shown, true);
    selection.keep(new Set(['a', 'e', 'f']));
    expect([...selection.ids]).toEqual(['a', 'e']);
    expect(shareOf(['a', 'b'], selection.ids)).toBe('some');
    expect(shareOf(['a', 'e'], selection.ids)).toBe('all');
    selection.clear();
    expect(shareOf(['a'], selection.ids)).toBe('none');
  });

  it('tells its listeners of a change only', () => {
    const selection = new RowSelection();
    let heard = 0;
    const stop = selection.subscribe(() => heard++);
    selection.toggle('a');
    selection.keep(new Set(['a']));
    stop();
    selection.clear();
    expect(heard).toBe(1);
  });
});
