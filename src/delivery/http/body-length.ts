/** How long a request's body is, as far as its head says. */
import type { HttpRequest } from 'uWebSockets.js';

/** The length is not known before the last chunk. */
export const bodyChunked = -1;
/** The head says it in two ways, or in one that this server does not know. */
export const bodyAmbiguous = -2;

// As bytes: see `headerNames` of the front end.
const contentLength = Buffer.from('content-length');
const transferEncoding = Buffer.from('transfer-encoding');

/**
 * Bytes, `bodyChunked` or `bodyAmbiguous` (RFC 9112 6.3). uWebSockets.js takes any Transfer-Encoding for chunked, and some
 * builds accept it beside a Content-Length.
 */
export function bodyLengthOf(req: HttpRequest): number {
  const length = req.getHeader(contentLength);
  const encoding = req.getHeader(transferEncoding);
  if (encoding === '') {
    if (length === '') return 0;
    return decimal(length);
  }
  return length === '' && encoding.toLowerCase() === 'chunked' ? bodyChunked : bodyAmbiguous;
}

/** What the digits say, or `bodyAmbiguous`. */
function decimal(digits: string): number {
  let value = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = digits.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return bodyAmbiguous;
    value = value * 10 + digit;
  }
  return value;
}
