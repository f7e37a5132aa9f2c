/**
 * A server that test files share, one for each of vitest's workers: for tests that make an environment of their own and
 * ask as a client would. What is about a process, its options or all environments starts a server (`startServer`).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { Launched, type LoadoutServer, type ServerPlace } from './server-process.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Of each worker; where none could be started (Node 26), why. */
    sharedServers: readonly ServerPlace[] | string;
  }
}

/** Vitest's global setup: before the first file, and after the last one. */
// biome-ignore lint/style/noDefaultExport: vitest calls it.
export default async function startSharedServers(
  project: TestProject,
): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-shared-'));
  const servers: LoadoutServer[] = [];
  try {
    while (servers.length < Number(project.vitest.config.maxWorkers)) {
      const data = join(folder, String(servers.length));
      servers.push(await new Launched({}, data, {}).server(data));
    }
    const places = servers.map(({ deliveryUrl, adminUrl, pid }) => ({
      deliveryUrl,
      adminUrl,
      pid,
    }));
    project.provide('sharedServers', places);
  } catch (fault) {
    project.provide('sharedServers', String(fault));
  }
  return async () => {
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
}
