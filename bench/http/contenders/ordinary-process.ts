/**
 * Contender `ordinary`: what a capable team would write first. Fastify, contents parsed once and kept in memory;
 * per request: conditions, deep merge, JSON.stringify, and zlib for who accepts gzip.
 */
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import {
  type AnswerForm,
  type PlainCaller,
  type PlainContent,
  plainAnswer,
} from '../../data/plain-response.js';
import { apiKey } from '../../data/published-game.js';
import type { ServerInput } from './contender.js';

interface Call {
  Params: { id: string };
  Querystring: { responseType?: string; c?: string; dynamic?: string };
  Body: PlainCaller;
}

const compress = promisify(gzip);
const input = JSON.parse(process.argv[2]!) as ServerInput;
const contents = JSON.parse(readFileSync(input.plainGamePath, 'utf8')) as PlainContent[];
const byId = new Map(contents.map((content) => [content.id.toLowerCase(), content]));

const certificate = input.certificate && {
  cert: readFileSync(input.certificate.certPath),
  key: readFileSync(input.certificate.keyPath),
};
const server = Fastify(certificate === null ? {} : ({ https: certificate } as object));

server.addHook('onRequest', async (request, reply) => {
  if (request.headers['x-api-key'] === apiKey) return;
  await reply.code(401).send({ code: 'invalid_api_key' });
});

async function one(
  request: FastifyRequest<Call>,
  reply: FastifyReply,
  form: AnswerForm,
): Promise<FastifyReply> {
  const content = byId.get(request.params.id.toLowerCase());
  if (content === undefined) return reply.code(404).send({ code: 'content_not_found' });
  return answer(request, reply, plainAnswer(content, request.body, form));
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  json: string,
): Promise<FastifyReply> {
  reply.header('content-type', 'application/json; charset=utf-8');
  reply.header('cache-control', 'private, no-cache');
  reply.header('vary', 'Accept-Encoding, X-Api-Key, Origin');
  if (request.headers['accept-encoding'] !== 'gzip') return reply.send(json);
  return reply.header('content-encoding', 'gzip').send(await compress(json));
}

server.post<Call>('/api/v1/config/:id', (request, reply) => one(request, reply, 'plain'));
server.post<Call>('/api/v1/config/:id/dynamic', (request, reply) =>
  one(request, reply, request.query.responseType === 'serialized' ? 'serialized' : 'wrapped'),
);
server.post<Call>('/api/v1/combine/', (request, reply) => {
  const entries: string[] = [];
  for (const id of JSON.parse(request.query.c ?? '[]') as string[]) {
    const content = byId.get(id.toLowerCase());
    if (content === undefined) continue;
    entries.push(`${JSON.stringify(id)}:${plainAnswer(content, request.body, 'wrapped')}`);
  }
  return answer(request, reply, `{${entries.join(',')}}`);
});

process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit(0));
await server.listen({ host: '127.0.0.1', port: input.port });
const address = server.server.address();
process.send?.({ type: 'listening', port: typeof address === 'object' ? address?.port : 0 });
