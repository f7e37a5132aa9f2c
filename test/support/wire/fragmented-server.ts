/** A server with TLS or without, and what it answers to requests of every kind when they come in one piece. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { makeEnvironment } from '../server/environment.js';
import { makeDataFolder, startServer } from '../server/server.js';
import { makeCertificate } from './certificate.js';
import { type Reference, referencesOf } from './fragments.js';
import { putContents, requestKinds } from './request-kinds.js';
import type { WireOptions } from './segment-wire.js';

export interface Fragmented {
  readonly wire: WireOptions;
  readonly references: readonly Reference[];
}

/** It ends with the test. One listener, so that what it has cached does not depend on the connection. */
export async function startFragmented(isTls: boolean): Promise<Fragmented> {
  const folder = makeDataFolder();
  const cert = join(folder, 'cert.pem');
  const key = join(folder, 'key.pem');
  if (isTls) makeCertificate(cert, key);
  const flags = isTls ? ['--tls-cert', cert, '--tls-key', key] : [];
  const server = await startServer({ listeners: 1, flags });
  onTestFinished(async () => void (await server.stop()));
  const game = await makeEnvironment(server);
  await putContents(game);
  const ca = isTls ? { ca: readFileSync(cert, 'utf8') } : {};
  const wire = { port: server.deliveryPort, ...ca };
  const catalog = requestKinds(game, '').filter(({ name }) => name === 'catalog');
  const [asked] = await referencesOf(wire, catalog);
  const etag = /^etag: (.*)\r$/im.exec(asked?.text ?? '')?.[1] ?? '';
  const references = await referencesOf(wire, requestKinds(game, etag));
  const unchanged = references.find(({ kind }) => kind.name.includes('None-Match'));
  expect(unchanged?.text).toContain('HTTP/1.1 304');
  return { wire, references };
}
