/** The server that kits are tried on, and which of them can be tried here. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerUnderTest } from '../../clients/conformance/game-environment.js';
import type { Kit } from '../../clients/conformance/kits.js';
import { chromiumPath } from '../support/browser/chromium.js';
import { startServer } from '../support/server/server.js';
import { ownerToken } from '../support/server/server-process.js';
import { missingTools } from '../tools.mjs';

/** For a compiler that shares two cores with others. */
export const kitBuildMillisMax = 600_000;

/** One that wakes its streams as fast as it can: a scenario waits for each edit. */
export async function startKitServer(): Promise<ServerUnderTest> {
  const flags = ['--stream-wakes-per-second', '0'];
  const { deliveryUrl, adminUrl } = await startServer({ listeners: 1, flags });
  return { deliveryUrl, adminUrl, ownerToken };
}

/** Why the kit cannot be tried here, or null. In CI a missing tool is a failure: there nobody would read this. */
export function whyNot(kit: Kit): string | null {
  if (process.env['CI'] !== undefined) return null;
  if (!existsSync(join(import.meta.dirname, '../../clients', kit.folder))) {
    return `${kit.name}: no clients/${kit.folder}`;
  }
  const missing = missingTools([kit]).filter(
    (tool) => tool !== 'chromium' || chromiumPath === null,
  );
  return missing.length === 0 ? null : `${kit.name}: no ${missing.join(', ')}`;
}
