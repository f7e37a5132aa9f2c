/** A certificate that cannot be used: what a start says, what a reload leaves as it was, and what a crash does not change. */
import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { childrenOf, isAlive, listenersOf } from '../../support/server/process-tree.js';
import { makeDataFolder, serveUntilExit, startServer } from '../../support/server/server.js';
import { Launched, type LoadoutServer } from '../../support/server/server-process.js';
import { makeCertificate } from '../../support/wire/certificate.js';

const changeMillisMax = 20_000;
const program = new URL('../../../dist/loadout.js', import.meta.url).pathname;

let folder: string;
let data: string;
let cert: string;
let key: string;
let server: LoadoutServer | null;

beforeEach(() => {
  folder = makeDataFolder();
  data = makeDataFolder();
  [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  makeCertificate(cert, key);
  server = null;
});
afterEach(() => server?.stop());

function flags(): string[] {
  return ['--tls-cert', cert, '--tls-key', key];
}

async function start(): Promise<LoadoutServer> {
  server = await startServer({ data, flags: flags() });
  return server;
}

/** Another pair; `openssl` must know its name for it. */
function otherPair(): { cert: string; key: string } {
  const other = { cert: join(folder, 'other-cert.pem'), key: join(folder, 'other-key.pem') };
  makeCertificate(other.cert, other.key);
  return other;
}

function fingerprintOf(path: string): string {
  return new X509Certificate(readFileSync(path)).fingerprint256;
}

/** Of the certificate that a new connection is given. */
function servedBy({ deliveryPort }: LoadoutServer): Promise<string> {
  return new Promise((resolve, reject) => {
    const to = { host: '127.0.0.1', port: deliveryPort, rejectUnauthorized: false };
    const socket = connect(to, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

/** Connections are spread over the processes: eight of them miss one of two in a run of 128. */
async function expectServed(running: LoadoutServer, fingerprint: string): Promise<void> {
  for (let i = 0; i < 8; i++) expect(await servedBy(running)).toBe(fingerprint);
}

async function readyOf(running: LoadoutServer) {
  const { status, json } = await running.admin('GET', '/readyz');
  return { status, certificate: json.certificate, expiresAt: json.certificateExpiresAt };
}

async function metric(running: LoadoutServer, name: string): Promise<number> {
  const { text } = await running.admin('GET', '/metrics');
  const line = text.split('\n').find((each) => each.startsWith(`${name} `)) ?? '';
  return Number(line.split(' ')[1] ?? Number.NaN);
}

function events(running: LoadoutServer, event: string): { reason?: string; problem?: string }[] {
  const lines = running.stderr.split('\n').filter((line) => line.includes(`"${event}"`));
  return lines.map((line) => JSON.parse(line));
}

/** Resolves when the server has done with a SIGHUP that it cannot obey. */
async function failedReload(running: LoadoutServer): Promise<string> {
  const before = events(running, 'tls_reload_failed').length;
  running.signal('SIGHUP');
  const failed = await eventually('the reload fails', changeMillisMax, () => {
    const all = events(running, 'tls_reload_failed');
    return all.length > before ? all.at(-1) : null;
  });
  return failed.reason ?? '';
}

/** Resolves when all processes serve what the files hold. */
async function goodReload(running: LoadoutServer): Promise<void> {
  const before = events(running, 'tls_reloaded').length;
  running.signal('SIGHUP');
  await eventually('the reload is done', changeMillisMax, () => {
    return events(running, 'tls_reloaded').length > before;
  });
}

/** Ends one delivery process from outside; resolves with the one that took its place. */
/** @param pid of the one; the first of them when left out */
async function killOne(running: LoadoutServer, pid?: number): Promise<number> {
  const before = listenersOf(running.pid, running.deliveryPort);
  const victim = pid ?? before[0] ?? 0;
  process.kill(victim, 'SIGKILL');
  return eventually('another process listens', changeMillisMax, () => {
    const now = listenersOf(running.pid, running.deliveryPort);
    return now.length === before.length ? now.find((pid) => !before.includes(pid)) : undefined;
  });
}

describe('serve refuses to start', () => {
  async function expectRefused(file: string, reason: RegExp): Promise<void> {
    const exit = await serveUntilExit({ data, flags: flags() });
    expect(exit.code).toBe(1);
    expect(exit.stdout).toBe('');
    const [line = '', ...more] = exit.stderr.trim().split('\n');
    expect(more).toEqual([]);
    expect(line).toContain(file);
    expect(line).toMatch(reason);
    expect(readdirSync(data).filter((name) => name.includes('tls'))).toEqual([]);
  }

  it('with a key that does not belong to the certificate, and names both files', async () => {
    renameSync(otherPair().key, key);
    await expectRefused(`--tls-key ${key}`, /does not belong to the certificate in .*cert\.pem/);
  });

  it('with a key that it may not read', () => {
    // Root may read everything: the server is of another user then.
    const asUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    for (const path of [folder, data]) chmodSync(path, 0o777);
    chmodSync(key, 0);
    const words = [program, 'serve', '--data', join(data, 'own'), '--port', '0', ...flags()];
    const ran = spawnSync(process.execPath, words, { ...asUser, encoding: 'utf8' });
    expect(ran).toMatchObject({ status: 1, stdout: '' });
    expect(ran.stderr).toContain(`error: --tls-key ${key} cannot be read`);
    expect(ran.stderr).toMatch(/user \(uid \d+\) has no permission/);
  });

  it('with a folder in place of a file', async () => {
    cert = folder;
    await expectRefused(`--tls-cert ${folder}`, /not a regular file/);
  });

  it('with an encrypted key, and says how to decrypt it', async () => {
    const plain = `${key}.plain`;
    renameSync(key, plain);
    execFileSync('openssl', [
      ...['pkey', '-in', plain, '-aes256', '-passout', 'pass:secret', '-out', key],
    ]);
    await expectRefused(`--tls-key ${key}`, /encrypted.*openssl pkey -in/);
  });

  it('with a chain of which one certificate is damaged, and says which', async () => {
    const text = readFileSync(cert, 'utf8');
    writeFileSync(cert, `${text}${text.replace(/MII.{40}/, 'MII')}`);
    await expectRefused(`--tls-cert ${cert}`, /certificate 2 of it is damaged/);
  });
});

describe('a reload with a certificate that does not fit its key', () => {
  it('leaves the old one, says so, survives a killed process, and is mended by the next reload', async () => {
    const running = await start();
    const before = listenersOf(running.pid, running.deliveryPort);
    const old = fingerprintOf(cert);
    const expiry = Date.parse(new X509Certificate(readFileSync(cert)).validTo);
    expect(await readyOf(running)).toEqual({
      status: 200,
      certificate: 'valid',
      expiresAt: new Date(expiry).toISOString(),
    });
    const metrics = await running.admin('GET', '/metrics');
    expect(metrics.text).toContain(
      `\nloadout_tls_certificate_expiry_timestamp_seconds ${expiry / 1_000}\n`,
    );
    expect(await metric(running, 'loadout_tls_reload_failed')).toBe(0);

    const other = otherPair();
    renameSync(other.cert, cert);
    expect(await failedReload(running)).toContain(`--tls-key ${key} does not belong`);
    expect(listenersOf(running.pid, running.deliveryPort)).toEqual(before);
    await expectServed(running, old);
    expect(await readyOf(running)).toMatchObject({ status: 200, certificate: 'reload_failed' });
    expect(await metric(running, 'loadout_tls_reload_failed')).toBe(1);

    for (const pid of before) await killOne(running, pid);
    expect(listenersOf(running.pid, running.deliveryPort).some((pid) => before.includes(pid))).toBe(
      false,
    );
    await expectServed(running, old);
    expect(await metric(running, 'loadout_listener_restarts_total{reason="died"}')).toBe(2);

    renameSync(other.key, key);
    await goodReload(running);
    await expectServed(running, fingerprintOf(cert));
    expect(await readyOf(running)).toMatchObject({ status: 200, certificate: 'valid' });
    expect(await metric(running, 'loadout_tls_reload_failed')).toBe(0);
    expect(await metric(running, 'loadout_listener_restarts_total{reason="replaced"}')).toBe(2);
    expect(await metric(running, 'loadout_listener_restarts_total{reason="killed"}')).toBe(0);
    await killOne(running);
    await expectServed(running, fingerprintOf(cert));
  });

  it('or that only the front end rejects, leaves the old one too', async () => {
    const running = await start();
    const old = fingerprintOf(cert);
    makeRejected(cert, key);
    expect(await failedReload(running)).toMatch(/could not start.*TLS library does not load/);
    expect(readdirSync(data).filter((name) => name.includes('tls'))).toEqual(['tls.pem']);
    for (const _ of [1, 2]) await killOne(running);
    await expectServed(running, old);
    await running.stop();
    const exit = await serveUntilExit({ data, flags: flags() });
    expect(exit.code).toBe(1);
    expect(exit.stderr).toMatch(/^error: .*--tls-cert and --tls-key/m);
  });

  it('waits for the key that a renewal tool writes after the certificate', async () => {
    const running = await start();
    const other = otherPair();
    renameSync(other.cert, cert);
    running.signal('SIGHUP');
    // The signal is handled before this request, which is sent after it.
    await readyOf(running);
    renameSync(other.key, key);
    await eventually('the reload is done', changeMillisMax, () => {
      return events(running, 'tls_reloaded').length > 0;
    });
    expect(events(running, 'tls_reload_failed')).toEqual([]);
    await expectServed(running, fingerprintOf(cert));
  });

  it('does not take an expired certificate for a valid one, though a start does', async () => {
    const running = await start();
    const old = fingerprintOf(cert);
    makeExpired(cert, key);
    expect(await failedReload(running)).toMatch(/expired at 2021-01-0.*the one that is served is/);
    await expectServed(running, old);
    await running.stop();
    const again = await start();
    expect(await readyOf(again)).toMatchObject({ status: 200, certificate: 'expired' });
    expect(events(again, 'tls_certificate_warning')).toMatchObject([{ problem: 'expired' }]);
    await expectServed(again, fingerprintOf(cert));
  });
});

describe('the private copy of the certificate', () => {
  const copies = (): string[] => readdirSync(data).filter((name) => name.includes('tls'));

  it('is readable for its owner alone, and goes with the end of the server', async () => {
    const running = await start();
    expect(copies()).toEqual(['tls.pem']);
    expect(statSync(join(data, 'tls.pem')).mode & 0o777).toBe(0o600);
    await goodReload(running);
    expect(copies()).toEqual(['tls.pem']);
    await running.stop();
    expect(copies()).toEqual([]);
  });

  it('serves players after a crash of the control process while the files cannot be used', async () => {
    const crashed = await start();
    const old = fingerprintOf(cert);
    await kill(crashed);
    const other = otherPair();
    renameSync(other.cert, cert);
    const again = await start();
    await expectServed(again, old);
    expect(await readyOf(again)).toMatchObject({ status: 200, certificate: 'reload_failed' });
    expect(events(again, 'tls_last_good_served')[0]?.reason).toContain(`--tls-key ${key}`);
    renameSync(other.key, key);
    await goodReload(again);
    await expectServed(again, fingerprintOf(cert));
  });

  it('does not stand in for other files, nor after an end in order', async () => {
    const crashed = await start();
    await kill(crashed);
    const absent = ['--tls-cert', join(folder, 'none.pem'), '--tls-key', key];
    expect((await serveUntilExit({ data, flags: absent })).code).toBe(1);
    expect(copies()).toEqual(['tls.pem']);
    rmSync(key);
    // A start that something else ends leaves the copy to the next one.
    const foreign = createServer().listen(0, '127.0.0.1');
    await once(foreign, 'listening');
    const { port } = foreign.address() as AddressInfo;
    const refused = await serveUntilExit({ data, adminPort: port, flags: flags() });
    foreign.close();
    expect(refused.stderr).toContain(`Port ${port}`);
    const running = await start();
    await running.stop();
    expect((await serveUntilExit({ data, flags: flags() })).code).toBe(1);
  });

  it('goes when TLS is switched off', async () => {
    const crashed = await start();
    await kill(crashed);
    expect(copies()).toEqual(['tls.pem']);
    server = await startServer({ data });
    expect(copies()).toEqual([]);
  });
});

it('SIGHUP during a start does not end the server', async () => {
  const launched = new Launched({ flags: flags() }, data, {});
  await eventually('the start has begun', changeMillisMax, () => existsSync(join(data, 'lock.db')));
  launched.child.kill('SIGHUP');
  server = await launched.server(data);
  const running = server;
  await eventually('it is obeyed afterwards', changeMillisMax, () => {
    return events(running, 'tls_reloaded').length === 1;
  });
});

/** Kills the control process, as a crash does; resolves when its delivery processes have followed it. */
async function kill(running: LoadoutServer): Promise<void> {
  const children = childrenOf(running.pid);
  running.signal('SIGKILL');
  await running.exit;
  server = null;
  await eventually('its processes are gone', changeMillisMax, () => !children.some(isAlive));
}

/** A key whose public exponent is larger than BoringSSL takes, and OpenSSL does not mind. */
function makeRejected(certPath: string, keyPath: string): void {
  const exponent = `rsa_keygen_pubexp:${2 ** 40 + 1}`;
  const run = (...words: string[]) => execFileSync('openssl', words, { stdio: 'pipe' });
  run(...['genpkey', '-algorithm', 'RSA', '-pkeyopt', exponent, '-out', keyPath]);
  run(
    ...['req', '-x509', '-key', keyPath, '-days', '2', '-subj', '/CN=localhost'],
    '-out',
    certPath,
  );
}

/** Self-signed, valid for one day of 2021. */
function makeExpired(certPath: string, keyPath: string): void {
  const request = ['-new', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost'];
  const run = (...words: string[]) => execFileSync('openssl', words, { stdio: 'pipe' });
  const [config, database] = [join(folder, 'ca.cnf'), join(folder, 'index.txt')];
  writeFileSync(database, '');
  writeFileSync(
    config,
    `[ca]\ndefault_ca=d\n[d]\ndatabase=${database}\nnew_certs_dir=${folder}\nrand_serial=yes\ndefault_md=sha256\npolicy=p\n[p]\ncommonName=supplied\n`,
  );
  const csr = join(folder, 'expired.csr');
  run('req', ...request, '-keyout', keyPath, '-out', csr);
  run(
    ...['ca', '-batch', '-selfsign', '-config', config, '-in', csr, '-keyfile', keyPath],
    ...['-startdate', '20210101000000Z', '-enddate', '20210102000000Z', '-out', certPath],
  );
}
