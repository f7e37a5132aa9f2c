/** Who may call what: every operation of /openapi.json, asked by everybody. A route that is added later is in it by itself. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeEnvironment } from '../../support/server/environment.js';
import { startServer } from '../../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../../support/server/server-process.js';
import {
  type AdminAnswer,
  ask,
  fetchDocument,
  fillPath,
} from '../../support/specification/admin-operations.js';
import type { OpenapiDocument, Operation } from '../../support/specification/openapi.js';

const ranks = { support: 0, viewer: 1, editor: 2, owner: 3 } as const;
type Role = keyof typeof ranks;

let server: LoadoutServer;
let admin: OpenapiDocument;
let tokens: Readonly<Record<Role, string>>;

beforeAll(async () => {
  server = await startServer({ listeners: 1 });
  admin = await fetchDocument(server, '/openapi.json');
  await makeEnvironment(server, 'dev');
  await server.admin('POST', '/admin/v1/environments', { id: 'live', protected: true });
  tokens = {
    support: await makeUser('support'),
    viewer: await makeUser('viewer'),
    editor: await makeUser('editor'),
    owner: ownerToken,
  };
});
afterAll(() => server.stop());

async function makeUser(role: Role): Promise<string> {
  const made = await server.admin('POST', '/admin/v1/users', { name: `the ${role}`, role });
  expect(made.status).toBe(201);
  return made.json.token;
}

/** For those who are nobody yet, or not any more: refused for what they lack, which is no token. */
const signsIn = new Set(['listSessionWays', 'signIn', 'signOut']);

/** Asks all operations, and lists those whose answers are not as they should be. */
async function wrongAnswers(
  call: (operation: Operation, index: number) => Promise<AdminAnswer>,
  isRight: (operation: Operation, answer: AdminAnswer) => boolean,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const [index, operation] of admin.operations.entries()) {
    const answer = await call(operation, index);
    admin.expectDocumented(operation, answer);
    if (isRight(operation, answer)) continue;
    wrong.push(`${operation.method} ${operation.path} -> ${answer.status} ${answer.text}`);
  }
  return wrong;
}

const pathIn = (operation: Operation, env: string): string => fillPath(operation, { env });

describe('without a token', () => {
  it('nothing is answered but what is open to all', async () => {
    const wrong = await wrongAnswers(
      (operation) => ask(server, operation, { path: pathIn(operation, 'dev') }),
      ({ id, role }, answer) =>
        role === null
          ? answer.status === (signsIn.has(id) ? 403 : 200)
          : answer.status === 401 && answer.headers['www-authenticate'] === 'Bearer',
    );
    expect(wrong).toEqual([]);
  });
});

describe('with a token that nobody has', () => {
  it('nothing is answered but what is open to all', async () => {
    const wrong = await wrongAnswers(
      (operation, index) =>
        ask(server, operation, {
          path: pathIn(operation, 'dev'),
          token: 'a-token-that-nobody-has',
          // A client that tries many is slowed down, so each is another one.
          localAddress: `127.0.1.${index + 1}`,
        }),
      ({ id, role }, { status }) => status === (signsIn.has(id) ? 403 : role === null ? 200 : 401),
    );
    expect(wrong).toEqual([]);
  });
});

describe.each(['support', 'viewer', 'editor', 'owner'] as const)('with the role %s', (role) => {
  it('everything up to it is allowed, and nothing above', async () => {
    const wrong = await wrongAnswers(
      // No environment is called so: nothing is changed, and nothing but the role can be wrong.
      (operation) =>
        ask(server, operation, { path: pathIn(operation, 'nowhere'), token: tokens[role] }),
      (operation, answer) => {
        if (operation.role !== null && ranks[role] < ranks[operation.role]) {
          return answer.status === 403 && answer.text.includes('"code":"forbidden"');
        }
        if (signsIn.has(operation.id)) return answer.text.includes('"code":"cross_site"');
        return ![401, 403].includes(answer.status) && answer.status < 500;
      },
    );
    expect(wrong).toEqual([]);
  });
});

const inOne = /^\/admin\/v1\/environments\/\{env\}\//;

/** Where less would be refused for what is missing, before anybody asks who may. */
const completeBodies: Readonly<Record<string, string>> = {
  putContent: '{"text":"1"}',
  syncEnvironment: '{"from":"dev","dryRun":false}',
  editContents: '{"ids":["shop"],"edit":{"kind":"delete"}}',
};

/** Editors make releases there as well; test/unit/management/releases says who may carry them out. */
const ofReleases = /\/releases(\/|$)/;

/** Plans change nothing for players; a decision is rejected where it is made, after its experiment is found. */
const ofPlans = ['createExperiment', 'updateExperiment', 'deleteExperiment', 'decideExperiment'];

describe('a protected environment', () => {
  it('takes no edit from an editor', async () => {
    const edits = admin.operations.filter(
      ({ id, role, path }) =>
        role === 'editor' && inOne.test(path) && !ofReleases.test(path) && !ofPlans.includes(id),
    );
    expect(edits.length).toBeGreaterThan(5);
    const allowed: string[] = [];
    for (const operation of edits) {
      const body = completeBodies[operation.id];
      const answer = await ask(server, operation, {
        path: pathIn(operation, 'live'),
        token: tokens.editor,
        ...(body === undefined ? {} : { body }),
      });
      if (answer.status === 403) continue;
      allowed.push(`${operation.id}: ${answer.status} ${answer.text}`);
    }
    expect(allowed).toEqual([]);
  });

  it('shows itself to everybody', async () => {
    const shown = admin.operation('GET', '/admin/v1/environments/live');
    const path = pathIn(shown, 'live');
    expect((await ask(server, shown, { path, token: tokens.viewer })).status).toBe(200);
  });
});
