/** Goal: a handler may return the reply that it sent. Method: a bare app with one operation, and what it logs. */
import { Readable } from 'node:stream';
import { type FastifyBaseLogger, fastify } from 'fastify';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { operation } from '../../../../src/contract/operation.js';
import { bind } from '../../../../src/management/http/bind.js';
import type { AdminApp, AdminContext } from '../../../../src/management/http/context.js';
import { handle } from '../../../../src/management/http/handlers.js';
import { defaultLimits } from '../../../../src/management/limits/bodies.js';

it('sends nothing after a reply that the handler sent', async () => {
  const logged: string[] = [];
  const logger: FastifyBaseLogger = pino({ level: 'warn' }, { write: (line) => logged.push(line) });
  const app = fastify({ loggerInstance: logger }) as unknown as AdminApp;
  app.setSerializerCompiler(() => (value) => JSON.stringify(value));
  const getLines = operation('GET /lines', {
    tag: 'test',
    description: 'A stream.',
    responses: { 200: z.any() },
  });
  const lines = handle(getLines, async ({ reply }) =>
    reply.send(Readable.from(['a\n', 'b\n'], { objectMode: false })),
  );
  bind(app, { limits: defaultLimits } as AdminContext, [lines]);

  const response = await app.inject('/admin/v1/lines');
  // What the handler does after the response has one turn more.
  await new Promise(setImmediate);

  expect(response.body).toBe('a\nb\n');
  expect(logged).toEqual([]);
});
