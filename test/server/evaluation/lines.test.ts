/** Revisions by app version: which line of a content a caller gets. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Environment, expectDone, makeEnvironment } from '../../support/server/environment.js';
import { sharedServer } from '../../support/server/server.js';
import { expectInvalid, expectRefusal } from '../../support/wire/refusal.js';
import { contentHash } from '../../support/xxhash.js';

const server = sharedServer();
let game: Environment;

beforeAll(async () => {
  game = await makeEnvironment(server);
  // Put out of order: the order of the versions counts, not that of the edits.
  await game.put('shop', '"1.9"', { appVersion: '1.9.0' });
  await game.put('shop', '"2"', { appVersion: '2.0.0' });
  await game.put('shop', '"1.10"', { appVersion: '1.10.0' });
  await game.put('shop', '"1.0.3"', { appVersion: '1.0.3' });
});

const admitted: readonly (readonly [string | null, string])[] = [
  ['1.0.3', '1.0.3'],
  ['1.0.4', '1.0.3'],
  ['1.8.999999999', '1.0.3'],
  ['1.9.0', '1.9'],
  ['1.9.99', '1.9'],
  ['1.10.0', '1.10'],
  ['01.0010.000', '1.10'],
  ['1.99.0', '1.10'],
  ['2.0.0', '2'],
  ['999999999.0.0', '2'],
  [null, '2'],
];

describe('of the lines whose minimum is not above v, the highest is delivered:', () => {
  for (const [v, line] of admitted) {
    it(`v ${v ?? 'absent'} gets ${line}`, async () => {
      const body = v === null ? {} : { v };
      expect((await game.plain('shop', body)).text).toBe(`"${line}"`);
      const wrapped = (await game.wrapped('shop', body)).json;
      expect(wrapped.data).toBe(line);
      expect(wrapped.hash).toBe(contentHash(`"${line}"`));
      expect((await game.combine(['shop'], body)).text).toBe(`{"shop":"${line}"}`);
    });
  }

  it('v null is as absent', async () => {
    expect((await game.plain('shop', { v: null })).text).toBe('"2"');
  });
});

describe('where no line admits v', () => {
  it('it is 404 content_not_found', async () => {
    for (const v of ['1.0.2', '0.999.999', '0.0.0']) {
      expectRefusal(await game.plain('shop', { v }), 404, 'content_not_found');
      expectRefusal(await game.wrapped('shop', { v }), 404, 'content_not_found');
      expect((await game.combine(['shop'], { v })).json.shop).toMatch(/^Error 404, /);
    }
  });
});

describe('a line', () => {
  it('without an app version is for 0.0.0 and up', async () => {
    await game.put('open', '1');
    expect((await game.plain('open', { v: '0.0.0' })).text).toBe('1');
    expect((await game.plain('open')).text).toBe('1');
  });

  it('is replaced by a later PUT of the same version, written with other zeros too', async () => {
    await game.put('replaced', '1', { appVersion: '1.2.3' });
    await game.put('replaced', '2', { appVersion: '01.2.003' });
    expect((await game.plain('replaced', { v: '1.2.3' })).text).toBe('2');
  });

  it('stays when another one is put', async () => {
    await game.put('kept', '0');
    await game.put('kept', '3', { appVersion: '3.0.0' });
    await game.put('kept', '4', { appVersion: '3.0.0' });
    expect((await game.plain('kept', { v: '2.9.9' })).text).toBe('0');
    expect((await game.plain('kept')).text).toBe('4');
  });

  it('can be taken away', async () => {
    await game.put('shrinks', '1', { appVersion: '1.0.0' });
    await game.put('shrinks', '2', { appVersion: '2.0.0' });
    expectDone(await server.admin('DELETE', `${game.path}/contents/shrinks/lines/2.0.0`));
    expect((await game.plain('shrinks')).text).toBe('1');
    expect((await game.plain('shrinks', { v: '3.0.0' })).text).toBe('1');
    expect((await game.catalog()).json.catalog.shrinks.h).toBe(contentHash('1'));
  });

  it('has a version of the form X.Y.Z', async () => {
    for (const appVersion of ['1', '1.2', '1.2.3.4', '', 'v1.2.3', '1.2.3-a', '1234567890.0.0']) {
      expectInvalid(await game.tryPut('shop', { text: '1', appVersion }));
    }
  });
});
