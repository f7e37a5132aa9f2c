/** The cookie of a console session: name, read, set, clear. */
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionHoursMax } from '../../limits.js';

const cookieValue = /^[A-Za-z0-9_-]{43}$/;

/** The value that the browser sent; null: none of the form that this server sets. */
export function readSessionCookie(request: FastifyRequest, storeId: string): string | null {
  const { cookie } = request.headers;
  if (cookie === undefined) return null;
  const value = request.server.parseCookie(cookie)[cookieName(request, storeId)];
  return value !== undefined && cookieValue.test(value) ? value : null;
}

/** The server decides when a session ends; `Max-Age` is the longest that any session lasts. */
export function setSessionCookie(reply: FastifyReply, storeId: string, value: string): void {
  const maxAge = sessionHoursMax * 3_600;
  const { request } = reply;
  reply.setCookie(cookieName(request, storeId), value, { ...attributes(request), maxAge });
}

/** Makes the browser drop the cookie. */
export function clearSessionCookie(reply: FastifyReply, storeId: string): void {
  const { request } = reply;
  reply.clearCookie(cookieName(request, storeId), attributes(request));
}

function attributes(request: FastifyRequest): CookieSerializeOptions {
  return { httpOnly: true, sameSite: 'strict', path: '/', secure: isHttps(request) };
}

/**
 * Cookies are shared by all ports of a host: without the store in the name, two servers on one host would sign each other
 * out. Over https the browser takes a `__Host-` cookie from this host only, not from another one of its domain.
 */
function cookieName(request: FastifyRequest, storeId: string): string {
  return `${isHttps(request) ? '__Host-' : ''}loadout-${storeId.slice(0, storeIdCharsShown)}`;
}

const storeIdCharsShown = 8;

/** As a trusted proxy says (`--admin-trust-proxy`): this listener itself has no TLS. */
function isHttps(request: FastifyRequest): boolean {
  return request.protocol === 'https';
}
