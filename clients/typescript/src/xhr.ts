/** Requests by XMLHttpRequest, whose bodies stream in React Native, where those of `fetch` do not. */
import type { Transport } from './platform.js';

export const xhrTransport: Transport = {
  canStream: true,

  send({ url, headers, body }, handler) {
    const request = new XMLHttpRequest();
    let isOver = false;
    let hasHead = false;
    let taken = 0;
    const takeHead = () => {
      if (hasHead || isOver) return;
      hasHead = true;
      // A redirect was followed: XMLHttpRequest cannot be kept from it.
      const isRedirected = request.responseURL !== '' && request.responseURL !== url;
      const header = (name: string) => request.getResponseHeader(name);
      handler.head(isRedirected ? 0 : request.status, header);
    };
    const takeText = () => {
      takeHead();
      const text = request.responseText;
      if (isOver || text.length === taken) return;
      const piece = text.slice(taken);
      taken = text.length;
      handler.text(piece);
    };
    const end = (isWhole: boolean) => {
      if (isOver) return;
      isOver = true;
      handler.end(isWhole);
    };
    request.open('POST', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.onreadystatechange = () => {
      if (request.readyState === 2 && request.status > 0) takeHead();
    };
    request.onprogress = takeText;
    request.onload = () => {
      takeText();
      end(true);
    };
    request.onerror = () => end(false);
    request.onabort = () => end(false);
    request.ontimeout = () => end(false);
    request.send(body);
    return () => {
      // Of a response that has come, an abort would take the headers away.
      if (isOver) return;
      isOver = true;
      request.abort();
    };
  },
};
