import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeEvaluationContext } from '../../../../src/content/evaluation-context.js';
import { StreamTokens } from '../../../../src/delivery/ofrep/stream-token.js';

const noon = Date.parse('2026-11-15T12:00:00Z');
const hourMs = 3_600_000;
const streamKey = randomBytes(32);
const tokens = new StreamTokens(() => streamKey);
const keyId = '0123456789abcdef';
const environmentId = 'live';

const context = fc
  .tuple(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.dictionary(fc.string(), fc.jsonValue()),
    fc.constantFrom('', '1.2.3'),
  )
  .map(([u, p, v]) => makeEvaluationContext(u, JSON.parse(JSON.stringify(p)), v));
const anyone = makeEvaluationContext('ann', { level: 1 }, '1.0.0');

describe('a token', () => {
  it('opens to what was sealed, or to no context where that is too large', () => {
    fc.assert(
      fc.property(context, (caller) => {
        const { text } = tokens.seal({ keyId, environmentId, caller }, noon);
        expect(text.length).toBeLessThanOrEqual(2_048);
        const opened = tokens.open(text, noon);
        expect(opened).toMatchObject({ keyId, environmentId });
        const isLarge = Buffer.byteLength(JSON.stringify(caller.p)) > 1_200;
        if (!isLarge) expect(opened?.caller).not.toBeNull();
        if (opened === null || opened.caller === null) return;
        expect(opened.caller.u).toBe(caller.u);
        expect(opened.caller.version).toEqual(caller.version);
        expect(JSON.stringify(opened.caller.p)).toBe(JSON.stringify(caller.p));
      }),
    );
  });

  it('is equal for equal subjects in one epoch, and on every node', () => {
    const node = new StreamTokens(() => Buffer.from(streamKey));
    const subject = { keyId, environmentId, caller: anyone };
    const token = tokens.seal(subject, noon);
    expect(node.seal(subject, noon + 5 * hourMs)).toEqual(token);
    expect(node.open(token.text, noon)).toMatchObject({ keyId });
    expect(tokens.seal(subject, noon + 6 * hourMs).digest).not.toBe(token.digest);
    const others = [
      { ...subject, keyId: '1'.repeat(16) },
      { ...subject, environmentId: 'dev' },
      { ...subject, caller: null },
      { ...subject, caller: makeEvaluationContext('ann', { level: 2 }, '1.0.0') },
    ];
    for (const other of others) expect(tokens.seal(other, noon).digest).not.toBe(token.digest);
  });

  it('is good for 24 hours from the beginning of its epoch, and not before the last one', () => {
    const { text } = tokens.seal({ keyId, environmentId, caller: anyone }, noon);
    expect(tokens.open(text, noon)?.endsAtMs).toBe(noon + 24 * hourMs);
    const isGoodAt = (hours: number) => tokens.open(text, noon + hours * hourMs) !== null;
    expect([-12, -7, -6, 0, 6, 12, 23.99, 24, 48].map(isGoodAt)).toEqual([
      false,
      false,
      true,
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it('does not open once a bit of it is another', () => {
    const { text } = tokens.seal({ keyId, environmentId, caller: anyone }, noon);
    const sealed = Buffer.from(text, 'base64url');
    fc.assert(
      fc.property(fc.nat(sealed.byteLength - 1), fc.nat(7), (at, bit) => {
        const changed = Buffer.from(sealed);
        changed[at] = (changed[at] as number) ^ (1 << bit);
        expect(tokens.open(changed.toString('base64url'), noon)).toBeNull();
      }),
    );
  });

  it('does not open once characters are changed, cut off, added or written otherwise', () => {
    const { text } = tokens.seal({ keyId, environmentId, caller: anyone }, noon);
    const alphabet = fc.constantFrom(...'ABCxyz019-_=+/%. \u0000é');
    fc.assert(
      fc.property(fc.nat(text.length - 1), alphabet, fc.nat(3), (at, character, cut) => {
        const changed = text.slice(0, at) + character + text.slice(at + cut);
        fc.pre(changed !== text);
        expect(tokens.open(changed, noon)).toBeNull();
      }),
    );
    for (let length = 0; length < text.length; length += 1) {
      expect(tokens.open(text.slice(0, length), noon)).toBeNull();
    }
    // The last character of base64url may have bits that stand for nothing.
    for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
      const changed = text.slice(0, -1) + last;
      if (changed !== text) expect(tokens.open(changed, noon)).toBeNull();
    }
  });

  it('does not open with the key of another store', () => {
    const other = new StreamTokens(() => randomBytes(32));
    const { text } = tokens.seal({ keyId, environmentId, caller: anyone }, noon);
    expect(other.open(text, noon)).toBeNull();
  });

  it('holds no context that would come out another one', () => {
    for (const text of ['{"a":1e400}', '{"a":[null,{"b":-1e400}]}']) {
      const caller = makeEvaluationContext('ann', JSON.parse(text), null);
      const { text: token } = tokens.seal({ keyId, environmentId, caller }, noon);
      expect(tokens.open(token, noon)).toMatchObject({ keyId, environmentId, caller: null });
    }
    const caller = makeEvaluationContext('ann', { a: null, b: 'null' }, null);
    const { text } = tokens.seal({ keyId, environmentId, caller }, noon);
    expect(tokens.open(text, noon)?.caller?.p).toEqual({ a: null, b: 'null' });
  });

  it('holds no context that nests too deep to be written', () => {
    const p = JSON.parse(`{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`);
    const caller = makeEvaluationContext('ann', p, null);
    const { text } = tokens.seal({ keyId, environmentId, caller }, noon);
    expect(tokens.open(text, noon)).toMatchObject({ keyId, environmentId, caller: null });
  });
});
