/** Requests by `fetch`, of browsers and Node. */
import type { Transport } from './platform.js';

export const fetchTransport: Transport = {
  // React Native's fetch has bodies only as a whole.
  canStream: 'body' in (globalThis.Response?.prototype ?? {}),

  send({ url, ...request }, handler) {
    const controller = new AbortController();
    const exchange = async () => {
      const response = await fetch(url, {
        ...request,
        method: 'POST',
        signal: controller.signal,
        cache: 'no-store',
        credentials: 'omit',
        // It would take the key to another host.
        redirect: 'manual',
      });
      handler.head(response.status, (name) => response.headers.get(name));
      const reader = response.body?.getReader();
      if (!reader) return handler.text(await response.text());
      const decoder = new TextDecoder();
      for (;;) {
        const { done, value } = await reader.read();
        handler.text(decoder.decode(value, { stream: !done }));
        if (done) return;
      }
    };
    exchange().then(
      () => handler.end(true),
      () => handler.end(false),
    );
    return () => controller.abort();
  },
};
