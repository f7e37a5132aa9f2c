/** The typed client: what it makes of a route and its arguments. */
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  type ArgumentsOf,
  InvalidName,
  JsonText,
  NdjsonText,
  type ResponseTo,
  requestOf,
  targetOf,
} from '../../../src/contract/client.js';

describe('a request of the typed client', () => {
  it('has the method and the path of its route, with names escaped', () => {
    const sent = requestOf('DELETE /environments/:env/keys/:keyId', {
      params: { env: 'live', keyId: 'a/b c?' },
    });
    expect(sent).toEqual({
      method: 'DELETE',
      path: '/admin/v1/environments/live/keys/a%2Fb%20c%3F',
      body: null,
    });
  });

  it.each(['', '.', '..'])('is not made with the name %j, which a URL would resolve', (env) => {
    const make = (): unknown => requestOf('GET /environments/:env/keys', { params: { env } });
    expect(make).toThrow(InvalidName);
  });

  it('has a body of JSON, without members that are undefined', () => {
    const sent = requestOf('PATCH /environments/:env/keys/:keyId', {
      params: { env: 'live', keyId: 'k' },
      body: { label: undefined, expiresAt: null },
    });
    expect(sent.body).toBe('{"expiresAt":null}');
  });

  it('has JSON text as it is, digits and all', () => {
    const sent = requestOf('POST /environments/:env/keys', {
      params: { env: 'live' },
      body: new JsonText('{"label":"1.10"}'),
    });
    expect(sent.body).toBe('{"label":"1.10"}');
  });

  it('has lines as they are, with their media type', () => {
    const sent = requestOf('POST /environments/:env/preview', {
      params: { env: 'live' },
      body: new NdjsonText('{"id":"shop"}\n{"p":{"n":1.10}}'),
    });
    expect(sent.body).toBe('{"id":"shop"}\n{"p":{"n":1.10}}');
    expect(sent.bodyType).toBe('application/x-ndjson');
  });

  it('has no body where that is sent apart', () => {
    const args = { params: { env: 'live' }, query: { mode: 'merge', plan: undefined } } as const;
    expect(targetOf('POST /environments/:env/import', args)).toEqual({
      method: 'POST',
      path: '/admin/v1/environments/live/import?mode=merge',
    });
  });

  it('is typed by the contract', () => {
    type Update = ArgumentsOf<'PATCH /environments/:env/keys/:keyId'>;
    expectTypeOf<Update['params']>().toEqualTypeOf<Readonly<Record<'env' | 'keyId', string>>>();
    expectTypeOf<ResponseTo<'POST /environments/:env/keys'>['key']>().toBeString();
    expectTypeOf<ResponseTo<'POST /environments/:env/keys'>['sequence']>().toBeNumber();
  });
});
