/** What a follower has in the place of the admin API: its health and its metrics. All else is the business of its parent's root. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  getHealth,
  getMetrics,
  getReadiness,
  type ServerStatus,
} from '../../contract/operations/health.js';
import { Problem } from '../../contract/problems.js';
import { problemText } from '../http/problem.js';
import { scrapeMsMax } from '../limits/processes.js';

export interface WatchedFollower {
  readonly status: () => ServerStatus;
  readonly metrics: () => Promise<string>;
  /** The parent that is followed at present. */
  readonly parent: () => string;
}

/** Callers at the same time: a few that watch, and whoever takes it for the admin API. */
const connectionsMax = 64;

/** @returns the server, which listens, and its port */
export async function openWatchPort(
  host: string,
  port: number,
  watched: WatchedFollower,
): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer({ requestTimeout: scrapeMsMax }, (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    respond(path, watched, response).catch(() => response.destroy());
  });
  server.maxConnections = connectionsMax;
  server.listen(port, host);
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

async function respond(
  path: string,
  { status, metrics, parent }: WatchedFollower,
  response: ServerResponse,
): Promise<void> {
  switch (path) {
    case getHealth.path:
      return send(response, 200, json, JSON.stringify({ status: 'ok' }));
    case getReadiness.path: {
      const now = status();
      return send(response, now.ready ? 200 : 503, json, JSON.stringify(now));
    }
    case getMetrics.path:
      return send(response, 200, 'text/plain; version=0.0.4; charset=utf-8', await metrics());
    default: {
      const detail = `This server follows ${parent()} and has no console and no admin API: send this to a server that has the store.`;
      const problem = new Problem('not_found', detail);
      return send(response, problem.status, 'application/problem+json', problemText(problem));
    }
  }
}

const json = 'application/json; charset=utf-8';

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { 'content-type': type });
  response.end(text);
}
