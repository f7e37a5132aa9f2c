/** Who may do what: every route of environments, keys, users, tokens and audit for every kind of caller. */
import { describe, expect, it } from 'vitest';
import { type Answer, type Harness, startApi } from '../harness.js';

type Role = 'viewer' | 'editor' | 'owner';

/** Roles on all environments, and on `dev` only. */
const callers = [
  'viewer',
  'editor',
  'owner',
  'viewer of dev',
  'editor of dev',
  'owner of dev',
] as const;
type Caller = (typeof callers)[number];

const atLeast: Readonly<Record<Role, readonly Role[]>> = {
  viewer: ['viewer', 'editor', 'owner'],
  editor: ['editor', 'owner'],
  owner: ['owner'],
};
/** Who has at least this role everywhere; who has it on `dev`. */
const onAll = (role: Role): readonly Caller[] => atLeast[role];
const onDev = (role: Role): readonly Caller[] =>
  atLeast[role].flatMap((each): Caller[] => [each, `${each} of dev`]);

const dev = '/admin/v1/environments/dev';
const other = '/admin/v1/environments/other';
const safe = '/admin/v1/environments/safe';
/** Is there already, so that making it again is refused. */
const key = 'a-key-that-is-there-already';

/** What is asked changes nothing: whoever is let in names something that is not there, or is there already. */
const routes: readonly (readonly [
  method: string,
  path: string,
  body: unknown,
  allowed: readonly Caller[],
])[] = [
  ['GET', '/admin/v1/me', undefined, onDev('viewer')],
  ['GET', '/admin/v1/environments', undefined, onDev('viewer')],
  ['GET', '/admin/v1/nodes', undefined, onDev('viewer')],
  ['GET', '/admin/v1/rejections', undefined, onDev('viewer')],
  ['GET', '/admin/v1/health/history', undefined, onDev('viewer')],
  ['GET', '/admin/v1/health/findings', undefined, onDev('viewer')],
  ['GET', '/admin/v1/health/changes', undefined, onDev('viewer')],
  ['GET', `${dev}/rejections`, undefined, onDev('viewer')],
  ['GET', `${other}/rejections`, undefined, onAll('viewer')],
  ['POST', '/admin/v1/environments', { id: 'dev' }, onAll('owner')],
  ['GET', dev, undefined, onDev('viewer')],
  ['PATCH', dev, {}, onDev('owner')],
  ['DELETE', safe, undefined, onAll('owner')],
  ['GET', other, undefined, onAll('viewer')],
  ['PATCH', other, {}, onAll('owner')],
  ['GET', `${dev}/keys`, undefined, onDev('viewer')],
  ['POST', `${dev}/keys`, { key }, onDev('editor')],
  ['PATCH', `${dev}/keys/key_0`, {}, onDev('editor')],
  ['DELETE', `${dev}/keys/key_0`, undefined, onDev('editor')],
  ['GET', `${other}/keys`, undefined, onAll('viewer')],
  ['POST', `${other}/keys`, { key }, onAll('editor')],
  ['PATCH', `${other}/keys/key_0`, {}, onAll('editor')],
  ['DELETE', `${other}/keys/key_0`, undefined, onAll('editor')],
  ['POST', `${safe}/keys`, { key }, ['owner']],
  ['PATCH', `${safe}/keys/key_0`, {}, ['owner']],
  ['DELETE', `${safe}/keys/key_0`, undefined, ['owner']],
  ['GET', '/admin/v1/users', undefined, onAll('owner')],
  ['POST', '/admin/v1/users', { name: 'owner', role: 'viewer' }, onAll('owner')],
  ['GET', '/admin/v1/users/user_0', undefined, onAll('owner')],
  ['PATCH', '/admin/v1/users/user_0', {}, onAll('owner')],
  ['DELETE', '/admin/v1/users/user_0', undefined, onAll('owner')],
  ['GET', '/admin/v1/users/user_0/tokens', undefined, onAll('owner')],
  ['POST', '/admin/v1/users/user_0/tokens', {}, onAll('owner')],
  ['DELETE', '/admin/v1/users/user_0/tokens/token_0', undefined, onAll('owner')],
  ['GET', '/admin/v1/audit', undefined, onDev('viewer')],
  ['GET', '/admin/v1/audit/export', undefined, onDev('viewer')],
  // The parameter is refused, and the stream not begun, once the caller was let in.
  ['GET', '/admin/v1/audit/stream?from=x', undefined, onDev('viewer')],
  ['GET', `${dev}/contents/none/blame`, undefined, onDev('viewer')],
];

async function tokensOf(api: Harness): Promise<ReadonlyMap<Caller, string>> {
  const tokens = new Map<Caller, string>();
  for (const caller of callers) {
    const [role, environment] = caller.split(' of ');
    const environments = environment === undefined ? null : [environment];
    const made = await api.call('POST', '/admin/v1/users', {
      name: `the ${caller}`,
      role,
      environments,
    });
    tokens.set(caller, made.body.token);
  }
  return tokens;
}

/** The route itself answered, be it with a refusal of what was asked. */
function wasLetIn({ status, body }: Answer): boolean {
  return status !== 401 && status !== 403 && body?.code !== 'environment_not_found';
}

describe('every route', () => {
  it('lets in whom its role and environment admit, and nobody else', async () => {
    const api = await startApi();
    await api.dev('POST', '/keys', { key });
    await api.call('POST', '/admin/v1/environments', { id: 'other' });
    await api.call('POST', '/admin/v1/environments', { id: 'safe', protected: true });
    const tokens = await tokensOf(api);
    for (const [method, path, body, admitted] of routes) {
      await Promise.all(
        callers.map(async (caller) => {
          const answer = await api.call(method, path, body, tokens.get(caller) ?? '');
          const what = `${caller}: ${method} ${path} -> ${answer.status} ${answer.text}`;
          expect(wasLetIn(answer), what).toBe(admitted.includes(caller));
          expect(answer.status, what).toBeLessThan(500);
        }),
      );
      for (const token of [null, 'wrong']) {
        const { status, body: problem } = await api.call(method, path, body, token);
        expect([status, problem.code], `${method} ${path}`).toEqual([401, 'invalid_token']);
      }
    }
    // Some 270 calls: a second or two, and far more on a machine that does much else.
  }, 120_000);
});

describe('a user of some environments', () => {
  it('sees only those, and cannot tell the others from ones that do not exist', async () => {
    const api = await startApi();
    await api.call('POST', '/admin/v1/environments', { id: 'other' });
    const token = (await tokensOf(api)).get('owner of dev') ?? '';
    const { body } = await api.call('GET', '/admin/v1/environments', undefined, token);
    expect(body.environments).toMatchObject([{ id: 'dev' }]);
    const answers: string[] = [];
    for (const id of ['other', 'nowhere']) {
      const path = `/admin/v1/environments/${id}`;
      const hidden = await api.call('GET', `${path}/contents`, undefined, token);
      expect([hidden.status, hidden.body.code]).toEqual([404, 'environment_not_found']);
      answers.push(hidden.text.replace(id, ''));
    }
    expect(answers[0]).toBe(answers[1]);
  });

  it('brings nothing over from an environment that is not theirs', async () => {
    const api = await startApi();
    await api.call('POST', '/admin/v1/environments', { id: 'other' });
    await api.call('PUT', '/admin/v1/environments/other/contents/shop', { text: '1' });
    const token = (await tokensOf(api)).get('owner of dev') ?? '';
    for (const dryRun of [true, false]) {
      const refused = await api.dev('POST', '/sync', { from: 'other', dryRun }, token);
      expect([refused.status, refused.body.code]).toEqual([404, 'environment_not_found']);
      expect(refused.text).not.toContain('shop');
    }
    expect((await api.dev('POST', '/sync', { from: 'other', dryRun: true })).status).toBe(200);
  });
});
