/** The units that make a backup every night: their commands run as systemd runs them, but for the user and the folders. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { onPostgres } from '../../support/postgres/tested-store.js';
import { makeEnvironment } from '../../support/server/environment.js';
import { runLoadout } from '../../support/server/run-loadout.js';
import { makeDataFolder, startServer } from '../../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../../support/server/server-process.js';

const root = new URL('../../../', import.meta.url).pathname;
const unit = readFileSync(`${root}src/systemd/loadout-backup.service`, 'utf8');
const timer = readFileSync(`${root}src/systemd/loadout-backup.timer`, 'utf8');
const dayMs = 24 * 3_600_000;

let server: LoadoutServer;
let commands: string;
let backups: string;

beforeAll(async () => {
  server = await startServer({ listeners: 1 });
  await (await makeEnvironment(server)).put('shop', '{"price":1}');
  commands = join(makeDataFolder(), 'bin');
  mkdirSync(commands);
  const program = join(commands, 'loadout');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${root}dist/loadout.js' "$@"\n`);
  chmodSync(program, 0o755);
});
beforeEach(() => {
  backups = makeDataFolder();
});
afterAll(() => server.stop());

/** What systemd hands to the shell: `%%` is its way to write `%`, and `$$` to write `$`. */
function scriptOf(directive: string): string {
  const found = new RegExp(`^${directive}=/bin/sh -c '(.*)'$`, 'm').exec(unit);
  return (found?.[1] ?? 'exit 99').replaceAll('%%', '%').replaceAll('$$', () => '$');
}

function run(script: string, env: Record<string, string>) {
  const path = [commands, process.env['PATH']].join(delimiter);
  const options = { cwd: backups, encoding: 'utf8', env: { PATH: path, ...env } } as const;
  const { status, stderr } = spawnSync('/bin/sh', ['-c', script], options);
  return { status, stderr };
}

async function expectGoodBackup(): Promise<void> {
  const [name = '', ...more] = readdirSync(backups);
  expect(more).toEqual([]);
  expect(name).toMatch(/^loadout-\d{8}T\d{6}Z\.db$/);
  expect(statSync(join(backups, name)).mode & 0o077).toBe(0);
  const restored = await runLoadout(['restore', join(backups, name), '--data', makeDataFolder()]);
  expect(restored).toMatchObject({ code: 0 });
}

describe('the backup unit', () => {
  it.skipIf(onPostgres)(
    'copies the embedded store of a server that runs, without a token',
    async () => {
      const from = /"LOADOUT_BACKUP_FROM=(.*)"/.exec(unit)?.[1] ?? '';
      const here = from.replace('/var/lib/loadout', server.data);
      const ran = run(`umask 077; ${scriptOf('ExecStart')}`, { LOADOUT_BACKUP_FROM: here });
      expect(ran).toMatchObject({ status: 0 });
      await expectGoodBackup();
    },
  );

  it('asks the server of a node of a fleet, with an owner token', async () => {
    const env = { LOADOUT_BACKUP_FROM: '', LOADOUT_URL: server.adminUrl };
    const refused = run(scriptOf('ExecStart'), {
      ...env,
      LOADOUT_TOKEN: 'a-wrong-token-0123456789',
    });
    expect(refused.status).toBe(1);
    expect(readdirSync(backups)).toEqual([]);
    const ran = run(`umask 077; ${scriptOf('ExecStart')}`, { ...env, LOADOUT_TOKEN: ownerToken });
    expect(ran).toMatchObject({ status: 0 });
    await expectGoodBackup();
  });

  it('keeps the backups of two weeks, and nothing else that is old', () => {
    const days = {
      'loadout-new.db': 1,
      'loadout-due.db': 16,
      'loadout-cut.db.partial': 16,
      mine: 99,
    };
    for (const [name, age] of Object.entries(days)) {
      writeFileSync(join(backups, name), '');
      const at = new Date(Date.now() - age * dayMs);
      utimesSync(join(backups, name), at, at);
    }
    expect(run(scriptOf('ExecStartPost'), {})).toEqual({ status: 0, stderr: '' });
    expect(readdirSync(backups).sort()).toEqual(['loadout-new.db', 'mine']);
  });

  it('is what systemd understands, with its timer, where there is systemd to ask', () => {
    const files = ['loadout-backup.service', 'loadout-backup.timer'].map((name) =>
      join(backups, name),
    );
    writeFileSync(files[0] ?? '', unit);
    writeFileSync(files[1] ?? '', timer);
    const options = { encoding: 'utf8' } as const;
    const { error, status, stderr } = spawnSync('systemd-analyze', ['verify', ...files], options);
    if (error === undefined) expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});
