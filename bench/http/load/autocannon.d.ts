/** What the benchmarks use of autocannon 8, which comes without types. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  export interface Request {
    path?: string;
    body?: string;
    setupRequest?: (defaults: Request) => Request;
  }

  /** One connection. */
  export interface Client extends EventEmitter {
    setRequests(requests: Request[]): void;
    on(
      event: 'response',
      listener: (status: number, bytes: number, milliseconds: number) => void,
    ): this;
    /** Internal, but there before `setupClient` is called; package.json holds autocannon at an exact version. */
    pipelinedRequests: {
      insertRequest(request: unknown): void;
      addBody(data: Buffer): void;
    };
  }

  export interface Options {
    url: string;
    method: string;
    headers: Record<string, string>;
    connections: number;
    pipelining: number;
    /** Seconds. */
    duration: number;
    /** Milliseconds between samples; a run ends with one. */
    sampleInt: number;
    /** Seconds. */
    timeout: number;
    setupClient: (client: Client) => void;
  }

  export interface Result {
    /** Of connections, and responses that took longer than `timeout`. */
    errors: number;
  }

  // biome-ignore lint/style/noDefaultExport: that is how it is exported.
  export default function autocannon(options: Options): PromiseLike<Result>;
}
