import { describe, expect, it } from 'vitest';
import type {
  StoredContent,
  StoredState,
} from '../../../../src/management/store/contents/content-states.js';
import {
  contentChange,
  type WantedContent,
  type WantedState,
} from '../../../../src/management/transfer/content-change.js';

const about = { description: '', tags: [], schema: null, guards: '[]' };

function state(text: string, mapping: string | null = null): WantedState {
  const line = { version: '0.0.0', textDigest: text, textBytes: 1 };
  const lines = [{ ...line, jsonDigest: text, jsonHash: text, jsonBytes: 1 }];
  return { lines, mapping, flags: [], segments: [] };
}

function revision(number: number, text: string): StoredState {
  const { lines, ...rest } = state(text);
  const saved = lines.map((line) => ({ ...line, hash: line.jsonHash }));
  return { ...rest, lines: saved, number, author: 'tess', createdAtMs: 0, syncedFrom: null };
}

function stored(more: Partial<StoredContent>): StoredContent {
  return {
    idLower: 'shop',
    id: 'SHOP',
    ...about,
    newest: 1,
    deleted: false,
    live: null,
    draft: null,
    ...more,
  };
}

function wanted(more: Partial<WantedContent>): WantedContent {
  const none = { live: null, draft: null, keepLive: true, note: '', synced: null };
  return { idLower: 'shop', id: 'shop', about, ...none, ...more };
}

describe('what a wanted content changes', () => {
  it('is nothing where it is so already', () => {
    const live = revision(1, 'a');
    expect(contentChange(wanted({ live: state('a') }), stored({ live }))).toBeNull();
    const draft = revision(2, 'b');
    const both = wanted({ live: state('a'), draft: state('b') });
    expect(contentChange(both, stored({ newest: 2, live, draft }))).toBeNull();
  });

  it('is a first revision where there is none', () => {
    const change = contentChange(wanted({ live: state('a') }), undefined);
    expect(change).toMatchObject({ id: 'shop', newest: 1, live: 1, delivered: true });
    expect(change?.revisions).toHaveLength(1);
  });

  it('is a revision on top of the history, also of what was deleted, in the spelling that counts', () => {
    const here = stored({ newest: 4, live: revision(3, 'a'), draft: revision(4, 'd') });
    const there = contentChange(wanted({ live: state('b') }), here);
    expect(there).toMatchObject({ id: 'SHOP', newest: 5, live: 5, delivered: true });
    const gone = stored({ newest: 4, deleted: true });
    expect(contentChange(wanted({ live: state('a') }), gone)).toMatchObject({
      id: 'shop',
      live: 5,
    });
  });

  it('is only a publish where somebody has saved just that as a draft', () => {
    const here = stored({ newest: 2, live: revision(1, 'a'), draft: revision(2, 'b') });
    const change = contentChange(wanted({ live: state('b') }), here);
    expect(change).toMatchObject({ newest: 2, live: 2, revisions: [], delivered: true });
  });

  it('is a draft above what stays live, or in its place where nothing shall be', () => {
    const here = stored({ live: revision(1, 'a') });
    const onTop = contentChange(wanted({ draft: state('b') }), here);
    expect(onTop).toMatchObject({ newest: 2, live: 1, delivered: false });
    const instead = contentChange(wanted({ draft: state('b'), keepLive: false }), here);
    expect(instead).toMatchObject({ newest: 2, live: null, delivered: true });
  });

  it('is a revision where only the mapping differs', () => {
    const here = stored({ live: revision(1, 'a') });
    expect(contentChange(wanted({ live: state('a', 'm') }), here)?.revisions).toHaveLength(1);
  });

  it('is what is said about it, without a revision', () => {
    const here = stored({ live: revision(1, 'a') });
    const change = contentChange(
      wanted({ live: state('a'), about: { ...about, tags: ['t'] } }),
      here,
    );
    expect(change).toMatchObject({ newest: 1, live: 1, revisions: [], delivered: false });
    expect(change?.about.tags).toEqual(['t']);
  });
});
