/** A content item as the list has it, for tests of the list. */
import type { ContentSummary } from '../../../../src/contract/operations/contents.js';

export function summaryOf(id: string, more: Partial<ContentSummary> = {}): ContentSummary {
  return {
    ...{ id, description: '', tags: [], newest: 1, live: 1, author: 'ana', synced: null },
    ...{ hash: '0011223344556677', dynamic: false, lines: 1, jsonBytes: 10 },
    ...{ updatedAt: '2026-01-01T00:00:00.000Z', liveSince: '2026-01-01T00:00:00.000Z' },
    ...{ deletedAt: null, deletedBy: null },
    ...more,
  };
}
