/** What a person can do with a release, and the sentence where they cannot. */
import { describe, expect, it } from 'vitest';
import {
  type ActionName,
  actionsOf,
  whyNoApproval,
} from '../../../../src/console/release/words/release-actions.js';
import type { Release } from '../../../../src/contract/schemas/release.js';
import { aChange, aRelease } from './a-release.js';

const editor = { readOnlyReason: null, isOwner: false, isProtected: false };
const owner = { readOnlyReason: null, isOwner: true, isProtected: false };
const direct = { ...aRelease().review, required: 0 };

function namesOf(release: Release, actor = editor): ActionName[] {
  return actionsOf(release, actor).map(({ name }) => name);
}

describe('the actions of a release', () => {
  it('begin with the review where the environment asks for approvals, and with the start elsewhere', () => {
    expect(namesOf(aRelease())[0]).toBe('submit');
    expect(namesOf(aRelease({ review: direct }))[0]).toBe('start');
    expect(namesOf(aRelease({ review: direct, steps: [] }))[0]).toBe('live');
  });

  it('always hold Pause and Stop during a ramp, and Resume in place of Pause once it is paused', () => {
    expect(namesOf(aRelease({ state: 'ramping' }))).toEqual(['pause', 'stop', 'live']);
    expect(namesOf(aRelease({ state: 'paused' }))).toEqual(['resume', 'stop', 'live']);
  });

  it('offer the emergency to owners only, and only where approvals are asked for', () => {
    expect(namesOf(aRelease({ state: 'review' }), owner)).toContain('emergency');
    expect(namesOf(aRelease({ state: 'review' }))).not.toContain('emergency');
    expect(namesOf(aRelease({ review: direct }), owner)).not.toContain('emergency');
  });

  it('can still stop a ramp that could not start again', () => {
    const conflict = aRelease({ state: 'ramping', changes: [aChange({ conflict: true })] });
    const stop = actionsOf(conflict, editor).find(({ name }) => name === 'stop');
    expect(stop?.reason).toBeNull();
  });

  it.each([
    [aRelease({ changes: [] }), 'Add a change first.'],
    [
      aRelease({ changes: [aChange({ conflict: true })] }),
      'What is live has changed since: rebase or drop shop.',
    ],
  ])('say what to do first', (release, reason) => {
    expect(actionsOf(release, editor)[0]?.reason).toBe(reason);
  });

  it('name the ramp that is in the way of a start', () => {
    const [start] = actionsOf(aRelease({ review: direct, overlaps: [3] }), editor);
    expect(start?.reason).toBe('#3 ramps and reaches the same: wait until it is live, or stop it.');
  });

  it('leave to owners what reaches the players of a protected environment without a review policy', () => {
    const inTheWay = (release: Release, actor: typeof editor): ActionName[] =>
      actionsOf(release, { ...actor, isProtected: true })
        .filter(({ reason }) => reason !== null)
        .map(({ name }) => name);
    const draft = aRelease({ review: direct });
    expect(inTheWay(draft, editor)).toEqual(['start', 'live', 'schedule']);
    expect(inTheWay(draft, owner)).toEqual([]);
    expect(inTheWay(aRelease({ review: direct, state: 'ramping' }), editor)).toEqual(['live']);
    expect(inTheWay(aRelease({ state: 'approved' }), editor)).toEqual([]);
  });

  it('give viewers the reason for each', () => {
    const readOnlyReason = 'You are a viewer.';
    const reasons = actionsOf(aRelease(), { ...editor, readOnlyReason });
    expect(new Set(reasons.map(({ reason }) => reason))).toEqual(new Set([readOnlyReason]));
  });
});

describe('an approval', () => {
  const nora = { name: 'nora', role: 'owner', isAsked: true } as const;
  const waiting = aRelease({ state: 'review' });

  it('is for a person who did not work on the release', () => {
    expect(whyNoApproval(waiting, nora)).toBeNull();
    expect(whyNoApproval(waiting, { ...nora, role: 'viewer' })).toMatch(/^You are a viewer/);
  });

  it.each([
    ['saved a revision', aChange({ author: 'nora' })],
    ['added a change', aChange({ addedBy: 'nora' })],
  ])('is not for someone who %s', (_, change) => {
    const reason = whyNoApproval(aRelease({ state: 'review', changes: [change] }), nora);
    expect(reason).toBe('You worked on shop: someone else approves it.');
  });

  it('is not for the author of the release', () => {
    expect(whyNoApproval(aRelease({ createdBy: 'nora' }), nora)).toMatch(/^You made this release/);
  });

  it('is given once', () => {
    const approval = { user: 'nora', at: '', comment: '', counts: true, reason: '' };
    const review = { ...waiting.review, required: 2, approvals: [approval] };
    expect(whyNoApproval({ ...waiting, review }, nora)).toMatch(/^You have approved it/);
  });

  it('is explained where only the server knows that it would not count', () => {
    expect(whyNoApproval(waiting, { ...nora, isAsked: false })).toMatch(/does not count/);
    expect(whyNoApproval(waiting, { ...nora, isAsked: null })).toBeNull();
  });
});
