/** The demo's game, without a server: sizes, comments, and that every text is what it claims to be. */

import { describe, expect, it } from 'vitest';
import { demoContents } from '../../../src/command/demo/demo-game.js';
import { demoSegments } from '../../../src/command/demo/segments.js';
import { strictJson } from '../../../src/command/json-body.js';
import { compileCondition } from '../../../src/content/condition/condition.js';
import { parseMapping } from '../../../src/content/mapping/mapping.js';

const nowMs = Date.UTC(2026, 10, 21, 12);
const contents = demoContents(nowMs);

describe('the demo game', () => {
  it('has at least eight contents from 1 KB to 200 KB, with comments in them', () => {
    const sizes = contents.map((content) => Buffer.byteLength(content.lines[0]?.text ?? ''));
    expect(contents.length).toBeGreaterThanOrEqual(8);
    expect(Math.min(...sizes)).toBeLessThan(2_000);
    expect(Math.max(...sizes)).toBeGreaterThan(180_000);
    expect(Math.max(...sizes)).toBeLessThan(220_000);
    for (const content of contents) expect(content.lines[0]?.text).toMatch(/\/\/|\/\*/);
  });

  it.each(contents.map((content) => [content.id, content] as const))(
    '%s is JSON without its comments',
    (_id, content) => {
      for (const line of content.lines) {
        expect(() => JSON.parse(strictJson(line.text, content.id))).not.toThrow();
      }
    },
  );

  it.each(
    contents
      .filter(({ mapping }) => mapping !== null)
      .map((content) => [content.id, content.mapping ?? ''] as const),
  )('the mapping of %s is one', (id, mapping) => {
    const parsed = parseMapping(new TextEncoder().encode(strictJson(mapping, id)));
    expect(parsed).toMatchObject({ ok: true, warnings: [] });
    const saved = demoSegments.map((segment) => segment.name);
    for (const rule of parsed.ok ? parsed.rules : []) {
      if (rule.condition === null) expect(saved).toContain(rule.segment);
    }
  });

  it('has segments that compile', () => {
    for (const segment of demoSegments) {
      expect(compileCondition(JSON.parse(segment.when))).toBeTypeOf('function');
    }
  });

  it('shows a test with a control group and a salt, a window that is open, and an older line', () => {
    const mappings = contents.map((content) => content.mapping ?? '').join('\n');
    expect(mappings).toMatch(/"salt": "[^"]+"[\s\S]*?"name": "control"/);
    expect(mappings).toContain('"from": "2026-11-19T00:00:00.000Z"');
    expect(mappings).toContain('"until": "2026-12-03T00:00:00.000Z"');
    expect(contents.some((content) => content.lines.length === 2)).toBe(true);
  });

  it('is the same on every machine', () => {
    expect(demoContents(nowMs)).toEqual(contents);
  });

  it('has the same keys in both languages', () => {
    const keys = ['localisation-en', 'localisation-de'].map((id) => {
      const content = contents.find((other) => other.id === id);
      return Object.keys(JSON.parse(strictJson(content?.lines[0]?.text ?? '', id)));
    });
    expect(keys[0]).toEqual(keys[1]);
  });
});
