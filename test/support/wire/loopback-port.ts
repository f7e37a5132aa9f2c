/** Free TCP ports on loopback for servers that are stopped and started again on the same one. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the range from which the system takes ports for outgoing connections (32768 on Linux). A port in that range could,
// while its server is stopped, be given to somebody's connection; and a client that keeps asking for it would sooner or
// later be given it itself, and be connected with itself.
const portMin = 20_000;
const portMax = 32_000;
const attemptsMax = 50;

/** A port nobody listens on now; who takes it must still be ready to find it taken. */
export async function freeLoopbackPort(): Promise<number> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const port = randomInt(portMin, portMax);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port after ${attemptsMax} attempts`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
