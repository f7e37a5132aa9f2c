/**
 * Distinguishes the console's own requests from those that another page makes a browser send with its cookie. `SameSite=Strict`
 * keeps other sites out, yet all ports of a host are one site to a browser; see D39.
 */
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../../contract/problems.js';

/** Page scripts cannot send it to another origin without a preflight, and this server responds to none. */
const consoleHeader = 'x-loadout-console';

const ownSites: readonly unknown[] = [undefined, 'same-origin', 'none'];

/** Null: no other page made the browser send it. A page that cannot read the response may not cause the request either. */
export function crossSiteReason(request: FastifyRequest): Problem | null {
  const { method, headers } = request;
  // Browsers send it over https and to loopback only, so its absence proves nothing.
  if (!ownSites.includes(headers['sec-fetch-site'])) {
    return new Problem('cross_site', 'The request comes from a page that is not this console.');
  }
  if (method === 'GET' || method === 'HEAD') return null;
  return consoleReason(request);
}

/** For signing in and out: there, a request without a cookie counts as well. */
export function consoleReason({ headers }: FastifyRequest): Problem | null {
  if (headers[consoleHeader] === '1') return null;
  const detail = 'Send "X-Loadout-Console: 1" with what a session is to change, or use a token.';
  return new Problem('cross_site', detail);
}
