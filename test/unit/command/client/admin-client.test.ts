/** The words for what goes wrong between the command and the admin API, against a small server that misbehaves. */

import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { AdminClient } from '../../../../src/command/client/admin-client.js';
import { JsonText } from '../../../../src/contract/client.js';

const params = { env: 'dev', id: 'x' };

const servers: Server[] = [];

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

afterEach(async () => {
  for (const server of servers.splice(0)) await close(server);
});

function answering(status: number, body: string, headers: Record<string, string> = {}) {
  return listen((_request, response) => response.writeHead(status, headers).end(body));
}

async function messageOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ name: 'CommandFailure', exitCode: 1 });
  return (error as Error).message;
}

describe('AdminClient', () => {
  it('sends the token and the body as they are, and gives back the text of the answer', async () => {
    let seen = '';
    const url = await listen((request, response) => {
      request.setEncoding('utf8');
      request.on('data', (chunk: string) => {
        seen += chunk;
      });
      request.on('end', () => {
        seen += ` ${request.method} ${request.url} ${request.headers.authorization}`;
        response.end('{"n":1.10}');
      });
    });
    const response = await new AdminClient(url, 'secret').request(
      'PUT /environments/:env/contents/:id',
      { params, body: new JsonText('{"a":1e400}') },
    );
    expect(seen).toBe('{"a":1e400} PUT /admin/v1/environments/dev/contents/x Bearer secret');
    expect(response).toEqual({ value: { n: 1.1 }, text: '{"n":1.10}' });
  });

  it('names the address and the way out when nothing listens', async () => {
    const url = await answering(200, '');
    for (const server of servers.splice(0)) await close(server);
    const message = await messageOf(new AdminClient(url, 't').request('GET /me', {}));
    expect(message).toContain(`Nothing listens at ${url}.`);
    expect(message).toContain('LOADOUT_URL');
  });

  it('names the variable when the token is missing or wrong', async () => {
    const url = await answering(401, '{"title":"Unauthorized","status":401}');
    const none = await messageOf(new AdminClient(url, null).request('GET /me', {}));
    expect(none).toMatch(/^LOADOUT_TOKEN is not set\./);
    const wrong = await messageOf(new AdminClient(url, 'wrong').request('GET /me', {}));
    expect(wrong).toContain('The token in LOADOUT_TOKEN is not known');
    expect(wrong).not.toContain('wrong');
  });

  it('prints problem details', async () => {
    const body = { title: 'Conflict', status: 409, detail: 'It is in use.', errors: [] };
    const url = await answering(409, JSON.stringify(body));
    expect(await messageOf(new AdminClient(url, 't').request('GET /me', {}))).toBe(
      'Conflict: It is in use.',
    );
  });

  it('tells when something else answers', async () => {
    const page = await answering(502, '<html>Bad gateway</html>');
    expect(await messageOf(new AdminClient(page, 't').request('GET /me', {}))).toContain(
      'responded with 502',
    );
    const fine = await answering(200, '<html>Welcome</html>');
    expect(await messageOf(new AdminClient(fine, 't').request('GET /me', {}))).toContain(
      "is not Loadout's admin API",
    );
  });

  it('does not carry the token along a redirect', async () => {
    let reached = false;
    const other = await listen((_request, response) => {
      reached = true;
      response.end('{}');
    });
    const url = await answering(302, '', { location: `${other}/` });
    expect(await messageOf(new AdminClient(url, 't').request('GET /me', {}))).toContain(
      'responded with 302',
    );
    expect(reached).toBe(false);
  });

  it('does not promise anything when the connection breaks off', async () => {
    const url = await listen((request) => request.socket.destroy());
    expect(
      await messageOf(
        new AdminClient(url, 't').request('PATCH /environments/:env', { params, body: {} }),
      ),
    ).toContain('may have taken effect');
  });

  it('takes an empty answer for done', async () => {
    const url = await answering(204, '');
    expect(await new AdminClient(url, 't').request('DELETE /session', {})).toEqual({
      value: undefined,
      text: '',
    });
  });
});

describe('a name in the path', () => {
  const client = new AdminClient('http://127.0.0.1:1', 't');

  it.each(['', '.', '..'])('is not %j, which a URL would resolve to something else', async (id) => {
    const deletion = client.request('DELETE /environments/:env/contents/:id', {
      params: { env: 'staging', id },
    });
    await expect(deletion).rejects.toThrow('is not a name');
  });
});
