/**
 * Contender `floor`: bare uWebSockets.js. It reads both headers, JSON.parses the body and sends ready bytes with the
 * headers that Loadout sends: what any Node front end must pay.
 */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { uWS } from '../../../src/delivery/uws/uws.js';
import { readResponseTable } from '../load/response-table.js';
import type { ServerInput } from './contender.js';

const input = JSON.parse(process.argv[2]!) as ServerInput;
const table = readResponseTable(input.tablePath);
const only = table.length === 1 ? table[0]!.response : null;
const byPath = new Map(table.map((entry) => [entry.path, entry.response]));
const headers = input.responseHeaders;

const app =
  input.certificate === null
    ? uWS.App()
    : uWS.SSLApp({
        cert_file_name: input.certificate.certPath,
        key_file_name: input.certificate.keyPath,
      });

app.post('/*', (res: HttpResponse, req: HttpRequest) => {
  const key = req.getHeader('x-api-key');
  const contentType = req.getHeader('content-type');
  const response = only ?? byPath.get(req.getUrl());
  let aborted = false;
  res.onAborted(() => {
    aborted = true;
  });
  let collected: Buffer | null = null;
  res.onData((chunk, isLast) => {
    const bytes = Buffer.from(chunk);
    if (!isLast) {
      collected = Buffer.concat([collected ?? Buffer.alloc(0), bytes]);
      return;
    }
    const body = collected === null ? bytes : Buffer.concat([collected, bytes]);
    const { u, context } = JSON.parse(body.toString('utf8')) as { u?: unknown; context?: unknown };
    if (aborted) return;
    res.cork(() => {
      const isAsked = u !== undefined || context !== undefined;
      if (response === undefined || key === '' || contentType === '' || !isAsked) {
        res.writeStatus('400 Bad Request').end();
        return;
      }
      res.writeStatus('200 OK');
      for (const [name, value] of headers) res.writeHeader(name, value);
      res.end(response);
    });
  });
});

app.listen('127.0.0.1', input.port, (socket) => {
  if (socket === false) process.exit(1);
  process.send?.({ type: 'listening', port: uWS.us_socket_local_port(socket) });
});
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit(0));
