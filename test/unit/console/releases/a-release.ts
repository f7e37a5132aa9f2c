/** A release as the admin API shows it, for tests to change. */
import type { Release, ReleaseChange } from '../../../../src/contract/schemas/release.js';

type ContentChange = Extract<ReleaseChange, { kind: 'content' }>;

export function aChange(more: Partial<ContentChange> = {}): ContentChange {
  return {
    ...{ kind: 'content', id: 'shop', revision: 4, author: 'mei', note: '' },
    ...{ base: 3, live: 3, conflict: false, addedBy: 'mei', addedAt: '2026-11-24T12:00:00Z' },
    ...more,
  };
}

export function aRelease(more: Partial<Release> = {}): Release {
  return {
    ...{ release: 7, environment: 'production', title: 'Winter event', state: 'draft', version: 1 },
    ...{ createdBy: 'mei', createdAt: '2026-11-24T12:00:00Z', updatedAt: '2026-11-24T12:00:00Z' },
    ...{ scheduledAt: null, percent: null, reason: '', description: '', changes: [aChange()] },
    reach: { contents: ['shop'], segments: [] },
    steps: [{ percent: 1, holdMinutes: 10 }],
    ...{ brake: null, schedule: null, ramp: null, overlaps: [], emergency: null },
    review: { required: 1, digest: 'd', submittedBy: null, submittedAt: null, approvals: [] },
    ...{ findings: [], findingsCut: false, confirmed: null },
    ...{ sequence: null, liveAt: null, endedAt: null },
    ...more,
  };
}
