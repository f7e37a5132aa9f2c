/** The cookie of a console session: its name, how it is read, set and cleared. */
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionHoursMax } from '../limits.js';

const cookieValue = /^[A-Za-z0-9_-]{43}$/;

/** The value that the browser sent; null: none that could be one of ours. */
export function readSessionCookie(request: FastifyRequest, storeId: string): string | null {
  const { cookie } = request.headers;
  if (cookie === undefined) return null;
  const value = request.server.parseCookie(cookie)[cookieName(request, storeId)];
  return value !== undefined && cookieValue.test(value) ? value : null;
}

/** The server decides when a session ends; the browser may forget it when it surely has. */
export function setSessionCookie(reply: FastifyReply, storeId: string, value: string): void {
  const maxAge = sessionHoursMax * 3_600;
  const { request } = reply;
  reply.setCookie(cookieName(request, storeId), value, { ...attributes(request), maxAge });
}

export function clearSessionCookie(reply: FastifyReply, storeId: string): void {
  const { request } = reply;
  reply.clearCookie(cookieName(request, storeId), attributes(request));
}

function attributes(request: FastifyRequest): CookieSerializeOptions {
  return { httpOnly: true, sameSite: 'strict', path: '/', secure: isHttps(request) };
}

/**
 * Cookies do not know ports: without the store in the name, two servers on one host would sign each other out. Over https
 * the prefix has the browser see to it that no other host of the domain has set it.
 */
function cookieName(request: FastifyRequest, storeId: string): string {
  return `${isHttps(request) ? '__Host-' : ''}loadout-${storeId.slice(0, storeIdCharsShown)}`;
}

const storeIdCharsShown = 8;

/** As the proxy says whose word counts (`--admin-trust-proxy`): this listener itself has no TLS. */
function isHttps(request: FastifyRequest): boolean {
  return request.protocol === 'https';
}
