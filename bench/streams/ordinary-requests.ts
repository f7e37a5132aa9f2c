/** Ordinary requests over kept connections, each of them to a delivery process that is known: what fails, fails there. */
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { apiKey } from '../data/published-game.js';
import { contextOf } from './held/held-players.js';

const connectionsPerProcess = 8;
/** The kernel shares connections out by a hash of their addresses; so many are tried before one gives up. */
const attemptsMax = 500;
const tickMs = 5;
const responseMsMax = 10_000;
const body = JSON.stringify(contextOf(0));

export class OrdinaryRequests {
  readonly #port: number;
  readonly #sockets: readonly Socket[];
  readonly #busy = new Set<Socket>();
  #timer: NodeJS.Timeout | undefined;
  #next = 0;
  #counts = { requests: 0, failed: 0 };

  /** Opens connections until each of the processes has enough of them. */
  static async start(port: number, pids: readonly number[]): Promise<OrdinaryRequests> {
    const kept: Socket[] = [];
    const counts = new Map(pids.map((pid) => [pid, 0]));
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      if ([...counts.values()].every((count) => count >= connectionsPerProcess)) break;
      const socket = connect(port, '127.0.0.1');
      // Whoever waits for a response learns from `close` that none comes.
      socket.on('error', () => undefined);
      socket.setTimeout(responseMsMax, () => socket.destroy());
      await once(socket, 'connect');
      // A response says that the process has accepted it.
      if ((await ask(socket, port)) !== 200) throw new Error('An ordinary request was refused.');
      const pid = processOf(port, socket.localPort ?? 0, pids);
      const count = pid === undefined ? undefined : counts.get(pid);
      if (pid === undefined || count === undefined || count >= connectionsPerProcess) {
        socket.destroy();
        continue;
      }
      counts.set(pid, count + 1);
      kept.push(socket);
    }
    if (kept.length < pids.length * connectionsPerProcess) {
      throw new Error(`Of ${pids.length} processes, connections reached ${[...counts.values()]}.`);
    }
    return new OrdinaryRequests(port, kept);
  }

  private constructor(port: number, sockets: readonly Socket[]) {
    this.#port = port;
    this.#sockets = sockets;
  }

  /** Responses, and requests that got none or another status than 200. */
  get counts(): { readonly requests: number; readonly failed: number } {
    return this.#counts;
  }

  /** Sends so many a second, shared out over the connections; one that is busy is passed over. */
  run(perSecond: number): void {
    const startedAt = performance.now();
    let due = 0;
    this.#timer = setInterval(() => {
      const dueByNow = ((performance.now() - startedAt) * perSecond) / 1_000;
      for (; due < dueByNow; due += 1) this.#send();
    }, tickMs);
  }

  end(): void {
    clearInterval(this.#timer);
    for (const socket of this.#sockets) socket.destroy();
  }

  #send(): void {
    const socket = this.#sockets[this.#next % this.#sockets.length] as Socket;
    this.#next += 1;
    if (this.#busy.has(socket)) return;
    this.#busy.add(socket);
    this.#counts.requests += 1;
    ask(socket, this.#port)
      .then((status) => {
        if (status !== 200) this.#counts.failed += 1;
      })
      .catch(() => {
        if (this.#timer !== undefined) this.#counts.failed += 1;
      })
      .finally(() => this.#busy.delete(socket));
  }
}

/** One request on an open connection. @returns its status; rejects when the connection ends before the response does */
function ask(socket: Socket, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let received = '';
    const settle = (settled: () => void): void => {
      socket.off('data', take);
      socket.off('close', fail);
      settled();
    };
    const take = (piece: Buffer): void => {
      received += piece.toString('latin1');
      const headEnd = received.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const bytes = Number(/\r\ncontent-length: *(\d+)/i.exec(received)?.[1] ?? 0);
      if (received.length < headEnd + 4 + bytes) return;
      settle(() => resolve(Number(received.slice(9, 12))));
    };
    if (socket.destroyed) {
      reject(new Error('The connection had ended.'));
      return;
    }
    const fail = (): void => settle(() => reject(new Error('The connection ended.')));
    socket.on('data', take);
    socket.on('close', fail);
    socket.write(
      `POST /api/v1/config/game-0/dynamic HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Api-Key: ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  });
}

/** The process at the other end of a connection of this machine, among those named. */
function processOf(
  serverPort: number,
  clientPort: number,
  pids: readonly number[],
): number | undefined {
  const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');
  const [, inode] =
    new RegExp(
      `: 0100007F:${hex(serverPort)} 0100007F:${hex(clientPort)} (?:\\S+ +){6}(\\d+) `,
    ).exec(readFileSync('/proc/net/tcp', 'utf8')) ?? [];
  return pids.find((pid) =>
    readdirSync(`/proc/${pid}/fd`).some((fd) => linkOf(pid, fd) === `socket:[${inode}]`),
  );
}

/** Descriptors come and go while they are listed. */
function linkOf(pid: number, fd: string): string {
  try {
    return readlinkSync(`/proc/${pid}/fd/${fd}`);
  } catch {
    return '';
  }
}
