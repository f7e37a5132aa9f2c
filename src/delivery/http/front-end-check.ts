/**
 * Tests the loaded uWebSockets.js build against a front end of this process: third parties build it, and builds differ in
 * what their parser accepts (D60). Raw sockets, because what is tested is where segments end and what a head may say.
 */
import { connect } from 'node:net';

/** What is tested. `split…` are ordinary requests: a build that fails them gives players wrong responses. */
export const frontEndChecks = [
  'split_request_line',
  'split_head',
  'two_content_lengths',
  'two_hosts',
  'transfer_encoding',
  'both_framings',
  'slow_head',
] as const;
export type FrontEndCheck = (typeof frontEndChecks)[number];

export interface FrontEndFinding {
  readonly check: FrontEndCheck;
  readonly passed: boolean;
}

/** Without these the server must not start. */
export const requiredChecks: readonly FrontEndCheck[] = ['split_request_line', 'split_head'];

/** What to do about a failed check, for the log. */
export const frontEndRemedies: Readonly<Record<FrontEndCheck, string>> = {
  split_request_line:
    'install another build of uWebSockets.js (docs/operating.md, "The HTTP front end")',
  split_head: 'install another build of uWebSockets.js (docs/operating.md, "The HTTP front end")',
  two_content_lengths: 'let the proxy in front of the delivery port reject conflicting lengths',
  two_hosts: 'let the proxy in front of the delivery port reject repeated Host headers',
  transfer_encoding: 'let the proxy in front of the delivery port reject unknown encodings',
  both_framings: 'let the proxy in front of the delivery port reject ambiguous framing',
  slow_head: 'let a proxy in front of the delivery port limit how long a head may take',
};

/**
 * How long a response may take on loopback before it counts as missing. A working front end responds at once; a machine that
 * starts much else at the same time takes seconds, and the server must not refuse to start for that.
 */
const responseMsMax = 10_000;
/** Until a malformed request counts as accepted, for which a warning is logged. */
const rejectionMsMax = 2_000;
/**
 * Between two segments: time for the kernel, and turns of the event loop for a front end of this process to accept the
 * connection and to read the first one. Too little of it only makes the check weaker.
 */
const segmentGapMs = 2;
const segmentGapTurns = 4;

const health = 'GET /healthz HTTP/1.1\r\nHost: loadout\r\n\r\n';
const requestLineEnd = health.indexOf('\r\n') + 2;

/** Every check but the slow one. @param port of a front end on loopback, without TLS */
export async function checkFrontEnd(port: number): Promise<FrontEndFinding[]> {
  const cuts = Array.from({ length: health.length - 1 }, (_, at) => at + 1);
  const [whole, ...rejected] = await Promise.all([
    Promise.all(cuts.map((cut) => respondsWhenCut(port, cut))),
    isRejected(port, 'Content-Length: 2\r\nContent-Length: 4', '{}'),
    isRejected(port, 'Host: other\r\nContent-Length: 2', '{}'),
    isRejected(port, 'Transfer-Encoding: xchunked', '2\r\n{}\r\n0\r\n\r\n'),
    isRejected(port, 'Content-Length: 2\r\nTransfer-Encoding: chunked', '0\r\n\r\n'),
  ]);
  const [lengths = false, hosts = false, encoding = false, framings = false] = rejected;
  return [
    { check: 'split_request_line', passed: whole.slice(0, requestLineEnd).every(Boolean) },
    { check: 'split_head', passed: whole.slice(requestLineEnd).every(Boolean) },
    { check: 'two_content_lengths', passed: lengths },
    { check: 'two_hosts', passed: hosts },
    { check: 'transfer_encoding', passed: encoding },
    { check: 'both_framings', passed: framings },
  ];
}

/** Whether a client that never finishes its head is disconnected within `msMax` milliseconds. */
export async function checkSlowHead(port: number, msMax: number): Promise<FrontEndFinding> {
  const seen = await talk(port, [health.slice(0, -2)], () => false, msMax);
  return { check: 'slow_head', passed: seen.closed };
}

async function respondsWhenCut(port: number, cut: number): Promise<boolean> {
  const segments = [health.slice(0, cut), health.slice(cut)];
  const seen = await talk(port, segments, (text) => text.includes('\r\n\r\n{'), responseMsMax);
  return seen.text.startsWith('HTTP/1.1 200 ');
}

/** Whether a malformed request is rejected, and what stands behind it is not run as a request. */
async function isRejected(port: number, headers: string, body: string): Promise<boolean> {
  const request = `POST /api/v1/config/a HTTP/1.1\r\nHost: loadout\r\n${headers}\r\n\r\n${body}${health}`;
  const seen = await talk(port, [request], (text) => text.includes('200 OK'), rejectionMsMax);
  return seen.closed && !seen.text.includes('200 OK');
}

interface Seen {
  readonly text: string;
  /** The server has closed the connection. */
  readonly closed: boolean;
}

/** Sends the segments one by one, and reads until `isEnough`, the server closes the connection, or the time is up. */
function talk(
  port: number,
  segments: readonly string[],
  isEnough: (text: string) => boolean,
  msMax: number,
): Promise<Seen> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1');
    const end = (closed: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text, closed });
    };
    const timer = setTimeout(() => end(false), msMax).unref();
    socket.unref();
    socket.setNoDelay(true);
    socket.on('data', (piece) => {
      text += piece.toString('latin1');
      if (isEnough(text)) end(false);
    });
    socket.on('error', () => end(true));
    socket.on('close', () => end(true));
    const send = (at: number): void => {
      if (at === segments.length || socket.destroyed) return;
      socket.write(segments[at] as string, () => {
        setTimeout(() => afterTurns(segmentGapTurns, () => send(at + 1)), segmentGapMs);
      });
    };
    // Not before: what is written until then leaves as one segment.
    socket.on('connect', () => send(0));
  });
}

function afterTurns(turns: number, go: () => void): void {
  if (turns === 0) go();
  else setImmediate(() => afterTurns(turns - 1, go));
}
