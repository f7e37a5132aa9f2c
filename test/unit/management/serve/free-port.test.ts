import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../../../src/management/serve/free-port.js';

describe('any port', () => {
  it('is a free one that no outgoing connection is given meanwhile', async () => {
    const server = createServer();
    const port = await freePort('127.0.0.1', 0, 'delivery');
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    server.close();
    // Linux begins at 32768 (ip_local_port_range), other systems at 49152.
    expect(port).toBeGreaterThan(1023);
    expect(port).toBeLessThan(32_768);
  });

  it('is none where the address is of another machine, and the reason is said', async () => {
    const refused = freePort('192.0.2.1', 0, 'delivery');
    await expect(refused).rejects.toThrow('Cannot listen on 192.0.2.1 (delivery): EADDRNOTAVAIL.');
  });
});
