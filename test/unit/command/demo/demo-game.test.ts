/** The demo's game, without a server: sizes, comments, and that its history can be applied to it. */

import { describe, expect, it } from 'vitest';
import { readDemoGame } from '../../../../src/command/demo/demo-game.js';
import { demoTimeMs } from '../../../../src/command/demo/demo-time.js';
import * as receiver from '../../../../src/command/demo/webhook-receiver.js';
import { strictJson } from '../../../../src/command/terminal/json-body.js';
import { compileCondition } from '../../../../src/content/condition/condition.js';
import { parseMapping } from '../../../../src/content/mapping/mapping.js';
import type { ContentLine } from '../../../../src/contract/schemas/transfer-line.js';
import { findAbTests } from '../../../../src/management/contents/warnings/find-ab-tests.js';
import { contextOf } from '../../../../src/management/evaluation/read-context.js';

const nowMs = Date.UTC(2026, 10, 23, 12);
const game = await readDemoGame(nowMs);
const contents = [...game.contents.values()];

const mappingOf = ({ mapping }: ContentLine): string => String(mapping);
const mapped = contents.filter(({ mapping }) => mapping !== null);
const highest = (id: string): string => game.contents.get(id)?.lines.at(-1)?.text ?? '';

describe('the demo game', () => {
  it('has at least eight contents from 1 KB to 200 KB, with comments in them', () => {
    const sizes = contents.map((content) => Buffer.byteLength(content.lines[0]?.text ?? ''));
    expect(contents.length).toBeGreaterThanOrEqual(8);
    expect(Math.min(...sizes)).toBeLessThan(2_000);
    expect(Math.max(...sizes)).toBeGreaterThan(180_000);
    expect(Math.max(...sizes)).toBeLessThan(220_000);
    for (const content of contents) expect(content.lines[0]?.text).toMatch(/\/\/|\/\*/);
  });

  it.each(mapped.map((content) => [content.id, content] as const))(
    'the mapping of %s is one',
    (_id, content) => {
      const parsed = parseMapping(new TextEncoder().encode(mappingOf(content)));
      expect(parsed).toMatchObject({ ok: true, warnings: [] });
      for (const rule of parsed.ok ? parsed.rules : []) {
        if (rule.condition === null) expect([...game.segments.keys()]).toContain(rule.segment);
      }
    },
  );

  it('has segments that compile', () => {
    for (const { when } of game.segments.values()) {
      expect(compileCondition(JSON.parse(String(when)))).toBeTypeOf('function');
    }
  });

  it('shows a test with a control group and a salt, a window that is open, and an older line', () => {
    const mappings = mapped.map(mappingOf).join('\n');
    expect(mappings).toMatch(/"salt": "[^"]+"[\s\S]*?"name": "control"/);
    expect(mappings).toContain('"from": "2026-11-21T00:00:00.000Z"');
    expect(mappings).toContain('"until": "2026-12-05T00:00:00.000Z"');
    expect(contents.some((content) => content.lines.length === 2)).toBe(true);
  });

  it('has the same keys in both languages', () => {
    const keys = ['localisation-en', 'localisation-de'].map((id) =>
      Object.keys(JSON.parse(strictJson(highest(id), id))),
    );
    expect(keys[0]).toEqual(keys[1]);
  });
});

describe('the history of the demo game', () => {
  const saves = game.steps.flatMap((step) => ('save' in step ? [step] : []));
  const requests = game.steps.flatMap((step) => ('request' in step ? [step] : []));

  it.each(contents.map(({ id }) => id))('has texts of %s that are JSON at each save', (id) => {
    let text = highest(id);
    let before = text;
    for (const step of game.steps) {
      if ('request' in step && /rollback$/.test(step.request) && step.params?.['id'] === id) {
        text = before;
      }
      if (!('save' in step) || step.save !== id) continue;
      before = text;
      for (const [from, to] of step.changes ?? []) text = text.replace(from, () => to);
      expect(() => JSON.parse(strictJson(text, id))).not.toThrow();
      if (step.changes !== undefined) expect(text).not.toBe(before);
    }
  });

  it('goes forward in time, and ends before now', () => {
    const times = game.steps.map(({ at }) => demoTimeMs(nowMs, at));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.at(-1)).toBeLessThan(nowMs);
    expect(demoTimeMs(nowMs, '2d 14:20')).toBe(Date.UTC(2026, 10, 21, 14, 20));
    expect(demoTimeMs(nowMs, '-6d 12:00')).toBe(Date.UTC(2026, 10, 29, 12));
    expect(demoTimeMs(nowMs, '90min')).toBe(Date.UTC(2026, 10, 23, 10, 30));
  });

  it('has mistakes that were rolled back, a deleted content, a draft above what is live, one that never was', () => {
    const routes = requests.map(({ request }) => request);
    expect(routes).toContain('POST /environments/:env/contents/:id/rollback');
    expect(routes).toContain('DELETE /environments/:env/contents/:id');
    const drafts = saves.filter(({ draft }) => draft);
    expect(drafts.map(({ changes }) => changes !== undefined).sort()).toEqual([false, true]);
    expect(new Set(saves.map(({ by }) => by)).size).toBe(4);
  });

  it('has a webhook for each way in which the receiver behaves', () => {
    const paths = requests.flatMap(({ body }) => body?.url ?? []);
    const { steadyPath, flakyPath, brokenPath, gonePath } = receiver;
    expect(paths).toEqual([steadyPath, flakyPath, brokenPath, gonePath]);
  });

  it('has two tests that split players along the same line, as they have no salt', () => {
    const tests = mapped.flatMap((content) =>
      findAbTests(new TextEncoder().encode(mappingOf(content))),
    );
    expect(tests.filter(({ salt }) => salt === null)).toHaveLength(2);
    expect(tests.length).toBeGreaterThanOrEqual(5);
  });

  it('has sample users that delivery accepts', () => {
    const users = requests.filter(({ request }) => request.includes('sample-users'));
    expect(users).toHaveLength(12);
    for (const { body } of users) expect(contextOf(body ?? {})).toBeTypeOf('object');
  });
});
