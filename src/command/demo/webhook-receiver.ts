/** Receives the demo's webhooks: a small server with one path for each way in which receivers behave. */

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Accepts every message. */
export const steadyPath = '/chat/live-ops';
/** Is restarted now and then: every fifth message arrives at the second attempt. */
export const flakyPath = '/build/content-changed';
/** Accepted messages until something in it broke. */
export const brokenPath = '/analytics/annotations';
/** Was taken down for good. */
export const gonePath = '/wiki-bot';

const flakyEvery = 5;

export interface WebhookReceiver {
  /** Its origin, without a slash at its end. */
  readonly url: string;
  close(): void;
}

/** @param brokenSinceMs `brokenPath` fails for messages from then on; milliseconds since the epoch */
export async function startReceiver(brokenSinceMs: number): Promise<WebhookReceiver> {
  /** Messages of `flakyPath`, by id. */
  const seen = new Set<string>();
  const statusOf = (request: IncomingMessage, body: string): number => {
    switch (request.url) {
      case flakyPath: {
        const id = String(request.headers['webhook-id']);
        if (seen.has(id)) return 204;
        seen.add(id);
        return seen.size % flakyEvery === 0 ? 503 : 204;
      }
      case brokenPath:
        return happenedAt(body) < brokenSinceMs ? 204 : 500;
      case gonePath:
        return 410;
      default:
        return 204;
    }
  };
  const server = createServer((request, response) => {
    text(request).then(
      (body) => response.writeHead(statusOf(request, body)).end(),
      () => response.destroy(),
    );
  });
  // The server alone keeps the process running.
  server.unref();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** As the message says, so that a message of the past is received as it would have been. */
function happenedAt(body: string): number {
  try {
    return Date.parse((JSON.parse(body) as { timestamp: string }).timestamp);
  } catch {
    return Number.NaN;
  }
}
