/** The TypeScript kit from its sources, as games in this process use it. Its own types need those of browsers, which tests do not have. */

interface Kit {
  createClient(options: object): Client;
}

export interface Client {
  start(waitMs: number): Promise<{ readonly failure: string | null }>;
  get(id: string, pointer: string, defaultValue: number): { value: number; source: Source };
  ready(): void;
  expose(id: string): void;
  track(name: string, value: number): void;
  flush(): Promise<void>;
  stop(): Promise<void>;
}

export type Source = 'server' | 'cache' | 'baseline' | 'default';

export interface Transport {
  readonly canStream: boolean;
  send(request: { readonly headers: object }, handler: unknown): () => void;
}

const kit = new URL('../../clients/typescript/src/', import.meta.url).pathname;
export const { createClient } = (await import(`${kit}client.ts`)) as Kit;
const { fetchTransport } = (await import(`${kit}fetch-transport.ts`)) as {
  fetchTransport: Transport;
};
export const { fileStorage } = (await import(`${kit}node.ts`)) as {
  fileStorage(folder: string): object;
};

/** Requests that a proxy forwards for that address. */
export function transportFrom(address: string): Transport {
  return {
    canStream: true,
    send: ({ headers, ...request }, handler) =>
      fetchTransport.send(
        { ...request, headers: { ...headers, 'X-Forwarded-For': address } },
        handler,
      ),
  };
}

/** The address of a player, each in a network of its own. */
export function addressOf(at: number): string {
  return `${100 + (at >> 16)}.${(at >> 8) & 255}.${at & 255}.7`;
}
