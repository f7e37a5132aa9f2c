/** The demo's game, without a server: sizes, comments, and that every text is what it claims to be. */

import { describe, expect, it } from 'vitest';
import { demoContents } from '../../../../src/command/demo/game/demo-game.js';
import { storyTimeMs } from '../../../../src/command/demo/game/story-time.js';
import { demoSampleUsers } from '../../../../src/command/demo/sample-users.js';
import { changedText, savedTexts } from '../../../../src/command/demo/saved-texts.js';
import { segmentSaves } from '../../../../src/command/demo/segments.js';
import { strictJson } from '../../../../src/command/terminal/json-body.js';
import { compileCondition } from '../../../../src/content/condition/condition.js';
import { parseMapping } from '../../../../src/content/mapping/mapping.js';
import { findAbTests } from '../../../../src/management/contents/warnings/find-ab-tests.js';
import { contextOf } from '../../../../src/management/evaluation/read-context.js';

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
    const saved = segmentSaves.map((segment) => segment.name);
    for (const rule of parsed.ok ? parsed.rules : []) {
      if (rule.condition === null) expect(saved).toContain(rule.segment);
    }
  });

  it('has segments that compile', () => {
    for (const segment of segmentSaves) {
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

describe('the demo game in its past', () => {
  it.each(contents.map((content) => [content.id, content] as const))(
    '%s had other texts before, and has drafts, that are JSON too',
    (id, content) => {
      const { draft, saves } = content;
      const live = content.lines.at(-1)?.text ?? '';
      const texts = savedTexts(content);
      expect(texts).toHaveLength(saves.length);
      if (saves.length > 0) expect(texts.at(-1)).toBe(live);
      if (draft !== undefined) texts.push(changedText(live, draft));
      for (const text of texts) expect(() => JSON.parse(strictJson(text, id))).not.toThrow();
      for (const [index, { changes = [] }] of saves.entries()) {
        if (changes.length > 0) expect(texts[index]).not.toBe(texts[index - 1]);
      }
    },
  );

  it('goes forward in time, and ends before now', () => {
    for (const { saves, draft, deleted } of contents) {
      const moments = saves.flatMap((save) => [save, ...(save.undone ? [save.undone] : [])]);
      if (draft !== undefined) moments.push(draft);
      const times = [...moments, ...(deleted ? [deleted] : [])].map(({ at }) =>
        storyTimeMs(nowMs, at),
      );
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(times.at(-1)).toBeLessThan(nowMs);
    }
    expect(storyTimeMs(nowMs, '2d 14:20')).toBe(Date.UTC(2026, 10, 19, 14, 20));
    expect(storyTimeMs(nowMs, '90min')).toBe(Date.UTC(2026, 10, 21, 10, 30));
  });

  it('knows mistakes that were rolled back, a deleted content, a draft above what is live, one that never was', () => {
    expect(contents.flatMap(({ saves }) => saves).some(({ undone }) => undone)).toBe(true);
    expect(contents.some(({ deleted }) => deleted)).toBe(true);
    expect(contents.some(({ draft, saves }) => draft && saves.length > 0)).toBe(true);
    expect(contents.some(({ draft, saves }) => draft && saves.length === 0)).toBe(true);
    expect(new Set(contents.flatMap(({ saves }) => saves.map(({ by }) => by))).size).toBe(4);
  });

  it('has two tests that split players along the same line, as they have no salt', () => {
    const tests = contents.flatMap(({ id, mapping }) =>
      mapping === null ? [] : findAbTests(new TextEncoder().encode(strictJson(mapping, id))),
    );
    expect(tests.filter(({ salt }) => salt === null)).toHaveLength(2);
    expect(tests.length).toBeGreaterThanOrEqual(5);
  });

  it('has sample users that delivery would take', () => {
    for (const { context } of demoSampleUsers) expect(contextOf(context)).toBeTypeOf('object');
  });
});
