/** The checks of the front end find the faults that builds of it have had. */
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { checkFrontEnd, checkSlowHead } from '../../../src/delivery/http/front-end-check.js';
import { FrontEndTrial } from '../../../src/delivery/http/front-end-trial.js';

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n{"status":"ok"}';
const bad = 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n';

interface Faults {
  /** A segment that ends within the request line is answered 505. */
  readonly splitRequestLine?: boolean;
  /** Requests that are malformed are answered like others, and what stands behind them too. */
  readonly lenient?: boolean;
}

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** A front end with one of the faults. */
function faulty(faults: Faults): Promise<number> {
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    let text = '';
    socket.on('data', (piece) => {
      text += piece.toString('latin1');
      if (faults.splitRequestLine === true && !text.includes('\r\n')) {
        socket.end('HTTP/1.1 505 HTTP Version Not Supported\r\n\r\n');
      } else if (text.endsWith('\r\n\r\n')) {
        if (!text.startsWith('POST')) socket.write(ok);
        else if (faults.lenient === true) socket.write(bad + ok);
        else socket.end(bad);
      }
    });
  });
  servers.push(server);
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
}

async function failedChecks(faults: Faults): Promise<string[]> {
  const findings = await checkFrontEnd(await faulty(faults));
  return findings.filter(({ passed }) => !passed).map(({ check }) => check);
}

describe('the checks of the front end', () => {
  it('pass one that does what it must', async () => {
    expect(await failedChecks({})).toEqual([]);
  });

  it('find a request line that is answered before it is complete', async () => {
    expect(await failedChecks({ splitRequestLine: true })).toEqual(['split_request_line']);
  });

  it('find malformed requests that are answered, with what stands behind them', async () => {
    expect(await failedChecks({ lenient: true })).toEqual([
      'two_content_lengths',
      'two_hosts',
      'transfer_encoding',
      'both_framings',
    ]);
  });

  it('find a client that may take for ever', async () => {
    expect(await checkSlowHead(await faulty({}), 100)).toEqual({
      check: 'slow_head',
      passed: false,
    });
  });
});

describe('a front end that answers ordinary requests wrongly', () => {
  it('keeps the server from starting, with the remedy', async () => {
    const port = await faulty({ splitRequestLine: true });
    const failed: string[] = [];
    const listening = { port, listen: () => Promise.resolve(true), close: () => undefined };
    const trial = new FrontEndTrial(listening, ({ check }) => failed.push(check));
    expect(await trial.run()).toMatch(/split_request_line.*Remedy: install another build/);
    expect(failed).toEqual(['split_request_line']);
  });
});
