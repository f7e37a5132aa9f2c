/** What a kit needs of where it runs; a game may bring its own. */

export interface Clock {
  wallMs(): number;
  /**
   * Calls back once, after so many milliseconds, however many they are. A timer that is `background` need not keep a
   * program alive.
   * @returns what cancels it
   */
  setTimer(call: () => void, ms: number, background?: boolean): () => void;
}

/** As Web Storage, or the same with promises, such as AsyncStorage of React Native. */
export interface Storage {
  getItem(name: string): string | null | Promise<string | null>;
  /** Replaces the item whole or not at all. */
  setItem(name: string, text: string): unknown;
  removeItem(name: string): unknown;
}

export interface TransportRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface TransportHandler {
  /** 0: a redirect, which is not followed. Names of headers are in lower case. */
  head(status: number, header: (name: string) => string | null): void;
  text(piece: string): void;
  /** Whether the body came as long as it was announced. */
  end(isWhole: boolean): void;
}

/** Sends a POST. */
export interface Transport {
  /** Whether `text` is called while the body still comes. */
  readonly canStream: boolean;
  /** @returns what abandons the request; nothing is called after that */
  send(request: TransportRequest, handler: TransportHandler): () => void;
}
