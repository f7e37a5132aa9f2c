/** Clients that want a server for themselves, one function for each way. Each keeps a bounded pace, and goes on until it is stopped. */
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { contextOfVariant, variantCount } from '../../data/mappings.js';
import { apiKey } from '../../data/published-game.js';

export const attackNames = [
  'selections',
  'unread',
  'slow-readers',
  'attributes',
  'endless-bodies',
  'slow-heads',
  'malformed',
] as const;
export type AttackName = (typeof attackNames)[number];

/** Contents that attacks ask for; `bench/http/attacks.ts` publishes them. */
export const sweepCount = 300;
export const sweepId = (at: number): string => `sweep-${at}`;
export const largeId = 'large';
export const middleId = 'middle';
export const guardedId = 'guarded';

const idsPerCall = 100;
const KiB = 1024;

export interface Attack {
  stop(): void;
}

type Start = (port: number) => Attack;

const starts: Readonly<Record<AttackName, Start>> = {
  selections: (port) => every(50, () => sweep(port)),
  unread: (port) => held(20, 5_000, () => unread(port)),
  'slow-readers': (port) => held(6, 30_000, () => slowReader(port)),
  attributes: (port) => every(100, () => ask(port, spellingsPath, heavyBody)),
  'endless-bodies': (port) => held(4, 2_000, () => endlessBody(port)),
  'slow-heads': (port) => held(500, 60_000, () => slowHead(port)),
  malformed: (port) => every(10, () => malformed(port)),
};

export function startAttack(name: AttackName, port: number): Attack {
  return starts[name](port);
}

/** Calls `act` so often; what it opened is its own to close. */
function every(ms: number, act: () => void): Attack {
  const timer = setInterval(act, ms);
  return { stop: () => clearInterval(timer) };
}

/** Keeps so many sockets open; each is closed and opened again after `ms`, and not sooner when the server closes it. */
function held(count: number, ms: number, open: () => Socket): Attack {
  const sockets: (Socket | null)[] = Array.from({ length: count }, () => null);
  const renew = (at: number): void => {
    sockets[at]?.destroy();
    const socket = open();
    socket.on('error', () => undefined);
    sockets[at] = socket;
  };
  const timers = sockets.map((_, at) => {
    renew(at);
    return setInterval(() => renew(at), ms);
  });
  return {
    stop: () => {
      for (const timer of timers) clearInterval(timer);
      for (const socket of sockets) socket?.destroy();
    },
  };
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 });

const headers = { 'X-Api-Key': apiKey, 'Content-Type': 'application/json' } as const;

function ask(port: number, path: string, body: string): void {
  const call = request(
    { agent, port, host: '127.0.0.1', method: 'POST', path, headers },
    (response) => response.resume(),
  );
  call.on('error', () => undefined);
  call.end(body);
}

/** Every combination of the rules of 300 contents, 100 of them in a call. */
function sweep(port: number): void {
  const from = idsPerCall * Math.floor((Math.random() * sweepCount) / idsPerCall);
  const ids = Array.from({ length: idsPerCall }, (_, at) => sweepId(from + at));
  const c = encodeURIComponent(JSON.stringify(ids));
  const context = contextOfVariant(Math.floor(Math.random() * variantCount));
  ask(port, `/api/v1/combine/?dynamic=true&c=${c}`, JSON.stringify(context));
}

/** One content in as many spellings as it has, with 60 KB of attributes, and operands that look at all of them. */
const spellings = Array.from({ length: 100 }, (_, at) =>
  [...guardedId].map((letter, bit) => ((at >> bit) & 1 ? letter.toUpperCase() : letter)).join(''),
);
const spellingsPath = `/api/v1/combine/?dynamic=true&c=${encodeURIComponent(JSON.stringify(spellings))}`;
const heavyBody = JSON.stringify({
  u: 'attacker',
  p: {
    list: Array.from({ length: 8_000 }, (_, at) => String(at % 1_000)),
    text: 'a1'.repeat(5_000),
  },
});

function postHead(path: string, more: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: loadout\r\nX-Api-Key: ${apiKey}\r\nContent-Type: application/json\r\n${more}\r\n`;
}

function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  return socket;
}

const pipelined = `${postHead(`/api/v1/config/${middleId}`, 'Content-Length: 2\r\n')}{}`.repeat(
  1_000,
);

/** A thousand requests for 100 KB in one write, and nothing is read. */
function unread(port: number): Socket {
  const socket = open(port);
  socket.pause();
  socket.write(pipelined);
  return socket;
}

const largeSpellings = ['large', 'LARGE', 'Large', 'lArge'].filter(
  (id) => id.toLowerCase() === largeId,
);
const largePath = `/api/v1/combine/?c=${encodeURIComponent(JSON.stringify(largeSpellings))}`;

/** The largest combined response, read at some 16 KiB a second. */
function slowReader(port: number): Socket {
  const socket = open(port);
  socket.write(`${postHead(largePath, 'Content-Length: 2\r\n')}{}`);
  socket.pause();
  const timer = setInterval(() => socket.read(16 * KiB), 1_000);
  socket.on('close', () => clearInterval(timer));
  return socket;
}

const chunk = `${(64 * KiB).toString(16)}\r\n${'x'.repeat(64 * KiB)}\r\n`;

/** A body without an end behind a wrong key. */
function endlessBody(port: number): Socket {
  const socket = open(port);
  socket.write(
    'POST /api/v1/config/a HTTP/1.1\r\nHost: loadout\r\nX-Api-Key: wrong\r\nTransfer-Encoding: chunked\r\n\r\n',
  );
  const timer = setInterval(() => socket.writable && socket.write(chunk), 2);
  socket.on('close', () => clearInterval(timer));
  return socket;
}

/** A head of which one byte comes in a second. */
function slowHead(port: number): Socket {
  const socket = open(port);
  socket.write('GET /healthz HTTP/1.1\r\nHost: ');
  const timer = setInterval(() => socket.writable && socket.write('x'), 1_000);
  socket.on('close', () => clearInterval(timer));
  return socket;
}

const malformedHeads = [
  postHead('/api/v1/config/a', 'Content-Length: 2\r\nContent-Length: 3\r\n'),
  postHead('/api/v1/config/a', 'Transfer-Encoding: xchunked\r\n'),
  postHead('/api/v1/config/a', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n'),
  postHead('/api/v1/config/a', 'Host: other\r\nContent-Length: 2\r\n'),
  'GET / HTTP/1.0\r\n\r\n',
  'GET /\r\n\r\n',
  '\u0016\u0003\u0001\u0002\u0000',
  postHead(`/api/v1/config/${'a'.repeat(40 * KiB)}`, ''),
];

function malformed(port: number): void {
  const socket = open(port);
  socket.on('error', () => undefined);
  const head = malformedHeads[Math.floor(Math.random() * malformedHeads.length)] ?? '';
  socket.end(`${head}{}`, 'latin1');
  socket.resume();
}
