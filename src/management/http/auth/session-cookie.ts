/** The cookie of a console session: name, read, set, clear. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionHoursMax } from '../../limits/sessions.js';

const cookieValue = /^[A-Za-z0-9_-]{43}$/;

/** The value that the browser sent; null: none of the form that this server sets. */
export function readSessionCookie(request: FastifyRequest, storeId: string): string | null {
  const prefix = `${cookieName(request, storeId)}=`;
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length);
  return value !== undefined && cookieValue.test(value) ? value : null;
}

/** The server decides when a session ends; `Max-Age` is the longest that any session lasts. */
export function setSessionCookie(reply: FastifyReply, storeId: string, value: string): void {
  sendCookie(reply, storeId, value, sessionHoursMax * 3_600);
}

/** Makes the browser drop the cookie. */
export function clearSessionCookie(reply: FastifyReply, storeId: string): void {
  sendCookie(reply, storeId, '', 0);
}

/** RFC 6265, section 4.1. */
function sendCookie(reply: FastifyReply, storeId: string, value: string, seconds: number): void {
  const { request } = reply;
  const secure = isHttps(request) ? '; Secure' : '';
  const attributes = `Max-Age=${seconds}; Path=/; HttpOnly${secure}; SameSite=Strict`;
  reply.header('set-cookie', `${cookieName(request, storeId)}=${value}; ${attributes}`);
}

/**
 * Cookies are shared by all ports of a host: without the store in the name, two servers on one host would sign each other
 * out. Over https the browser takes a `__Host-` cookie from this host only, not from another one of its domain.
 */
function cookieName(request: FastifyRequest, storeId: string): string {
  return `${isHttps(request) ? '__Host-' : ''}loadout-${storeId.slice(0, storeIdCharsShown)}`;
}

const storeIdCharsShown = 8;

/** As a trusted proxy says (`--admin-trust-proxy`): this port itself has no TLS. */
function isHttps(request: FastifyRequest): boolean {
  return request.protocol === 'https';
}
