/**
 * The certificate part of the operators' page, done as it says: its hook copies a renewed pair and reloads the server, its
 * check shows it. Only folders, ports and users are those of the test, and `systemctl` is a script that sends the signal.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { makeDataFolder, startServer } from '../../support/server/server.js';
import type { LoadoutServer } from '../../support/server/server-process.js';
import { makeCertificate } from '../../support/wire/certificate.js';

const root = new URL('../../../', import.meta.url).pathname;
const page = readFileSync(`${root}docs/operating.md`, 'utf8');
const folder = makeDataFolder();
const [lineage, installed, commands] = ['live', 'tls', 'bin'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
let server: LoadoutServer;

function scriptOf(name: string): string {
  const found = new RegExp(`<!-- script: ${name} -->\\n\`\`\`sh\\n([\\s\\S]*?)\`\`\``).exec(page);
  if (found?.[1] === undefined) throw new Error(`The page has no script ${name}.`);
  return found[1];
}

function makeCommand(name: string, script: string): void {
  writeFileSync(join(commands, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(commands, name), 0o755);
}

function run(script: string): string {
  const env = {
    PATH: [commands, process.env['PATH']].join(delimiter),
    RENEWED_LINEAGE: lineage,
  };
  const ran = spawnSync('/bin/sh', ['-c', script], { encoding: 'utf8', env });
  expect(ran).toMatchObject({ status: 0, stderr: '' });
  return ran.stdout;
}

function renew(): string {
  const cert = join(lineage, 'fullchain.pem');
  makeCertificate(cert, join(lineage, 'privkey.pem'));
  const words = ['x509', '-in', cert, '-noout', '-enddate', '-fingerprint', '-sha256'];
  return execFileSync('openssl', words, { encoding: 'utf8' });
}

function runHook(): void {
  const hook = scriptOf('renewal-hook');
  expect(hook).toContain('-o root -g loadout -m 640');
  run(hook.replaceAll('-o root -g loadout ', '').replace('/etc/loadout/tls', installed));
}

beforeAll(async () => {
  for (const path of [lineage, commands]) mkdirSync(path);
  makeCommand('systemctl', 'true');
  renew();
  runHook();
  const settings = [...page.matchAll(/^LOADOUT_(TLS_\w+)=(.*)$/gm)];
  const flags = settings.flatMap(([, name = '', path = '']) => [
    `--${name.toLowerCase().replace('_', '-')}`,
    path.replace('/etc/loadout/tls', installed),
  ]);
  expect(flags).toHaveLength(4);
  server = await startServer({ flags });
});
afterAll(() => server.stop());

it('a renewal as the page describes it reaches players, and its check shows that', async () => {
  makeCommand('systemctl', `[ "$*" = "try-reload-or-restart loadout" ] && kill -HUP ${server.pid}`);
  const renewed = renew();
  runHook();
  expect(readdirSync(installed).sort()).toEqual(['fullchain.pem', 'privkey.pem']);
  expect(statSync(join(installed, 'privkey.pem')).mode & 0o777).toBe(0o640);
  const check = scriptOf('renewal-check')
    .replace('127.0.0.1:8081', `127.0.0.1:${server.adminPort}`)
    .replace('127.0.0.1:8080', `127.0.0.1:${server.deliveryPort}`);
  await eventually('the log says that the certificate is served', 20_000, () =>
    server.stderr.includes('"tls_reloaded"'),
  );
  const shown = run(check);
  expect(shown).toContain('"certificate":"valid"');
  expect(shown).toContain(renewed);
});
