/** A transport that knows how many requests are under way. A stream is none from the head of its response on. */
import type { Transport, TransportHandler, TransportRequest } from '../src/platform.js';

/** What came is taken in by microtasks, and by the storage, which is synchronous. */
const turn = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

export class ObservedTransport implements Transport {
  readonly canStream: boolean;
  readonly #inner: Transport;
  #underWay = 0;
  #waiting: (() => void)[] = [];

  constructor(inner: Transport) {
    this.#inner = inner;
    this.canStream = inner.canStream;
  }

  send(request: TransportRequest, handler: TransportHandler): () => void {
    let isUnderWay = true;
    this.#underWay += 1;
    const end = () => {
      if (!isUnderWay) return;
      isUnderWay = false;
      this.#underWay -= 1;
      if (this.#underWay === 0) for (const resolve of this.#waiting.splice(0)) resolve();
    };
    const isStream = request.url.includes('/stream?');
    const abandon = this.#inner.send(request, {
      head: (status, header) => {
        handler.head(status, header);
        if (isStream && status === 200) end();
      },
      text: (piece) => handler.text(piece),
      end: (isWhole) => {
        handler.end(isWhole);
        end();
      },
    });
    return () => {
      abandon();
      end();
    };
  }

  /** No request is under way, and what came was taken in. */
  async idle(): Promise<void> {
    do {
      if (this.#underWay > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      await turn();
      await turn();
    } while (this.#underWay > 0);
  }
}
