/**
 * A port for what watches a server, and for nothing else: a monitoring network reaches `/metrics`, `/healthz` and `/readyz` while
 * the admin API stays on loopback. The admin port has them as well.
 */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getHealth, getMetrics, getReadiness } from '../../contract/operations/health.js';
import { Problem } from '../../contract/problems.js';
import type { AdminApp } from '../http/context.js';
import { problemText } from '../http/problem.js';
import { scrapeMsMax } from '../limits/processes.js';
import { shownHost } from './host.js';
import type { Start } from './options.js';

const paths: ReadonlySet<string> = new Set(
  [getHealth, getReadiness, getMetrics].map(({ path }) => path),
);

/**
 * Opens the port, if the options name one; it closes as the server ends.
 * @param api must be ready: it responds
 * @returns its origin with a slash; null: there is no such port
 */
export async function openMetricsPort(
  { options: { metricsHost, metricsPort }, undo }: Start,
  api: AdminApp,
): Promise<string | null> {
  if (metricsPort === null) return null;
  const server = createServer({ requestTimeout: scrapeMsMax }, (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    if (paths.has(path)) api.routing(request, response);
    else rejectPath(response);
  });
  server.listen(metricsPort, metricsHost);
  await once(server, 'listening');
  undo.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return `http://${shownHost(metricsHost)}:${port}/`;
}

function rejectPath(response: ServerResponse): void {
  const problem = new Problem('not_found', 'This port has /metrics, /healthz and /readyz only.');
  response.writeHead(problem.status, { 'content-type': 'application/problem+json' });
  response.end(problemText(problem));
}
