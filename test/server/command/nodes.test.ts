/** `loadout nodes` and `--wait-fleet`: against a real server, and against one whose fleet never acknowledges. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandLine, runLoadout } from '../../support/server/run-loadout.js';
import { startServer } from '../../support/server/server.js';
import type { LoadoutServer } from '../../support/server/server-process.js';

let server: LoadoutServer;
let loadout: CommandLine;

beforeAll(async () => {
  server = await startServer({ listeners: 1 });
  loadout = new CommandLine(server);
});
afterAll(() => server.stop());

describe('loadout nodes', () => {
  it('lists the one server of an embedded store with what it serves', async () => {
    await loadout.run(['env', 'create', 'dev']);
    const { nodes, sequence } = await loadout.json(['nodes']);
    expect(nodes).toHaveLength(1);
    expect(nodes[0]).toMatchObject({ sequence, lag: 0, serving: 1, live: true, self: true });
    expect(nodes[0].address).toBe(server.deliveryUrl);
    const [titles, row, ...more] = (await loadout.run(['nodes'])).trimEnd().split('\n');
    expect(titles).toMatch(/^NAME +ADDRESS +VERSION +SEQUENCE +LAG +SEEN +STATE$/);
    expect(row).toContain(`${nodes[0].name} `);
    expect(row).toMatch(/ 0 +\d{4}-\d\d-\d\dT\S+Z +live \(asked\)$/);
    expect(more).toEqual([]);
  });
});

describe('--wait-fleet', () => {
  it('ends with 0 and says nothing more when all servers serve the change', async () => {
    for (const args of [
      ['env', 'create', 'staging'],
      ['env', 'edit', 'staging', '--name', 'Staging'],
      ['key', 'create', '--env', 'staging', '--json'],
      ['segment', 'put', 'whales', '--env', 'staging', '--when', '{"spent":{"$gte":1}}'],
      ['segment', 'delete', 'whales', '--env', 'staging'],
      ['content', 'rollback', 'shop', '1', '--env', 'staging'],
      ['content', 'publish', 'shop', '--env', 'staging'],
      ['sync', 'staging', 'dev', '--yes'],
      ['content', 'delete', 'shop', '--env', 'staging'],
      ['content', 'restore', 'shop', '--env', 'staging'],
      ['env', 'delete', 'staging', '--yes'],
    ]) {
      if (args[1] === 'rollback') {
        const put = ['content', 'put', 'shop', '-', '--env', 'staging', '--wait-fleet'];
        const saved = await loadout.try(put, { stdin: '{}' });
        expect(saved).toMatchObject({ code: 0, stderr: '' });
      }
      const ran = await loadout.try([...args, '--wait-fleet']);
      expect(ran.code, `${args.join(' ')}: ${ran.stderr}`).toBe(0);
      expect(ran.stderr).not.toMatch(/server/);
    }
  });

  it('is an option of an import, which answers what it waited for', async () => {
    const exported = await loadout.run(['export', '--env', 'dev']);
    const args = ['import', '-', '--env', 'dev', '--yes', '--wait-fleet'];
    const answer = await loadout.json(args, { stdin: exported });
    expect(answer.fleet).toEqual({ acknowledged: 1, missing: [] });
  });

  it('is no option of a command that changes nothing', async () => {
    for (const args of [['env', 'list'], ['nodes'], ['diff', 'dev', 'dev']]) {
      const ran = await loadout.try([...args, '--wait-fleet']);
      expect(ran).toMatchObject({ code: 2, stdout: '' });
    }
  });
});

describe('--wait-fleet, when a server does not acknowledge', () => {
  const missing = [
    { id: 'node_b', name: 'frankfurt-2', sequence: 41, behindBelow: ['leaf-1', 'leaf\n2'] },
  ];
  let slow: Server;
  let url: string;
  let answered: Readonly<Record<string, unknown>>;
  const asked: string[] = [];

  beforeAll(async () => {
    slow = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.writeHead(201, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ id: 'key_1', key: 'the-key', sequence: 42, ...answered }));
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    slow.closeAllConnections();
    await new Promise((resolve) => slow.close(resolve));
  });

  const create = ['key', 'create', '--env', 'dev', '--wait-fleet'];
  const run = () => runLoadout(create, { env: { LOADOUT_URL: url, LOADOUT_TOKEN: 'a' } });

  it('prints the result all the same, names the server on stderr, and ends with 1', async () => {
    answered = { fleet: { acknowledged: 1, missing } };
    const ran = await run();
    expect(asked.at(-1)).toBe('POST /admin/v1/environments/dev/keys?wait=fleet');
    expect(ran).toMatchObject({ code: 1, stdout: 'the-key\n' });
    expect(ran.stderr).toContain(
      'The server frankfurt-2 does not serve the change yet: it is at sequence 41. Servers below it that are away or behind: leaf-1, leaf 2.\n',
    );
  });

  it('ends with 1 when the store went away before all were heard of', async () => {
    answered = { fleet: { acknowledged: 1, missing: [], storeUnavailable: true } };
    const ran = await run();
    expect(ran).toMatchObject({ code: 1, stdout: 'the-key\n' });
    expect(ran.stderr).toContain('The change is saved.');
  });
});
