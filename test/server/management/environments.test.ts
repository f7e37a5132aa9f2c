/** Environments are separate: nothing crosses before it is synchronised; drafts and deleted contents are not there. */
import { beforeEach, describe, expect, it } from 'vitest';
import { type Environment, expectDone, makeEnvironment } from '../../support/server/environment.js';
import { sharedServer } from '../../support/server/server.js';
import { expectRefusal } from '../../support/wire/refusal.js';

const server = sharedServer();
let dev: Environment;
let prod: Environment;

beforeEach(async () => {
  dev = await makeEnvironment(server);
  prod = await makeEnvironment(server);
});

async function sync(more: Readonly<Record<string, unknown>> = {}): Promise<void> {
  expectDone(await server.admin('POST', `${prod.path}/sync`, { from: dev.id, ...more }));
}

async function expectAbsent(environment: Environment, id: string): Promise<void> {
  expectRefusal(await environment.plain(id), 404, 'content_not_found');
  expectRefusal(await environment.wrapped(id), 404, 'content_not_found');
  expect((await environment.combine([id])).json[id]).toMatch(/^Error 404, /);
  expect((await environment.catalog()).text).not.toContain(`"${id}"`);
}

describe('content of one environment', () => {
  it('is not there with a key of another', async () => {
    await dev.put('shop', '1');
    expect((await dev.plain('shop')).text).toBe('1');
    await expectAbsent(prod, 'shop');
  });

  it('may have another text under the same id in another', async () => {
    await dev.put('shop', '"dev"');
    await prod.put('shop', '"prod"');
    expect((await dev.plain('shop')).text).toBe('"dev"');
    expect((await prod.plain('shop')).text).toBe('"prod"');
  });
});

describe('synchronising', () => {
  it('makes content there at once, with the same bytes and the same hash', async () => {
    await dev.put('shop', '{ "big": 9007199254740993 /* kept */ }');
    await sync();
    const [here, there] = [await dev.wrapped('shop'), await prod.wrapped('shop')];
    expect(there.status).toBe(200);
    expect(there.text).toBe(here.text);
    expect((await prod.catalog()).text).toBe((await dev.catalog()).text);
  });

  it('copies lines, mapping and the saved segments that the mapping uses', async () => {
    await dev.putSegment('whales', { spent: { $gte: 100 } });
    await dev.put('shop', '{"n":1}', { appVersion: '1.0.0' });
    await dev.put('shop', '{"n":2}', {
      appVersion: '2.0.0',
      mapping: '[{"segment":"whales","merge":{"x":1e400}}]',
    });
    await sync();
    const whale = { p: { spent: 500 } };
    expect((await prod.wrapped('shop', { ...whale, v: '1.0.0' })).text).toBe(
      (await dev.wrapped('shop', { ...whale, v: '1.0.0' })).text,
    );
    expect((await prod.wrapped('shop', whale)).text).toContain('{"data":{"n":2,"x":1e400},');
    expectRefusal(await prod.wrapped('shop', { v: '0.1.0' }), 404, 'content_not_found');
  });

  it('takes only the ids it is given', async () => {
    await dev.put('shop', '1');
    await dev.put('levels', '2');
    await sync({ ids: ['levels'] });
    expect((await prod.plain('levels')).text).toBe('2');
    await expectAbsent(prod, 'shop');
  });

  it('changes nothing when it is a dry run', async () => {
    await dev.put('shop', '1');
    await sync({ dryRun: true });
    await expectAbsent(prod, 'shop');
  });

  it('does not tie the two together: a later edit stays where it is made', async () => {
    await dev.put('shop', '1');
    await sync();
    await dev.put('shop', '2');
    expect((await prod.plain('shop')).text).toBe('1');
    await sync();
    expect((await prod.plain('shop')).text).toBe('2');
  });
});

describe('a content that was never published', () => {
  it('is not there', async () => {
    expectDone(await dev.tryPut('draft', { text: '1', publish: false }));
    await expectAbsent(dev, 'draft');
  });

  it('is there when it is published', async () => {
    const draft = expectDone(await dev.tryPut('draft', { text: '1', publish: false })).json;
    expectDone(
      await server.admin('POST', `${dev.path}/contents/draft/publish`, {
        revision: draft.revision,
      }),
    );
    expect((await dev.plain('draft')).text).toBe('1');
  });

  it('leaves the live revision of its content as it was', async () => {
    await dev.put('shop', '1');
    expectDone(await dev.tryPut('shop', { text: '2', publish: false }));
    expect((await dev.plain('shop')).text).toBe('1');
  });

  it('is not synchronised', async () => {
    expectDone(await dev.tryPut('draft', { text: '1', publish: false }));
    await sync();
    await expectAbsent(prod, 'draft');
  });
});

describe('a deleted content', () => {
  it('is not there, on any listener, and its neighbours are', async () => {
    await dev.put('shop', '1');
    await dev.put('levels', '2');
    for (let i = 0; i < 8; i++) await dev.plain('shop');
    expectDone(await server.admin('DELETE', `${dev.path}/contents/shop`));
    for (let i = 0; i < 4; i++) await expectAbsent(dev, 'shop');
    expect((await dev.plain('levels')).text).toBe('2');
  });

  it('is there again when it is put again', async () => {
    await dev.put('shop', '1');
    expectDone(await server.admin('DELETE', `${dev.path}/contents/SHOP`));
    await dev.put('shop', '2');
    expect((await dev.plain('shop')).text).toBe('2');
  });
});

describe('a deleted environment', () => {
  it('takes its keys with it', async () => {
    await dev.put('shop', '1');
    expectDone(await server.admin('DELETE', dev.path));
    for (let i = 0; i < 8; i++) expectRefusal(await dev.plain('shop'), 401, 'invalid_api_key');
  });
});
