/** Commands of earlier versions, the one before this among them, work against a server of this version, with the requests of its day. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { previousCommand, previousCommit, step4Commit } from '../support/server/previous-build.js';
import { CommandLine, spawnLoadout } from '../support/server/run-loadout.js';
import { startServer } from '../support/server/server.js';
import type { LoadoutServer } from '../support/server/server-process.js';

const folder = mkdtempSync(join(tmpdir(), 'loadout-previous-command-'));
let server: LoadoutServer;
let command: CommandLine;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const dev = ['--env', 'dev'];
const text = '{\n  // kept\n  "price": 1.10,\n}\n';
const mapping = '[{"segment":"whales","merge":{"price":9.90}}]';
const file = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

describe.each([
  ['version before this one', previousCommit],
  ['version of schema step 4', step4Commit],
])('the command of the %s', (_version, commit) => {
  beforeAll(async () => {
    const program = previousCommand(commit);
    server = await startServer({ listeners: 1 });
    command = new CommandLine(server, (args, options) =>
      spawnLoadout(args, { ...options, program }),
    );
    for (const env of ['dev', 'live']) await command.run(['env', 'create', env]);
  }, 300_000);
  afterAll(async () => {
    await server.stop();
  });

  it('edits a content line by line, with mapping, schema, description and tags', async () => {
    await command.run(['segment', 'put', 'whales', '--when', '{"spend":{"$gte":100}}', ...dev]);
    const put = ['content', 'put', 'shop', file('shop.jsonc', text)];
    const about = ['--mapping', file('mapping.json', mapping), '--description', 'The shop'];
    const saved = await command.json([...put, ...about, '--tag', 'core', '--note', 'one', ...dev]);
    expect(saved).toMatchObject({ id: 'shop', revision: 1, live: 1 });
    const later = ['content', 'put', 'shop', file('later.jsonc', '{"price":2}')];
    await command.run([...later, '--app-version', '2.0.0', '--if-revision', '1', ...dev]);
    await command.run(['content', 'schema', 'put', 'shop', file('schema.json', '{}'), ...dev]);
    const shown = await command.json(['content', 'show', 'shop', ...dev]);
    expect(shown).toMatchObject({ newest: 2, live: 2, description: 'The shop', tags: ['core'] });
    expect(shown.lines).toMatchObject([{ text }, { appVersion: '2.0.0', text: '{"price":2}' }]);
    const one = ['content', 'show', 'shop', '--app-version', '0.0.0', ...dev];
    expect(await command.run(one)).toBe(text);
    expect(await command.run(['content', 'show', 'shop', '--mapping', ...dev])).toContain('9.90');
    expect(await command.json(['content', 'schema', 'show', 'shop', ...dev])).toEqual({});
  });

  it('saves drafts and dry runs, publishes, rolls back, deletes and restores', async () => {
    const put = ['content', 'put', 'shop', file('next.jsonc', '{"price":3}'), ...dev];
    const tried = await command.json([...put, '--dry-run']);
    expect(tried).toMatchObject({ dryRun: true, revision: 3, live: 3 });
    expect(await command.json([...put, '--draft'])).toMatchObject({ revision: 3, live: 2 });
    expect(await command.run(['content', 'publish', 'shop', ...dev])).toContain(
      'revision 3 is live',
    );
    expect(await command.run(['content', 'diff', 'shop', '--from', '2', ...dev])).toContain(
      '~ /price',
    );
    expect(await command.run(['content', 'rollback', 'shop', '2', ...dev])).toContain('revision 4');
    await command.run(['content', 'line', 'delete', 'shop', '2.0.0', ...dev]);
    await command.run(['content', 'delete', 'shop', ...dev]);
    expect(await command.run(['content', 'list', '--deleted', ...dev])).toContain('shop');
    await command.run(['content', 'restore', 'shop', ...dev]);
    const { revisions } = await command.json(['content', 'history', 'shop', ...dev]);
    expect(revisions.map(({ note }: { note: string }) => note)).toContain('one');
  });

  it('words what the server rejects', async () => {
    const put = ['content', 'put', 'shop', '-', ...dev];
    const broken = await command.try(put, { stdin: '{\n  "a": oops' });
    expect(broken).toMatchObject({ code: 1, stderr: expect.stringContaining('line 2') });
    const stale = await command.try([...put, '--if-revision', '1'], { stdin: '{"a":1}' });
    expect(stale).toMatchObject({ code: 1, stderr: expect.stringContaining('revision') });
    const missing = await command.try(['content', 'show', 'no-such', ...dev]);
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('no-such') });
  });

  it('evaluates, previews and tests segments', async () => {
    const who = ['-u', 'ada', '-p', '{"spend":200}'];
    expect(await command.run(['evaluate', 'shop', ...who, ...dev])).toContain('9.90');
    const unsaved = ['--file', file('unsaved.jsonc', '{"price":7}')];
    expect(await command.run(['evaluate', 'shop', '--explain', ...unsaved, ...dev])).toContain(
      '"price":7',
    );
    const contexts = ['--contexts', file('contexts', '{"p":{"spend":1}}\n{"p":{"spend":100}}\n')];
    expect(await command.run(['preview', 'shop', ...contexts, ...unsaved, ...dev])).toContain(
      '2 contexts',
    );
    expect(await command.run(['segment', 'test', 'whales', ...contexts, ...dev])).toContain(
      '1 of 2',
    );
  });

  it('exports, and imports what it exported into another environment', async () => {
    const out = join(folder, 'dev.ndjson');
    await command.run(['export', '--out', out, ...dev]);
    const live = ['--env', 'live'];
    const tried = await command.json(['import', out, '--dry-run', ...live]);
    expect(tried.counts).toEqual({ added: 1, changed: 0, unchanged: 0, removed: 0 });
    await command.run(['import', out, '--yes', ...live]);
    expect(lines(await command.run(['export', ...live]))).toEqual(
      lines(await command.run(['export', ...dev])),
    );
    await command.run(['export', '--dir', join(folder, 'dir'), ...dev]);
    const again = await command.json(['import', '--dir', join(folder, 'dir'), '--yes', ...live]);
    expect(again.counts).toMatchObject({ added: 0, changed: 0, unchanged: 1 });
  });

  it('imports an export of its day byte for byte', async () => {
    const old = ['--env', 'old'];
    await command.run(['env', 'create', 'old']);
    const ran = await command.try(['import', '-', '--yes', ...old], { stdin: oldExport });
    expect(ran).toMatchObject({ code: 0 });
    expect(lines(await command.run(['export', ...old]))).toEqual(lines(oldExport));
  });

  it('syncs, and says how environments differ', async () => {
    await command.run(['content', 'put', 'shop', '-', ...dev], { stdin: '{"price":5}' });
    expect(await command.run(['diff', 'dev', 'live'])).toContain('~ shop');
    const { changed } = await command.json(['sync', 'dev', 'live', '--yes']);
    expect(changed).toHaveLength(1);
    expect(await command.run(['diff', 'dev', 'live'])).toContain('0 changed');
  });

  it('manages keys, users and webhooks, and reads the audit', async () => {
    const { id } = await command.json(['key', 'create', '--label', 'phones', ...dev]);
    expect(await command.run(['key', 'edit', id, '--expires', '30d', ...dev])).toContain('phones');
    await command.run(['key', 'revoke', id, ...dev]);
    await command.run(['user', 'create', 'mei', 'editor', '--env', 'dev']);
    await command.run(['user', 'edit', 'mei', '--role', 'viewer']);
    const created = await command.json([
      'webhook',
      'create',
      'https://hooks.example/x',
      '--disabled',
    ]);
    expect(await command.run(['webhook', 'list'])).toContain(created.id);
    const { events } = await command.json(['audit', '--action', 'key']);
    expect(events.map(({ action }: { action: string }) => action)).toContain('key.revoke');
  });
});

/** All but the first line, which names the environment. */
function lines(exported: string): string[] {
  return exported.trimEnd().split('\n').slice(1);
}

const oldExport = `${[
  { kind: 'environment', format: 1, id: 'dev', name: 'Development', protected: false },
  { kind: 'segment', name: 'whales', description: 'Spenders', when: '{"spend":{"$gte":100}}' },
  {
    kind: 'content',
    id: 'Shop',
    description: 'Offers',
    tags: ['core'],
    lines: [
      { appVersion: '0.0.0', text: '{\n  // 1.10 stays\n  "price": 1.10,\n}\n' },
      { appVersion: '2.0.0', text: '{"price":2}' },
    ],
    mapping: '[{"segment":"whales","merge":{"price":9.90}}]',
    schema: '{"type":"object"}',
    live: true,
  },
  {
    kind: 'draft',
    id: 'Shop',
    lines: [{ appVersion: '0.0.0', text: '{"price":3}' }],
    mapping: null,
  },
  {
    kind: 'content',
    id: 'unpublished',
    description: '',
    tags: [],
    lines: [{ appVersion: '0.0.0', text: '{}' }],
    mapping: null,
    schema: null,
    live: false,
  },
  { kind: 'end', segments: 1, contents: 2 },
]
  .map((line) => JSON.stringify(line))
  .join('\n')}\n`;
