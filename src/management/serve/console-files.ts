/** Serves the built console: one page for every path that the app routes by, and the files that belong to it. */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SetHeadersResponse } from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../contract/problems.js';
import type { AdminApp } from '../http/context.js';
import { handleNotFound, sendProblem } from '../http/problem.js';
import { serveLazily } from '../http/serve-lazily.js';

/** Stands in the page where its nonce belongs. */
const nonceMark = '__CSP_NONCE__';
const nonceBytes = 16;

/** Nothing that the admin listener itself has: what is unknown there is no page of the console. */
const ownPaths = /^\/(?:admin|api|assets|auth|docs|healthz|metrics|openapi|readyz)(?:[/.?-]|$)/;

const wantsPage = /(?:^|[\s,])text\/html(?:$|[\s;,])/;

/**
 * @param folder what `npm run build` made; null: none
 */
export function registerConsole(app: AdminApp, folder: string | null): void {
  const page = folder === null ? null : join(folder, 'index.html');
  const isBuilt = page !== null && existsSync(page);
  app.get('/', (_request, reply) => sendPage(reply, page));
  app.setNotFoundHandler((request, reply) =>
    isBuilt && isOfPage(request) ? sendPage(reply, page) : handleNotFound(request, reply),
  );
  if (!isBuilt || folder === null) return;
  // One route for each file that is there now: a wildcard here would take every path.
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !notServed.test(entry.name))
    .map(({ name }) => `/${name}`);
  serveLazily(app, ['/assets/*', ...files], async (inner) => {
    const { default: fastifyStatic } = await import('@fastify/static');
    await inner.register(fastifyStatic, {
      ...sent,
      root: join(folder, 'assets'),
      prefix: '/assets/',
      setHeaders: (response: SetHeadersResponse) => {
        // The name has a hash of what is in it.
        response.setHeader('cache-control', 'public, max-age=31536000, immutable');
        describeFile(response);
      },
    });
    await inner.register(fastifyStatic, {
      ...sent,
      root: folder,
      // As above.
      wildcard: false,
      globIgnore: ['index.html', 'assets/**', '**/*.br', '**/*.gz'],
      setHeaders: (response: SetHeadersResponse) => {
        response.setHeader('cache-control', 'no-cache');
        describeFile(response);
      },
    });
  });
}

const notServed = /^index\.html$|\.(?:br|gz)$/;

const sent = {
  // Once for both folders.
  decorateReply: false,
  dotfiles: 'ignore',
  preCompressed: true,
  cacheControl: false,
  index: false,
} as const;

function describeFile(response: SetHeadersResponse): void {
  response.setHeader('vary', 'Accept-Encoding');
  for (const [name, value] of Object.entries(headersOfAll)) response.setHeader(name, value);
}

/** Read each time: a new build needs no restart, and its page names files that the old one did not. */
async function sendPage(reply: FastifyReply, page: string | null): Promise<FastifyReply> {
  const text = page === null ? null : await readFile(page, 'utf8').catch(() => null);
  if (text === null) return sendProblem(reply, notBuilt());
  const nonce = randomBytes(nonceBytes).toString('base64');
  return reply
    .headers({ ...headersOfAll, ...headersOfPage, 'content-security-policy': policyWith(nonce) })
    .type('text/html; charset=utf-8')
    .send(text.replaceAll(nonceMark, nonce));
}

function isOfPage({ method, url, headers }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  return wantsPage.test(headers.accept ?? '') && !ownPaths.test(url);
}

function notBuilt(): Problem {
  return new Problem('not_found', 'The console is not built: run "npm run build", then restart.');
}

const headersOfAll = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
};

const headersOfPage = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy':
    'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
};

/** Libraries that make style elements while they run are given the nonce; a script has no way in but our own files. */
function policyWith(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
