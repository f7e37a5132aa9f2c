/** SIGTERM is not held up by the admin API, nor the log level of the listeners by anything. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { listenersOf } from '../../support/server/process-tree.js';
import { startServer } from '../../support/server/server.js';
import { ownerToken } from '../../support/server/server-process.js';
import { send } from '../../support/wire/exchange.js';
import { head, openConnection } from '../../support/wire/raw-connection.js';

describe('SIGTERM with an admin request whose body does not come', () => {
  it('drains delivery at once, and ends within seconds', async () => {
    const server = await startServer();
    const connection = await openConnection(server.adminPort);
    const headers = [
      ['Authorization', `Bearer ${ownerToken}`],
      ['Content-Type', 'application/json'],
      ['Content-Length', '20'],
    ] as const;
    await connection.write(`${head('POST', '/admin/v1/environments', headers)}{`);
    await send(server.adminUrl, '/healthz'); // read by now: an exchange after it was
    server.signal('SIGTERM');
    await eventually('no listener is left', 3_000, () => {
      return listenersOf(server.pid, server.deliveryPort).length === 0;
    });
    const exit = await eventually('serve ends', 10_000, () => server.exit);
    expect(exit.code).toBe(0);
    connection.close();
  });
});

describe('a listener that cannot open its port', () => {
  it('says why in the log, and is tried again until it can', async () => {
    const server = await startServer({ listeners: 1 });
    const [listener = 0] = listenersOf(server.pid, server.deliveryPort);
    process.kill(listener, 'SIGKILL');
    const foreign = createServer();
    await eventually('the port is taken', 2_000, async () => {
      foreign.listen({ port: server.deliveryPort, host: '127.0.0.1', exclusive: true });
      return once(foreign, 'listening').catch(() => null);
    });
    await eventually('the log says why', 5_000, () =>
      server.stderr.includes(`Cannot listen on 127.0.0.1 port ${server.deliveryPort}`),
    );
    foreign.close();
    await eventually('a listener', 8_000, () => {
      return listenersOf(server.pid, server.deliveryPort).length === 1;
    });
    await server.stop();
  });
});

describe('--log-level', () => {
  it('holds for the listeners too', async () => {
    const server = await startServer({ flags: ['--log-level', 'error'] });
    const exit = await server.stop();
    expect(exit.stderr).toBe('');
  });
});
