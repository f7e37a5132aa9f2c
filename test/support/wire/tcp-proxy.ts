/** A wire that can be cut or slow: a loopback proxy before a server, for what a network does to connections. */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freeLoopbackPort } from './loopback-port.js';
import { Pace, SlowWay } from './slow-way.js';

interface Link {
  readonly client: Socket;
  readonly server: Socket;
  /** To the server, and back. */
  readonly ways: readonly [SlowWay, SlowWay];
}

export interface Slowness {
  /** In each direction. */
  readonly delayMs: number;
  /** Of all connections together, in each direction; left out: as many as there are. */
  readonly bytesPerSecond?: number;
}

type State = 'passing' | 'frozen' | 'cut';

export class TcpProxy {
  readonly port: number;
  readonly #targetPort: number;
  readonly #links = new Set<Link>();
  /** To the server, and back. */
  readonly #paces = [new Pace(), new Pace()] as const;
  /** Came while nothing was passed on; each goes on to the server when that is over. */
  readonly #waiting = new Set<Socket>();
  #state: State = 'passing';
  #listener: Server | null = null;

  /** A proxy on a free loopback port that passes everything on to `targetPort` there; end it with `close`. */
  static async start(targetPort: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(await freeLoopbackPort(), targetPort);
    await proxy.#listen();
    return proxy;
  }

  private constructor(port: number, targetPort: number) {
    this.port = port;
    this.#targetPort = targetPort;
  }

  /** Where clients connect to: `127.0.0.1:port`. */
  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** How many clients are connected, those that wait included. */
  get connections(): number {
    return this.#links.size + this.#waiting.size;
  }

  /** What the server has sent to all clients so far. */
  get bytesBack(): number {
    return this.#paces[1].bytes;
  }

  /** Ends all connections and refuses new ones: the server is gone, and everybody is told. */
  async cut(): Promise<void> {
    this.#state = 'cut';
    const listener = this.#listener;
    this.#listener = null;
    const closed = listener === null ? null : once(listener, 'close');
    listener?.close();
    for (const socket of this.#waiting) socket.resetAndDestroy();
    for (const link of this.#links) destroy(link);
    await closed;
  }

  /** Takes new connections and keeps the old ones, but passes nothing on: a partition, which nobody is told of. */
  async freeze(): Promise<void> {
    if (this.#state === 'cut') await this.#listen();
    this.#state = 'frozen';
    for (const { ways } of this.#links) for (const way of ways) way.hold();
  }

  /** Passes everything on later, and no more of it a second than said: connections that are there as those to come. */
  slow({ delayMs, bytesPerSecond = Number.POSITIVE_INFINITY }: Slowness): void {
    for (const pace of this.#paces) pace.set(delayMs, bytesPerSecond);
  }

  /** Passes on again, as fast as it can, first what was held back. */
  async mend(): Promise<void> {
    if (this.#state === 'cut') await this.#listen();
    const wasFrozen = this.#state === 'frozen';
    this.#state = 'passing';
    this.slow({ delayMs: 0 });
    if (!wasFrozen) return;
    for (const { ways } of this.#links) for (const way of ways) way.release();
    for (const socket of this.#waiting) this.#link(socket);
    this.#waiting.clear();
  }

  async close(): Promise<void> {
    await this.cut();
  }

  async #listen(): Promise<void> {
    const listener = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true });
    listener.on('connection', (client) => {
      if (this.#state === 'passing') this.#link(client);
      else this.#wait(client);
    });
    listener.listen(this.port, '127.0.0.1');
    await once(listener, 'listening');
    this.#listener = listener;
  }

  #wait(client: Socket): void {
    this.#waiting.add(client);
    client.on('error', () => client.destroy());
    client.on('close', () => this.#waiting.delete(client));
  }

  #link(client: Socket): void {
    const server = connect({
      port: this.#targetPort,
      host: '127.0.0.1',
      allowHalfOpen: true,
      noDelay: true,
    });
    const [forth, back] = this.#paces;
    const link: Link = { client, server, ways: [new SlowWay(forth), new SlowWay(back)] };
    this.#links.add(link);
    for (const socket of [client, server]) {
      socket.on('error', () => destroy(link));
      socket.on('close', () => {
        // Both sides have said all they had to say, or one was lost and with it what the other could say.
        if (client.destroyed && server.destroyed) this.#links.delete(link);
        else if (!socket.writableFinished || !socket.readableEnded) destroy(link);
      });
    }
    client.pipe(link.ways[0]).pipe(server);
    server.pipe(link.ways[1]).pipe(client);
  }
}

/** As the end of a process does it: the other side is told at once, and what was under way is lost. */
function destroy({ client, server, ways }: Link): void {
  for (const way of ways) way.destroy();
  client.resetAndDestroy();
  server.resetAndDestroy();
}
