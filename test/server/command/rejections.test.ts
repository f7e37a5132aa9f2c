/** `loadout rejections`: against a real server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { type Environment, makeEnvironment } from '../../support/server/environment.js';
import { CommandLine } from '../../support/server/run-loadout.js';
import { startServer } from '../../support/server/server.js';
import type { LoadoutServer } from '../../support/server/server-process.js';

let server: LoadoutServer;
let game: Environment;
let loadout: CommandLine;

beforeAll(async () => {
  server = await startServer({ listeners: 1 });
  loadout = new CommandLine(server);
  game = await makeEnvironment(server, 'live');
});
afterAll(() => server.stop());

describe('loadout rejections', () => {
  it('says that there are none', async () => {
    const [line, ...more] = (await loadout.run(['rejections'])).trimEnd().split('\n');
    expect(line).toMatch(/^0 of 0 requests since \d{4}-\S+Z on \S+: healthy$/);
    expect(more).toEqual([]);
  });

  it('lists them by code, key and content, of all environments or of one', async () => {
    for (let player = 0; player < 30; player += 1) await game.plain('shops');
    await game.ask('POST', '/api/v1/config/shop', {}, { 'x-api-key': 'lo_made-up' });
    await eventually('the rejected requests were reported', 20_000, async () => {
      const { rejected } = await loadout.json(['rejections']);
      return rejected === 31;
    });
    const all = (await loadout.run(['rejections'])).trimEnd().split('\n');
    expect(all[0]).toMatch(/^31 of 31 requests since .*: failing$/);
    expect(all[2]).toMatch(/^REQUESTS +STATUS +CODE +ENVIRONMENT +KEY +CONTENT +LAST$/);
    expect(all[3]).toMatch(/^30 +404 +content_not_found +live +test +shops +\d{4}-/);
    expect(all[4]).toMatch(/^1 +401 +invalid_api_key +unknown, SHA-256 [0-9a-f]{12}… +\d{4}-/);
    const { rejected, reasons } = await loadout.json(['rejections', '--env', 'live']);
    expect([rejected, reasons.length]).toEqual([30, 1]);
    const unknown = await loadout.try(['rejections', '--env', 'nowhere']);
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain('nowhere');
  });
});
