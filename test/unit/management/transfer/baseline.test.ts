/** The baseline over the admin API: which versions it has, and who may read it. */
import { expect, it } from 'vitest';
import { startApi } from '../harness.js';

const path = '/admin/v1/environments/dev';

it('has the version lines of the app version, byte for byte, and the highest ones without it', async () => {
  const api = await startApi();
  const put = (id: string, body: object) => api.call('PUT', `${path}/contents/${id}`, body);
  await put('numbers', { text: '{ "n": 1e400, "m": 9007199254740993 } // exact' });
  await put('lined', { text: '"all"' });
  await put('lined', { text: '"new"', appVersion: '2.0.0' });
  await put('later', { text: '1', appVersion: '3.0.0' });
  await put('__proto__', { text: '"an id like others"' });
  await put('draft', { text: '1', publish: false });
  const texts = async (query: string): Promise<Record<string, string>> => {
    const { status, text } = await api.call('GET', `${path}/baseline${query}`);
    expect(status).toBe(200);
    const entries = Object.entries<{ data: string }>(JSON.parse(text).contents);
    return Object.fromEntries(entries.map(([id, { data }]) => [`id ${id}`, data]));
  };
  const common = {
    'id numbers': '{"n":1e400,"m":9007199254740993}',
    'id __proto__': '"an id like others"',
  };
  expect(await texts('?appVersion=1.0.0')).toEqual({ ...common, 'id lined': '"all"' });
  expect(await texts('?appVersion=2.0.0')).toEqual({ ...common, 'id lined': '"new"' });
  expect(await texts('')).toEqual({ ...common, 'id lined': '"new"', 'id later': '1' });
});

it('of an environment without content is empty, and of an unknown one a problem', async () => {
  const api = await startApi();
  const { body } = await api.call('GET', `${path}/baseline`);
  expect(body).toMatchObject({ format: 1, environment: 'dev', appVersion: null, contents: {} });
  const unknown = await api.call('GET', '/admin/v1/environments/other/baseline');
  expect(unknown).toMatchObject({ status: 404, body: { code: 'environment_not_found' } });
  const version = await api.call('GET', `${path}/baseline?appVersion=1`);
  expect(version).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
});
