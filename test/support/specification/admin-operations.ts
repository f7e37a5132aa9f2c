/** Asks every operation of a server's OpenAPI document: fills in its path and its body, and reads what never ends only for a moment. */
import http, { type OutgoingHttpHeaders } from 'node:http';
import type { RunningServer } from '../server/server-process.js';
import { type Answered, OpenapiDocument, type Operation, type Schema } from './openapi.js';

const answerMillisMax = 25_000;
/** What is read of a body that may go on for ever: all of a refusal. */
const bodyBytesMax = 4 * 1024 * 1024;

export interface Call {
  readonly token?: string | null;
  readonly path?: string;
  readonly body?: string;
  readonly bodyType?: string;
  /** The address to ask from: another one of 127.0.0.0/8 is another client to the server. */
  readonly localAddress?: string;
  readonly agent?: http.Agent;
  /** Further ones. */
  readonly headers?: OutgoingHttpHeaders;
}

export interface AdminAnswer extends Answered {
  readonly headers: http.IncomingHttpHeaders;
}

export async function fetchDocument(server: RunningServer, path: string): Promise<OpenapiDocument> {
  const response = await fetch(server.adminUrl + path);
  return new OpenapiDocument(await response.json());
}

/** The path of the operation, each `{name}` filled in; a name without a value gets `none`, which nothing is called. */
export function fillPath(
  operation: Operation,
  values: Readonly<Record<string, string>> = {},
): string {
  const defaults: Readonly<Record<string, string>> = { appVersion: '1.0.0', revision: '1' };
  return operation.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(values[name] ?? defaults[name] ?? 'none'),
  );
}

/** Sends a request of the operation as it should be: a minimal body where it takes one. */
export function ask(server: RunningServer, operation: Operation, call: Call): Promise<AdminAnswer> {
  const { token = null, path = fillPath(operation), bodyType = operation.bodyType } = call;
  const body = call.body ?? minimalBody(operation);
  const headers: OutgoingHttpHeaders = {
    ...call.headers,
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(body === null ? {} : { 'content-length': Buffer.byteLength(body) }),
    ...(body === null || bodyType === null ? {} : { 'content-type': bodyType }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = http.request(
      {
        host: '127.0.0.1',
        port: server.adminPort,
        // As it is: a URL would take dots and empty parts out of it.
        path,
        method: operation.method,
        headers,
        agent: call.agent ?? false,
        signal: AbortSignal.timeout(answerMillisMax),
        ...(call.localAddress === undefined ? {} : { localAddress: call.localAddress }),
      },
      (incoming) => {
        const pieces: Buffer[] = [];
        const done = (): void => {
          const text = Buffer.concat(pieces).toString();
          const { statusCode = 0, headers } = incoming;
          const contentType = headers['content-type'] ?? '';
          resolve({ status: statusCode, contentType, text, headers });
        };
        if (isEndless(operation) && incoming.statusCode === 200) {
          done();
          outgoing.destroy();
          return;
        }
        let bytes = 0;
        incoming.on('data', (piece: Buffer) => {
          if (bytes < bodyBytesMax) pieces.push(piece);
          bytes += piece.byteLength;
        });
        incoming.on('end', done);
        incoming.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body ?? undefined);
  });
}

/** Whether a success goes on until the reader leaves. */
function isEndless(operation: Operation): boolean {
  return operation.path.endsWith('/stream');
}

/** A body that the schema takes, with nothing in it that may be left out; null where the operation takes none. */
function minimalBody(operation: Operation): string | null {
  if (operation.bodyType === null) return null;
  if (!operation.bodyType.endsWith('/json')) return '';
  return JSON.stringify(sampleOf(operation.bodySchema) ?? {});
}

/** A small value that the schema takes, as far as types, lengths and choices go. */
export function sampleOf(schema: Schema): unknown {
  if (schema === undefined || schema === true) return {};
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const example = schema.examples?.[0] ?? schema.example;
  if (example !== undefined) return example;
  const choice = schema.anyOf?.[0] ?? schema.oneOf?.[0];
  if (choice !== undefined) return sampleOf(choice);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'string':
      return schema.format === 'uri' ? 'https://example.com/' : 'x'.repeat(schema.minLength ?? 1);
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sampleOf(schema.items));
    case 'null':
      return null;
    default: {
      const required: readonly string[] = schema.required ?? [];
      return Object.fromEntries(
        required.map((name) => [name, sampleOf(schema.properties?.[name])]),
      );
    }
  }
}
