import { describe, expect, it } from 'vitest';
import {
  contentStem,
  readTextFileName,
  segmentStem,
  textFileName,
} from '../../../../src/command/transfer/transfer-names.js';

describe('file names of an exported folder', () => {
  it('are the ids themselves where every system takes them', () => {
    for (const id of ['shop', 'Shop.eu-1_b', '9', 'console', 'com10', 'a.con']) {
      expect(contentStem(id)).toBe(id);
    }
  });

  it('are other names where a system reserves, hides or confuses them', () => {
    for (const id of ['con', 'NUL.json', 'com1', 'lpt9.x', '.hidden', '...']) {
      expect(contentStem(id)).toMatch(/^[A-Za-z0-9_-]+~[0-9a-f]{8}$/);
      expect(contentStem(id)).toBe(contentStem(id));
    }
  });

  it('of segments never differ by case alone, and stay short', () => {
    expect(segmentStem('big spenders')).toBe('big spenders');
    const [upper, lower] = [segmentStem('Whales'), segmentStem('whales')];
    expect(upper.toLowerCase()).not.toBe(lower.toLowerCase());
    for (const name of ['a/b', 'ends ', '..\\x', 'ä'.repeat(128), 'x'.repeat(128), 'aux', '🐳']) {
      expect(segmentStem(name)).toMatch(/^[A-Za-z0-9_-]{1,60}~[0-9a-f]{8}$/);
    }
  });

  it('tell content and line apart, and are read as they were made', () => {
    for (const [stem, version, file] of [
      ['shop', '0.0.0', 'shop.jsonc'],
      ['shop', '1.20.3', 'shop@1.20.3.jsonc'],
      ['a.json', '0.0.0', 'a.json.jsonc'],
    ] as const) {
      expect(textFileName(stem, version)).toBe(file);
      expect(readTextFileName(file)).toEqual({ stem, appVersion: version });
    }
    for (const file of ['shop.json', '.jsonc', 'README.md']) {
      expect(readTextFileName(file)).toBeNull();
    }
  });
});
