/** Where commands print that an environment lists more flags than a bulk evaluation has: on standard error, and only there. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeEnvironment } from '../../support/server/environment.js';
import { CommandLine, type Ran } from '../../support/server/run-loadout.js';
import { startServer } from '../../support/server/server.js';
import type { LoadoutServer } from '../../support/server/server-process.js';

const names = Array.from({ length: 600 }, (_, n) => `${n}`);
const text = JSON.stringify(Object.fromEntries(names.map((name) => [name, true])));
const flags = names.map((name) => `/${name}`);
const warning =
  /^warning: flags: the content of this environment lists (\d+) flags with this change, and a bulk evaluation has at most 1000: .+$/gm;

let server: LoadoutServer;
let loadout: CommandLine;
let env: string;
let environments = 0;

beforeAll(async () => {
  server = await startServer({ listeners: 1 });
  loadout = new CommandLine(server);
});
afterAll(async () => {
  await server?.stop();
});

/** An environment with 600 flags. */
beforeEach(async () => {
  environments += 1;
  env = `env${environments}`;
  const made = await makeEnvironment(server, env);
  await made.put('wide', text, { flags });
});

/** Runs it, and returns the totals that it warns of. */
async function totalsOf(args: readonly string[], stdin?: string): Promise<number[]> {
  const ran: Ran = await loadout.try(args, stdin === undefined ? {} : { stdin });
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  expect(ran.stdout).not.toMatch(/^warning/m);
  return [...ran.stderr.matchAll(warning)].map(([, total]) => Number(total));
}

const inEnv = (): string[] => ['--env', env];

describe('more flags in an environment than a bulk evaluation has', () => {
  it('are warned of by content put, line delete, publish, rollback and restore', async () => {
    const path = `/admin/v1/environments/${env}/contents/more`;
    await server.admin('PUT', path, JSON.stringify({ text, flags: flags.slice(0, 400) }));
    const put = ['content', 'put', 'more', '--flags', '-', ...inEnv()];
    const json = JSON.stringify(flags.slice(0, 401));
    expect(await totalsOf([...put, '--dry-run'], json)).toEqual([1_001]);
    expect(await totalsOf([...put, '--draft'], json)).toEqual([1_001]);
    expect(await totalsOf(['content', 'publish', 'more', ...inEnv()])).toEqual([1_001]);
    const rollback = ['content', 'rollback', 'more'];
    expect(await totalsOf([...rollback, '1', ...inEnv()])).toEqual([]);
    expect(await totalsOf([...rollback, '2', ...inEnv()])).toEqual([1_001]);
    await server.admin('DELETE', path);
    expect(await totalsOf(['content', 'restore', 'more', ...inEnv()])).toEqual([1_001]);
    await server.admin('PUT', path, JSON.stringify({ text, appVersion: '2.0.0' }));
    const line = ['content', 'line', 'delete', 'more', '2.0.0', '--yes', ...inEnv()];
    expect(await totalsOf(line)).toEqual([1_001]);
  });

  it('are warned of by sync, diff and import, done or only tried', async () => {
    const to = `${env}-live`;
    const live = await makeEnvironment(server, to);
    await live.put('here', text, { flags: flags.slice(0, 401) });
    expect(await totalsOf(['diff', env, to])).toEqual([1_001]);
    expect(await totalsOf(['sync', env, to, '--dry-run', '--json'])).toEqual([1_001]);
    expect(await totalsOf(['sync', env, to, '--yes'])).toEqual([1_001]);
    const file = await loadout.run(['export', '--env', to]);
    const bring = ['import', '-', ...inEnv()];
    expect(await totalsOf([...bring, '--dry-run'], file)).toEqual([1_001]);
    expect(await totalsOf([...bring, '--yes'], file)).toEqual([1_001]);
  });
});
