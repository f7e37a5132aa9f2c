import { spawnSync } from 'node:child_process';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { chooseAddress } from '../../../src/console/environments/choose-address.js';
import {
  environmentIdError,
  proposeEnvironmentId,
} from '../../../src/console/environments/environment-id.js';
import { keyState, sortKeys } from '../../../src/console/environments/key-state.js';
import { snippets } from '../../../src/console/environments/snippets.js';

const now = Date.parse('2026-11-21T12:00:00Z');

describe('an environment’s id', () => {
  it.each([
    ['Staging', 'staging'],
    ['Año 2: Beta!', 'ano-2-beta'],
    ['  QA  team ', 'qa-team'],
    ['生産', ''],
    ['x'.repeat(80), 'x'.repeat(64)],
  ])('is proposed from the name %j', (name, id) => {
    expect(proposeEnvironmentId(name)).toBe(id);
  });

  it.each(['staging', 'eu.west-1_b', 'x'.repeat(64)])('may be %j', (id) => {
    expect(environmentIdError(id)).toBeNull();
  });

  it.each(['', 'Staging', 'a b', '.', '..', 'ä', 'x'.repeat(65)])('may not be %j', (id) => {
    expect(environmentIdError(id)).not.toBeNull();
  });
});

describe('a key', () => {
  const key = { createdAt: '2026-11-01T00:00:00Z', expiresAt: null, revokedAt: null };

  it('is active, expired or revoked', () => {
    expect(keyState(key, now)).toBe('active');
    expect(keyState({ ...key, expiresAt: '2026-11-21T12:00:01Z' }, now)).toBe('active');
    expect(keyState({ ...key, expiresAt: '2026-11-21T12:00:00Z' }, now)).toBe('expired');
    expect(keyState({ ...key, revokedAt: '2026-11-02T00:00:00Z' }, now)).toBe('revoked');
  });

  it('comes before those that are refused, the newest first', () => {
    const old = { ...key, createdAt: '2026-10-01T00:00:00Z' };
    const gone = { ...key, createdAt: '2026-11-20T00:00:00Z', revokedAt: '2026-11-21T00:00:00Z' };
    expect(sortKeys([old, gone, key], now)).toEqual([key, old, gone]);
  });
});

describe('the delivery address', () => {
  it('is the one on the host by which the page was reached', () => {
    const urls = ['http://127.0.0.1:8080', 'http://games.example:8080'];
    expect(chooseAddress(urls, 'games.example')).toBe('http://games.example:8080');
    expect(chooseAddress(urls, '127.0.0.1')).toBe('http://127.0.0.1:8080');
    expect(chooseAddress(urls, 'else.example')).toBe('http://127.0.0.1:8080');
    expect(chooseAddress([], 'else.example')).toBe('http://else.example:8080');
  });
});

describe('the snippets', () => {
  const wish = { address: 'http://127.0.0.1:8080/', key: 'lo_abc-DEF_123', content: 'shop.v2' };

  it('have the address, the key and a content item filled in', () => {
    const [curl, ...kits] = snippets(wish);
    expect(curl?.text).toContain('http://127.0.0.1:8080/api/v1/config/shop.v2/dynamic');
    for (const { text } of kits) {
      expect(text).toMatch(/["']http:\/\/127\.0\.0\.1:8080["']/);
      expect(text).toContain('shop.v2');
    }
    for (const { text } of snippets(wish)) expect(text).toContain('lo_abc-DEF_123');
  });

  it('ask for the catalog, or name a content item to come, when nothing is live', () => {
    const [curl, ...kits] = snippets({ ...wish, content: null });
    expect(curl?.text).toContain('http://127.0.0.1:8080/api/v1/env/catalog');
    expect(curl?.text).not.toContain('player-1');
    for (const { text } of kits) expect(text).toMatch(/["']shop["']/);
  });

  it.each(['javascript', 'csharp', 'cpp'])(
    'keep what was typed inside the quotes of %s',
    (language) => {
      const address = `http://x/'"\\`;
      const text = snippets({ ...wish, address }).find(({ id }) => id === language)?.text ?? '';
      const literal = /(?:url: |Url = |url = )(?<literal>.*)[,;]$/m.exec(text)?.groups?.['literal'];
      // JSON has no single quotes.
      const isJson = literal?.startsWith('"');
      expect(isJson ? JSON.parse(literal ?? '') : runInNewContext(literal ?? '')).toBe(address);
    },
  );

  it('give a shell what was typed, quotes included', () => {
    const [curl] = snippets({ ...wish, address: "http://it's" });
    const shown = spawnSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }\n${curl?.text}`]);
    expect(shown.stdout.toString().split('\n')).toEqual([
      '-sS',
      "http://it's/api/v1/config/shop.v2/dynamic",
      '-H',
      'X-Api-Key: lo_abc-DEF_123',
      '-H',
      'Content-Type: application/json',
      '-d',
      '{"u":"player-1","p":{"country":"DE"},"v":"1.0.0"}',
      '',
    ]);
  });
});
