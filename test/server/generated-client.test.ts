/** A client that a program makes from /openapi.json: it compiles with strict types, and a content is brought to life with it. */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { generateSource } from 'oazapfts';
import { beforeAll, expect, it } from 'vitest';
import { send } from '../support/exchange.js';
import { sharedServer } from '../support/server.js';
import { ownerToken } from '../support/server-process.js';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const folder = path('../client');
const compiler = path('../../node_modules/typescript/bin/tsc');
const life = path('../client/content-life.ts');

const server = sharedServer();

beforeAll(async () => {
  // Made anew each time, and not kept in the repository: it can be no older than the routes.
  const document = `${folder}/generated/openapi.json`;
  mkdirSync(`${folder}/generated`, { recursive: true });
  writeFileSync(document, (await send(server.adminUrl, '/openapi.json')).text);
  const source = await generateSource(document, { useUnknown: true, argumentStyle: 'object' });
  writeFileSync(`${folder}/generated/admin-client.ts`, source);
});

it('compiles, and so does what uses it', async () => {
  const compiled = promisify(execFile)(process.execPath, [compiler, '-p', folder], {
    timeout: 60_000,
  });
  const said = await compiled.then(
    ({ stdout }) => stdout,
    (fault: { stdout: string }) => fault.stdout,
  );
  expect(said).toBe('');
});

it('brings a content to life', async () => {
  const { liveThrough } = await import(life);
  await liveThrough(server.adminUrl, ownerToken, {
    async wrapped(key: string, minSequence: number): Promise<unknown> {
      const answer = await send(server.deliveryUrl, '/api/v1/config/shop/dynamic', {
        method: 'POST',
        headers: {
          'x-api-key': key,
          'content-type': 'application/json',
          'x-min-sequence': `${minSequence}`,
        },
        body: '{}',
      });
      return answer.json.data;
    },
  });
});
