/** Serves the demo's browser game: a few files, and the settings with which the page starts its client. */

import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isAnyHost, shownHost } from '../../management/serve/host.js';
import { programFolder } from '../../program-folder.js';

export interface GameSettings {
  /** Origin of the delivery port, as this machine reaches it. */
  readonly url: string;
  /** A key of the environment: public, as in every game. */
  readonly key: string;
  readonly environment: string;
}

export interface GameServer {
  /** Where this machine reaches the page. */
  readonly url: string;
  /** Serves the page from now on; before, every path is missing. */
  open(settings: GameSettings): void;
  close(): void;
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

interface ServedFile {
  readonly type: string;
  readonly body: Buffer;
}

/** Listens at once, so that another process cannot take the port while the demo loads; errors reject. */
export async function startGameServer(host: string, port: number): Promise<GameServer> {
  const files = readFiles();
  let settings: GameSettings | null = null;
  const server = createServer((request, response) => {
    if (settings === null) sendStatus(response, 404);
    else respond(request, response, files, reachedBy(request, host, settings));
  });
  // The delivery and admin ports alone keep the process running.
  server.unref();
  await listen(server, host, port);
  return {
    url: `http://${shownHost(host)}:${port}/`,
    open: (given) => {
      settings = given;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** By path. Nothing else is ever read, so no path leads out of the folder. */
function readFiles(): ReadonlyMap<string, ServedFile> {
  const folder = fileURLToPath(new URL('game/', programFolder));
  const names = readdirSync(folder).filter((name) => types[extname(name)] !== undefined);
  return new Map(
    names.map((name) => {
      const type = types[extname(name)] ?? '';
      const body = readFileSync(`${folder}${name}`);
      return [name === 'index.html' ? '/' : `/${name}`, { type, body }];
    }),
  );
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
}

const portPattern = /:\d+$/;
const hostPattern = /^(?:[\w.-]+|\[[\da-f:.]+\])$/i;

/** Where the server listens on every address, the page reaches the delivery port by the name that led to the page. */
function reachedBy(request: IncomingMessage, host: string, settings: GameSettings): GameSettings {
  const name = request.headers.host?.replace(portPattern, '') ?? '';
  if (!isAnyHost(host) || !hostPattern.test(name)) return settings;
  const url = new URL(settings.url);
  url.hostname = name;
  return { ...settings, url: url.origin };
}

function respond(
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
  files: ReadonlyMap<string, ServedFile>,
  settings: GameSettings,
): void {
  const path = url.split('?', 1)[0] ?? '';
  const file = path === '/settings.json' ? settingsFile(settings) : files.get(path);
  if (method !== 'GET' && method !== 'HEAD') {
    sendStatus(response, 405, { allow: 'GET, HEAD' });
  } else if (file === undefined) {
    sendStatus(response, 404);
  } else {
    response.writeHead(200, {
      ...headers,
      'content-type': file.type,
      'content-length': file.body.length,
      'content-security-policy': `${policy}; connect-src 'self' ${settings.url}`,
    });
    response.end(method === 'HEAD' ? undefined : file.body);
  }
}

function settingsFile(settings: GameSettings): ServedFile {
  return { type: types['.json'] ?? '', body: Buffer.from(JSON.stringify(settings)) };
}

function sendStatus(
  response: ServerResponse,
  status: number,
  more: Record<string, string> = {},
): void {
  response.writeHead(status, { ...headers, ...more, 'content-security-policy': policy }).end();
}

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const headers = {
  // The next demo on this port has another key.
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};
