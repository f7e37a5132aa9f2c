import { Command } from 'commander';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  serveOptions,
  withFleetOptions,
  withServeOptions,
} from '../../../../src/command/server/serve-options.js';

const defaults = { host: '0.0.0.0', data: './data', logLevel: 'info', webhooksToLocal: false };

function parse(...args: string[]) {
  const command = withFleetOptions(withServeOptions(new Command(), defaults));
  command.exitOverride().configureOutput({ writeErr: () => undefined });
  return serveOptions(command.parse(args, { from: 'user' }).opts(), './data');
}

beforeEach(() => {
  for (const name of ['LOADOUT_PROCESSES', 'LOADOUT_LISTENERS']) vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

it('gives every option in the unit of its name', () => {
  expect(parse('--last-used-seconds', '5', '--session-hours', '2')).toMatchObject({
    ...{ lastUsedEveryMs: 5_000, sessionIdleMs: 7_200_000, port: 8080, data: './data' },
    ...{ processes: null, keyRateMax: null, keepRevisions: null, nodeName: null, tlsCert: null },
    ...{ corsOrigins: ['*'], trustedProxies: [], acceptEmptyStore: false, native: 'auto' },
    ...{ bodyBytesMax: 65_536, idsMax: 100, database: null, lenientCatalog: false },
  });
  expect(parse('--audit-days', 'all').auditDaysKept).toBeNull();
  expect(parse('--node-name', ' a ').nodeName).toBe('a');
});

it('takes each option from the environment, which the command line overrides', () => {
  vi.stubEnv('LOADOUT_ADMIN_TRUST_PROXY', '10.0.0.0/8');
  vi.stubEnv('LOADOUT_LENIENT_CATALOG', 'false');
  vi.stubEnv('LOADOUT_PROCESSES', '3');
  expect(parse()).toMatchObject({ trustedProxies: ['10.0.0.0/8'], lenientCatalog: false });
  expect(parse().processes).toBe(3);
  expect(parse('--processes', '4').processes).toBe(4);
});

it('takes the earlier name of --processes, on the command line and in the environment', () => {
  expect(parse('--listeners', '3').processes).toBe(3);
  vi.stubEnv('LOADOUT_LISTENERS', '5');
  expect(parse().processes).toBe(5);
  expect(parse('--processes', '5').processes).toBe(5);
});

it('rejects both names with different values, and says how they are called', () => {
  expect(() => parse('--processes', '2', '--listeners', '3')).toThrow(
    '--processes (LOADOUT_PROCESSES) is 2, and its earlier name --listeners (LOADOUT_LISTENERS) is 3',
  );
  vi.stubEnv('LOADOUT_LISTENERS', '5');
  expect(() => parse('--processes', '2')).toThrow('LOADOUT_LISTENERS');
});

it('rejects values out of range, and files and ports that do not fit together', () => {
  expect(() => parse('--processes', '0')).toThrow('from 1 to 1024');
  expect(() => parse('--node-name', 'a'.repeat(101))).toThrow('at most 100 characters');
  expect(() => parse('--tls-cert', 'a.pem')).toThrow('belong together');
  expect(() => parse('--port', '9', '--admin-port', '9')).toThrow('must differ');
  expect(() => parse('--database-replica', 'postgres://a/b')).toThrow('needs --database');
  const large = ['--text-bytes-max', String(200 * 1024 * 1024)];
  expect(parse(...large).textBytesMax).toBe(200 * 1024 * 1024);
  expect(() => parse(...large, '--database', 'postgres://a/b')).toThrow('134217728');
});
