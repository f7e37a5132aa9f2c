/** An HTTPS proxy that takes every connection for the hosts of the original service to one server. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

export class HttpsProxy {
  readonly #server: Server;
  /** `host:port` of each connection that was asked for. */
  readonly asked: string[] = [];

  private constructor(hosts: readonly string[], port: number) {
    this.#server = createServer((_request, response) => response.writeHead(405).end());
    this.#server.on('connect', (request, client) => {
      this.asked.push(request.url ?? '');
      client.on('error', () => client.destroy());
      if (!hosts.some((host) => request.url === `${host}:443`)) {
        client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
        return;
      }
      const server = connect(port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        server.pipe(client).pipe(server);
      });
      server.on('error', () => client.destroy());
      client.on('close', () => server.destroy());
    });
  }

  /** For `hosts`, to the TLS server on `port` of 127.0.0.1. */
  static async start(hosts: readonly string[], port: number): Promise<HttpsProxy> {
    const proxy = new HttpsProxy(hosts, port);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
