/*
 * Goal: compose.yaml and what lies beside it fit together. Method: the loader of docker compose reads it, promtool and `serve --check`
 * read what it mounts, and a real PostgreSQL runs the roles that make-secrets.sh writes. No engine runs the containers.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasPostgres, startPostgres } from '../support/postgres/postgres.js';
import { spawnLoadout } from '../support/server/run-loadout.js';
import { makeDataFolder, startServer } from '../support/server/server.js';
import { readRecipe } from './containerfile.js';
import { hasGo, runProgram } from './programs.js';

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url));
const isInCi = process.env['CI'] !== undefined;
const hasPromtool = isInCi || spawnSync('promtool', ['--version']).status === 0;

/** A copy of `deploy/` with secrets in it. */
const copy = join(makeDataFolder(), 'deploy');
cpSync(deploy, copy, { recursive: true, filter: (path) => !/\/secrets(\.new)?$/.test(path) });
const folder = join(copy, 'compose');
const secret = (name: string): string => readFileSync(join(folder, 'secrets', name), 'utf8');

beforeAll(() => {
  execFileSync(join(folder, 'make-secrets.sh'));
});

// biome-ignore lint/suspicious/noExplicitAny: services of every form; a wrong one fails the assertion.
type Service = any;

describe.skipIf(!hasGo)('compose.yaml', () => {
  let services: Readonly<Record<string, Service>>;
  let secrets: Readonly<Record<string, { file: string }>>;

  beforeAll(() => {
    const { code, stdout, stderr } = load('compose.yaml');
    expect(code, stderr).toBe(0);
    ({ services, secrets } = JSON.parse(stdout));
  });

  function load(file: string) {
    return runProgram('manifests', ['compose', join(folder, file)]);
  }

  it('has the services that deploy/README.md names, each confined', () => {
    expect(Object.keys(services).sort()).toEqual([
      'database',
      'grafana',
      'loadout',
      'prepare',
      'prometheus',
    ]);
    for (const [name, service] of Object.entries(services)) {
      expect(service, name).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    }
  });

  it('mounts files that are there, and secrets that make-secrets.sh makes', () => {
    const mounted = Object.values(services).flatMap(({ volumes = [] }) =>
      volumes.filter(({ type }: Service) => type === 'bind').map(({ source }: Service) => source),
    );
    const named = [...mounted, ...Object.values(secrets).map(({ file }) => file)];
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('publishes nothing but the delivery port beyond this machine', () => {
    const open = Object.values(services).flatMap(({ ports = [] }) =>
      ports.filter(({ host_ip }: Service) => host_ip !== '127.0.0.1'),
    );
    expect(open.map(({ published }: Service) => published)).toEqual(['8080']);
  });

  it('follows the Containerfile', () => {
    const { healthCheck, volumes } = readRecipe();
    const { loadout, prepare } = services;
    expect(loadout.healthcheck.test).toEqual(['CMD', ...healthCheck]);
    expect(loadout.volumes.map(({ target }: Service) => target)).toContain(volumes[0]);
    for (const { build, image } of [loadout, prepare]) {
      expect(existsSync(join(copy, '..', build.dockerfile))).toBe(true);
      expect(image).toBe(prepare.image);
    }
  });

  it('gives Grafana the dashboard where it looks for it, and a source of the type that it asks for', () => {
    const provisioning = (name: string): string =>
      readFileSync(join(folder, 'grafana', name), 'utf8');
    const path = /path: ([^}\s]+)/.exec(provisioning('dashboards.yaml'))?.[1];
    const targets = services['grafana'].volumes.map(({ target }: Service) => target);
    expect(targets).toContain(`${path}/loadout.json`);
    expect(provisioning('datasources.yaml')).toContain('type: prometheus\n');
    const dashboard = JSON.parse(readFileSync(join(copy, 'grafana/loadout.json'), 'utf8'));
    const asked = dashboard.templating.list.filter(({ type }: Service) => type === 'datasource');
    expect(asked.map(({ query }: Service) => query)).toEqual(['prometheus']);
  });

  it.each([
    ['an unknown key', /read_only: true/, 'readonly: true'],
    ['a secret that is none', /secrets: \[owner-database\]/, 'secrets: [owner]'],
    [
      'a service that is none',
      /database: \{condition: service_healthy\}/,
      'db: {condition: service_healthy}',
    ],
  ])('would not load with %s', (_what, from, to) => {
    const text = readFileSync(join(folder, 'compose.yaml'), 'utf8');
    expect(text).toMatch(from);
    writeFileSync(join(folder, 'changed.yaml'), text.replace(from, to));
    expect(load('changed.yaml').code).toBe(1);
  });
});

describe('what compose.yaml mounts', () => {
  it.skipIf(!hasPromtool)('is a configuration that Prometheus takes, with the rules', () => {
    cpSync(join(copy, 'prometheus/loadout.rules.yml'), join(folder, 'loadout.rules.yml'));
    const args = ['check', 'config', join(folder, 'prometheus.yml')];
    const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
    expect(status, stdout + stderr).toBe(0);
    expect(stdout).toMatch(/SUCCESS: \d+ rules found/);
  });

  it('is readable for other users in a folder that is closed, and is made once', () => {
    const modes = readdirSync(join(folder, 'secrets')).map(
      (name) => statSync(join(folder, 'secrets', name)).mode & 0o777,
    );
    expect(new Set(modes)).toEqual(new Set([0o644]));
    expect(statSync(join(folder, 'secrets')).mode & 0o777).toBe(0o700);
    const before = secret('admin-token');
    execFileSync(join(folder, 'make-secrets.sh'), { stdio: 'ignore' });
    expect(secret('admin-token')).toBe(before);
    expect(before).toMatch(/^[0-9a-f]{32}$/);
  });

  it.skipIf(!hasPostgres)(
    'makes a database that `prepare` prepares and the server serves from',
    async () => {
      const postgres = await startPostgres();
      // The tests' own role is not what the script makes.
      await postgres.query('DROP ROLE loadout');
      for (const statement of secret('roles.sql').split(';\n').filter(Boolean)) {
        await postgres.query(statement);
      }
      // As the containers get them, but for the host.
      const { host } = new URL(postgres.url());
      for (const name of ['owner-database', 'server-database']) {
        writeFileSync(join(folder, 'secrets', name), secret(name).replace('database:5432', host));
      }
      const prepared = await spawnLoadout(['database', 'prepare', '--grant-to', 'loadout'], {
        env: { LOADOUT_DATABASE_FILE: join(folder, 'secrets/owner-database') },
      });
      expect([prepared.code, prepared.stderr]).toEqual([0, '']);
      const configuration = join(folder, 'loadout.jsonc');
      const text = readFileSync(configuration, 'utf8');
      writeFileSync(configuration, text.replace('/run/secrets', join(folder, 'secrets')));
      const server = await startServer({
        listeners: 1,
        flags: ['--config', configuration, '--metrics-port', '0', '--metrics-host', '127.0.0.1'],
      });
      try {
        const { status } = await server.admin('POST', '/admin/v1/environments', { id: 'dev' });
        expect(status).toBe(201);
        const [{ count } = { count: '0' }] = await postgres.query<{ count: string }>(
          "SELECT count(*) FROM pg_stat_activity WHERE usename = 'loadout' AND datname = 'loadout'",
        );
        expect(Number(count)).toBeGreaterThan(0);
      } finally {
        await server.stop();
      }
    },
  );
});
