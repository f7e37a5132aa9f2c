import { describe, expect, it } from 'vitest';
import { formatAuditLine, formatDetails } from '../../../../src/command/people/format-audit.js';
import type { AuditEvent, AuditedContent } from '../../../../src/contract/operations/audit.js';

describe('the details of an audit event', () => {
  it.each([
    [{}, ''],
    [{ before: { role: 'editor', x: 1 }, after: { role: 'owner', x: 1 } }, 'role: editor -> owner'],
    [{ after: { label: 'ci', expiresAt: null } }, 'label: ci, expiresAt: null'],
    [{ before: null, after: { live: 1 } }, 'live: 1'],
    [{ before: { live: 3 }, after: null }, 'live: 3 -> none'],
    [{ before: { list: ['a'] }, after: { list: ['a', 'b'] } }, 'list: ["a"] -> ["a","b"]'],
    [{ before: null, after: 'x', note: 'why' }, 'note: why'],
    [{ note: 'n'.repeat(100) }, `note: ${'n'.repeat(60)}…`],
  ])('%j read "%s"', (details, text) => {
    expect(formatDetails(details)).toBe(text);
  });
});

describe('an audit event on one line', () => {
  const event: AuditEvent = {
    id: '1',
    at: '2026-01-01T00:00:00.000Z',
    userId: 'u1',
    userName: 'eve',
    action: 'content.put',
    environment: 'dev',
    name: 'shop',
    address: '192.0.2.1',
    details: { note: 'two\nlines \u001b[31m' },
  };

  it('steers no terminal and breaks no line', () => {
    expect(formatAuditLine(event)).toBe(
      '2026-01-01T00:00:00.000Z  eve (192.0.2.1)  content.put  dev/shop  note: two lines  [31m',
    );
  });

  it('says what a sync or import did to the content that was asked for', () => {
    const line = (content: AuditedContent): string =>
      formatAuditLine({
        ...event,
        ...{ userName: '', address: '', name: '', at: '' },
        content,
        details: { mode: 'merge' },
      });
    const numbers = { before: 1, after: 2, newest: 2, from: 7 };
    const changed: AuditedContent = { id: 'shop', change: 'changed', ...numbers };
    expect(line(changed)).toContain('shop: changed, live: 1 -> 2, source: 7, mode: merge');
    const draft = { ...changed, before: null, after: null, newest: 3, from: null };
    expect(line(draft)).toContain('shop: changed, newest: 3, mode: merge');
    const removed: AuditedContent = { ...changed, change: 'removed', after: null, from: null };
    expect(line(removed)).toContain('shop: removed, live: 1 -> none, mode');
    // Older events do not say what was live afterwards.
    expect(line({ ...changed, after: null, newest: null })).toContain(
      'changed, live before: 1, source: 7',
    );
    expect(line({ ...changed, before: null, after: null, newest: null, from: null })).toContain(
      'shop: changed, mode',
    );
  });

  it('leaves out what is not known', () => {
    const own = { ...event, address: '', environment: '', name: '', details: {} };
    expect(formatAuditLine(own)).toBe('2026-01-01T00:00:00.000Z  eve  content.put');
  });
});
