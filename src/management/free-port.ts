/** Finds out, before anything starts, whether a port can be had. */
import { createServer } from 'node:net';
import { portFreeMsMax } from './limits.js';
import { ServeRefused } from './serve-refused.js';

/**
 * The listeners share their port with SO_REUSEPORT, which would join a foreign server's silently: a plain
 * bind shows whether somebody has it. Our own listeners of a moment ago may still be leaving: waits for them.
 * @returns the port, chosen when `port` is 0
 * @throws ServeRefused
 */
export async function freePort(host: string, port: number, name: string): Promise<number> {
  const until = Date.now() + portFreeMsMax;
  for (;;) {
    const result = await tryBind(host, port);
    if (typeof result === 'number') return result;
    const taken = result.code === 'EADDRINUSE';
    if (!taken || Date.now() > until) {
      throw new ServeRefused(
        taken
          ? `Port ${port} on ${host} (${name}) is served by another process; stop it or choose another port.`
          : `Cannot listen on ${host} port ${port} (${name}): ${result.code ?? result.message}.`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
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
