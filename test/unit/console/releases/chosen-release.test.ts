/** Which release is offered first, and which drafts a release can take. */
import { describe, expect, it } from 'vitest';
import { matching, unpublishedItems } from '../../../../src/console/release/changes/unpublished.js';
import { chosenAtFirst } from '../../../../src/console/releases/add/chosen-release.js';
import type { ContentSummary } from '../../../../src/contract/operations/contents.js';
import type { ReleaseSummary } from '../../../../src/contract/schemas/release.js';
import { aChange, aRelease } from './a-release.js';

describe('the release that is offered first', () => {
  const summary = (release: number, state: ReleaseSummary['state']): ReleaseSummary => ({
    ...aRelease(),
    ...{ release, state, changes: 1 },
  });

  it('is the one that the last change went into, while it is open', () => {
    const open = [summary(9, 'draft'), summary(8, 'review')];
    expect(chosenAtFirst(open, 8)).toBe('8');
    expect(chosenAtFirst(open, 3)).toBe('9');
  });

  it('is a new one rather than one whose approvals it would withdraw', () => {
    expect(chosenAtFirst([summary(8, 'approved')], null)).toBe('new');
    expect(chosenAtFirst([], null)).toBe('new');
  });
});

describe('the drafts that a release can take', () => {
  const content = (id: string, newest: number, live: number | null): ContentSummary =>
    ({ id, newest, live, author: 'mei' }) as ContentSummary;

  it('are those newer than what is live, less those that it has', () => {
    const contents = [content('shop', 4, 3), content('offers', 2, 2), content('event', 1, null)];
    const segments = [{ name: 'whales', newest: 3, live: 2 }];
    const items = unpublishedItems(contents, segments, { changes: [aChange()] });
    expect(items.map(({ title, detail }) => [title, detail])).toEqual([
      ['event', 'Draft r1 by mei, nothing is live'],
      ['segment whales', 'Draft r3, r2 is live'],
    ]);
    expect(matching(items, ' WHA').map(({ change }) => change)).toEqual([
      { kind: 'segment', name: 'whales', revision: 3 },
    ]);
  });

  it('hold a draft again that was saved after the release took one', () => {
    const items = unpublishedItems([content('shop', 5, 3)], [], { changes: [aChange()] });
    expect(items).toHaveLength(1);
  });
});
