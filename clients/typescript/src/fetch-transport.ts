/** Requests by `fetch`, of browsers and Node. */
import type { Transport } from './platform.js';

export const fetchTransport: Transport = {
  // React Native's fetch has bodies only as a whole.
  canStream: typeof Response === 'function' && 'body' in Response.prototype,

  send({ url, headers, body }, handler) {
    const controller = new AbortController();
    let isOver = false;
    const exchange = async () => {
      const { signal } = controller;
      const response = await fetch(url, {
        method: 'POST',
        headers,
        body,
        signal,
        cache: 'no-store',
        credentials: 'omit',
        // It would take the key to another host.
        redirect: 'manual',
      });
      if (isOver) return;
      handler.head(response.status, (name) => response.headers.get(name));
      const reader = response.body?.getReader();
      if (!reader) {
        const text = await response.text();
        if (!isOver) handler.text(text);
        return;
      }
      const decoder = new TextDecoder();
      while (!isOver) {
        const { done, value } = await reader.read();
        if (isOver) return;
        handler.text(decoder.decode(value, { stream: !done }));
        if (done) return;
      }
    };
    const end = (isWhole: boolean) => {
      if (!isOver) handler.end(isWhole);
    };
    exchange().then(
      () => end(true),
      () => end(false),
    );
    return () => {
      isOver = true;
      controller.abort();
    };
  },
};
