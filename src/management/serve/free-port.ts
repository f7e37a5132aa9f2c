/** Finds out, before anything starts, whether a port can be had (D5). */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { portFreeMsMax } from '../limits/processes.js';
import { ServeRejected } from '../serve-rejected.js';

const anyPortMin = 20_000;
const anyPortMax = 32_000;
const attemptsMax = 50;

/**
 * Delivery processes share their port with SO_REUSEPORT, which would silently join another server's port: a plain
 * bind shows whether it is taken. Our own processes of a moment ago may still be ending: it waits for them.
 * @param waitMs for how long, milliseconds
 * @returns the port, chosen when `port` is 0
 * @throws ServeRejected
 */
export async function freePort(
  host: string,
  port: number,
  name: string,
  waitMs: number = portFreeMsMax,
): Promise<number> {
  if (port === 0) return anyPort(host, name);
  const until = Date.now() + waitMs;
  for (;;) {
    const result = await tryBind(host, port);
    if (typeof result === 'number') return result;
    const taken = result.code === 'EADDRINUSE';
    if (!taken || Date.now() > until) {
      throw new ServeRejected(
        taken
          ? `Port ${port} on ${host} (${name}) is served by another process; stop it or choose another port.`
          : `Cannot listen on ${host} port ${port} (${name}): ${result.code ?? result.message}.`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Below the range that systems take the ports of outgoing connections from (32768 on Linux, 49152 elsewhere): between
 * here and the moment at which the delivery processes open it, the system may give such a port to a connection.
 */
async function anyPort(host: string, name: string): Promise<number> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const port = randomInt(anyPortMin, anyPortMax);
    if (typeof (await tryBind(host, port)) === 'number') return port;
  }
  // So many cannot be taken: something else is wrong, and the bind to any port shows it.
  const result = await tryBind(host, 0);
  if (typeof result === 'number') return result;
  throw new ServeRejected(`Cannot listen on ${host} (${name}): ${result.code ?? result.message}.`);
}

function tryBind(host: string, port: number): Promise<number | NodeJS.ErrnoException> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address !== null ? address.port : port;
      server.close(() => resolve(bound));
    });
  });
}
