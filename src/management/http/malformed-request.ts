/** Responds to what is not even HTTP with problem details, on the bare socket. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '../../contract/problems.js';
import { problemText } from './problem.js';

/** Node's `clientError`: the parser gave up, or the head did not arrive in time. */
export function rejectMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = problemOf(error.code);
  const body = problemText(problem);
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n` +
      'Content-Type: application/problem+json\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function problemOf(code: string | undefined): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem('headers_too_large', 'The head of the request is too large.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request_timeout', 'The request did not arrive in time.');
    default:
      return new Problem('invalid_request', 'The request is not well-formed HTTP.');
  }
}
