/** The authoring commands against a real server: a team's first hour, command by command. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Environment } from '../../support/server/environment.js';
import { CommandLine, runLoadout } from '../../support/server/run-loadout.js';
import { startServer } from '../../support/server/server.js';
import type { LoadoutServer } from '../../support/server/server-process.js';

const folder = mkdtempSync(join(tmpdir(), 'loadout-command-'));
let server: LoadoutServer;
let loadout: CommandLine;

beforeAll(async () => {
  server = await startServer({ listeners: 1 });
  loadout = new CommandLine(server);
  await loadout.run(['env', 'create', 'staging', '--name', 'Staging']);
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true });
});

function file(name: string, text: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** The environment as a game client sees it. */
async function client(env: string): Promise<Environment> {
  const key = await loadout.json(['key', 'create', '--env', env]);
  return new Environment(server, env, key);
}

describe('loadout env', () => {
  it('creates, lists, shows, protects and deletes', async () => {
    await loadout.run(['env', 'create', 'qa', '--protected']);
    expect(await loadout.run(['env', 'list'])).toMatch(
      /^qa +qa +yes +0\nstaging +Staging +no +0$/m,
    );
    expect(await loadout.json(['env', 'list'])).toMatchObject({
      environments: [{ id: 'qa', protected: true }, { id: 'staging' }],
    });
    for (const yes of [[], ['--yes']]) {
      const kept = await loadout.try(['env', 'delete', 'qa', ...yes]);
      expect(kept.code).toBe(1);
      expect(kept.stderr).toContain('protected');
    }
    await loadout.run(['env', 'edit', 'qa', '--protected', 'false', '--yes', '--name', 'Quality']);
    expect(await loadout.run(['env', 'show', 'qa'])).toMatch(/^qa +Quality +no +0$/m);
    const unasked = await loadout.try(['env', 'delete', 'qa']);
    expect(unasked).toMatchObject({ code: 1, stdout: '' });
    expect(unasked.stderr).toContain('--yes');
    expect(await loadout.run(['env', 'delete', 'qa', '--yes'])).toBe('Deleted qa.\n');
    expect((await loadout.try(['env', 'show', 'qa'])).code).toBe(1);
  });

  it('refuses an id in use, and prints nothing on stdout', async () => {
    const ran = await loadout.try(['env', 'create', 'staging']);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toMatch(/^error: Conflict: There is an environment "staging" already\.$/m);
  });
});

describe('loadout key', () => {
  it('prints the key alone, so that a script can take it', async () => {
    const key = (await loadout.run(['key', 'create', '--env', 'staging'])).trim();
    expect(key).toMatch(/^\S{26,}$/);
    const game = new Environment(server, 'staging', { id: '', key });
    expect((await game.catalog()).status).toBe(200);
  });

  it('lists and revokes', async () => {
    const args = ['key', 'create', '--env', 'staging', '--label', 'ci', '--expires', '30d'];
    const created = await loadout.json(args);
    const game = new Environment(server, 'staging', created);
    expect((await game.catalog()).status).toBe(200);
    const listed = await loadout.run(['key', 'list', '--env', 'staging']);
    expect(listed).toContain(created.id);
    expect(listed).toContain(created.expiresAt);
    expect(listed).not.toContain(created.key);
    await loadout.run(['key', 'revoke', created.id, '--env', 'staging']);
    expect((await game.catalog()).status).toBe(401);
  });

  it('edits the label and the expiry, and shows when a key was used', async () => {
    const { id, key } = await loadout.json(['key', 'create', '--env', 'staging']);
    const edit = ['key', 'edit', id, '--env', 'staging'];
    await loadout.run([...edit, '--label', 'ios', '--expires', '2020-01-01']);
    const game = new Environment(server, 'staging', { id, key });
    expect((await game.catalog()).status).toBe(401);
    const edited = await loadout.run([...edit, '--expires', 'never']);
    expect(edited).toMatch(/LAST USED/);
    expect(edited).toMatch(new RegExp(`^${id} .* ios +never +never$`, 'm'));
    expect((await game.catalog()).status).toBe(200);
    expect((await loadout.try(edit)).code).toBe(2);
    expect((await loadout.try([...edit, '--expires', 'soon'])).code).toBe(2);
  });

  it('takes a key of your own from standard input, away from the list of processes', async () => {
    const own = 'own-key-0123456789-abcdefghij';
    const args = ['key', 'create', '--env', 'staging', '--value', '-'];
    expect(await loadout.run(args, { stdin: `${own}\n` })).toBe(`${own}\n`);
    const game = new Environment(server, 'staging', { id: '', key: own });
    expect((await game.catalog()).status).toBe(200);
  });
});

describe('loadout content', () => {
  const text = '{\r\n  // prices\n  "price": 1.10, "big": 9007199254740993, "ü": "\\u00fc🔥",\n}';

  it('puts a file, delivers it, and gives it back exactly', async () => {
    const path = file('shop.jsonc', `\uFEFF${text}`);
    const put = await loadout.run(['content', 'put', 'shop', path, '--env', 'staging']);
    expect(put).toMatch(/^shop: revision 1 is live, hash [0-9a-f]{16}\n$/);
    const game = await client('staging');
    expect((await game.plain('shop')).text).toBe(
      '{"price":1.10,"big":9007199254740993,"ü":"\\u00fc🔥"}',
    );
    expect(await loadout.run(['content', 'get', 'SHOP', '--env', 'staging'])).toBe(text);
    const whole = await loadout.json(['content', 'get', 'shop', '--env', 'staging']);
    expect(whole).toMatchObject({
      id: 'shop',
      revision: 1,
      lines: [{ appVersion: '0.0.0', text }],
    });
  });

  it('reads standard input, with - and without', async () => {
    for (const [index, args] of [['-'], []].entries()) {
      const put = ['content', 'put', 'piped', ...args, '--env', 'staging'];
      await loadout.run(put, { stdin: `{"n":${index}}` });
      expect(await loadout.run(['content', 'get', 'piped', '--env', 'staging'])).toBe(
        `{"n":${index}}`,
      );
    }
  });

  it('sends a mapping byte for byte, comments aside', async () => {
    const mapping = file(
      'mapping.jsonc',
      '[ // one rule\n { "segment": "all", "when": {}, "merge": { "__proto__": 1.10, "x": 1e400, "é": "\\u00e9" }, },\n]',
    );
    const put = ['content', 'put', 'mapped', file('mapped.json', '{"x":0}'), '--env', 'staging'];
    await loadout.run([...put, '--mapping', mapping]);
    const game = await client('staging');
    expect((await game.wrapped('mapped')).text).toContain(
      '{"data":{"x":1e400,"__proto__":1.10,"é":"\\u00e9"},',
    );
    expect(await loadout.run(['content', 'get', 'mapped', '--mapping', '--env', 'staging'])).toBe(
      '[{"segment":"all","when":{},"merge":{"__proto__":1.10,"x":1e400,"é":"\\u00e9"}}]\n',
    );
    // A mapping alone: the text stays, and --no-mapping ends it.
    const none = await loadout.try([
      'content',
      'put',
      'mapped',
      '--no-mapping',
      '--env',
      'staging',
    ]);
    expect(none).toMatchObject({ code: 0, stdout: expect.stringContaining('revision 2 is live') });
    expect(none.stderr).toContain('The text is unchanged');
    expect((await game.wrapped('mapped')).text).toContain('{"data":{"x":0},');
  });

  it('refuses a wrong text with path, line and column', async () => {
    const path = file('wrong.jsonc', '{\n  "a": 1,\n  "b": oops\n}');
    const ran = await loadout.try(['content', 'put', 'wrong', path, '--env', 'staging']);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toMatch(/^error: Bad Request: .+\n {2}text: .+ \(line 3, column 8\)\n$/);
  });

  it('keeps lines apart and asks which one is meant', async () => {
    const put = ['content', 'put', 'lines', '-', '--env', 'staging'];
    await loadout.run(put, { stdin: '{"old":true}' });
    await loadout.run([...put, '--app-version', '2.0.0'], { stdin: '{"new":true}' });
    const get = ['content', 'get', 'lines', '--env', 'staging'];
    const unclear = await loadout.try(get);
    expect(unclear).toMatchObject({ code: 1, stdout: '' });
    expect(unclear.stderr).toContain('lines has the version lines 0.0.0, 2.0.0: name one');
    expect(await loadout.run([...get, '--app-version', '02.0.0'])).toBe('{"new":true}');
    expect((await loadout.try([...get, '--app-version', '3.0.0'])).code).toBe(1);
    await loadout.run(['content', 'line', 'delete', 'lines', '2.0.0', '--env', 'staging']);
    expect(await loadout.run(get)).toBe('{"old":true}');
  });

  it('drafts, publishes, rolls back and shows the history', async () => {
    const put = ['content', 'put', 'news', '-', '--env', 'staging'];
    await loadout.run([...put, '--note', 'first'], { stdin: '1' });
    const draft = await loadout.run([...put, '--draft', '--note', 'second'], { stdin: '2' });
    expect(draft).toContain('revision 2 is a draft; revision 1 is live');
    const game = await client('staging');
    expect((await game.plain('news')).text).toBe('1');
    await loadout.run(['content', 'publish', 'news', '2', '--env', 'staging']);
    expect((await game.plain('news')).text).toBe('2');
    const back = await loadout.run(['content', 'rollback', 'news', '1', '--env', 'staging']);
    expect(back).toContain('revision 3 is live');
    expect((await game.plain('news')).text).toBe('1');
    const revisions = await loadout.run(['content', 'revisions', 'news', '--env', 'staging']);
    expect(revisions).toMatch(/^3 +yes .*\n2 .*second\n1 .*first$/m);
    const limited = await loadout.json([
      'content',
      'revisions',
      'news',
      '--limit',
      '1',
      '--env',
      'staging',
    ]);
    expect(limited.revisions).toHaveLength(1);
    const old = ['content', 'get', 'news', '--revision', '2', '--env', 'staging'];
    expect(await loadout.run(old)).toBe('2');
  });

  it('refuses to overwrite what somebody else saved', async () => {
    const put = ['content', 'put', 'shared', '-', '--env', 'staging', '--if-revision'];
    await loadout.run([...put, '0'], { stdin: '1' });
    const second = await loadout.try([...put, '0'], { stdin: '2' });
    expect(second.code).toBe(1);
    expect(second.stderr).toContain('Conflict: The newest revision is 1');
  });

  it('lists with tags and deletes', async () => {
    const put = ['content', 'put', 'listed', '-', '--env', 'staging', '--description', 'What.'];
    await loadout.run([...put, '--tag', 'core', '--tag', 'ui'], { stdin: '{}' });
    const listed = await loadout.run(['content', 'list', '--env', 'staging']);
    expect(listed).toMatch(/^CONTENT +LIVE +NEWEST +HASH +LINES +MAPPING +SIZE +TAGS$/m);
    expect(listed).toMatch(/^listed +1 +1 +[0-9a-f]{16} +1 +no +2 B +core, ui$/m);
    await loadout.run(['content', 'put', 'listed', '--tag', '', '--env', 'staging']);
    const { contents } = await loadout.json(['content', 'list', '--env', 'staging']);
    const found = contents.find((content: { id: string }) => content.id === 'listed');
    expect(found).toMatchObject({ description: 'What.', tags: [] });
    await loadout.run(['content', 'delete', 'listed', '--env', 'staging']);
    expect(await loadout.run(['content', 'list', '--env', 'staging'])).not.toContain('listed');
  });

  it('takes the environment from LOADOUT_ENV', async () => {
    const env = { LOADOUT_ENV: 'staging' };
    expect(await loadout.run(['content', 'list'], { env })).toContain('CONTENT');
  });
});

describe('loadout segment', () => {
  it('saves from a file, from standard input or from --when, and gives the condition back', async () => {
    const put = ['segment', 'put', 'whales', '--env', 'staging'];
    const path = file('whales.jsonc', '{ "spend": { "$gte": 1e2 } } // a lot\n');
    const get = ['segment', 'get', 'whales', '--env', 'staging'];
    await loadout.run(['segment', 'put', 'whales', path, '--env', 'staging']);
    expect(await loadout.run(get)).toBe('{"spend":{"$gte":1e2}}\n');
    await loadout.run(put, { stdin: '{"spend":{"$gte":200}}' });
    expect(await loadout.run(get)).toBe('{"spend":{"$gte":200}}\n');
    await loadout.run([...put, '--when', '{"spend":{"$gte":300}}', '--description', 'Spenders.']);
    expect(await loadout.run(['segment', 'list', '--env', 'staging'])).toMatch(
      /^whales +\{"spend":\{"\$gte":300\}\} +Spenders\.$/m,
    );
  });

  it('refuses what is no condition, and to delete what is in use', async () => {
    const put = ['segment', 'put', 'odd', '--env', 'staging', '--when'];
    const ran = await loadout.try([...put, '{"a":{"$near":1}}']);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/^ {2}when\.a\.\$near: /m);
    const both = await loadout.try([...put, '{}', file('odd.json', '{}')]);
    expect(both.code).toBe(2);

    await loadout.run([...put, '{"a":1}']);
    const rule = file('rule.json', '[{"segment":"odd","merge":{"b":1}}]');
    const content = file('used.json', '{}');
    await loadout.run(['content', 'put', 'used', content, '--mapping', rule, '--env', 'staging']);
    const used = await loadout.try(['segment', 'delete', 'odd', '--env', 'staging']);
    expect(used.code).toBe(1);
    expect(used.stderr).toContain('used');
    await loadout.run(['content', 'put', 'used', '--no-mapping', '--env', 'staging']);
    expect(await loadout.run(['segment', 'delete', 'odd', '--env', 'staging'])).toBe(
      'Deleted odd.\n',
    );
  });

  it('shows who changed a condition, what and why, and rolls it back', async () => {
    const seg = (verb: string, ...more: string[]) => {
      return ['segment', verb, 'vip', ...more, '--env', 'staging'];
    };
    await loadout.run([...seg('put', '--when', '{"spent":1.0}', '--note', 'first')]);
    const rule = file('vip.json', '[{"segment":"vip","merge":{"price":1}}]');
    const text = file('vip-shop.json', '{"price":2}');
    const put = ['content', 'put', 'vip-shop', text, '--mapping', rule, '--env', 'staging'];
    await loadout.run(put);
    const game = await client('staging');
    const spender = { u: 'ada', p: { spent: 1 } };
    expect(await game.segments('vip-shop', spender)).toEqual(['vip']);
    const second = ['--when', '{"spent":1,"level":2}', '--note', 'only the old', '--yes'];
    await loadout.run(seg('put', ...second));
    expect(await game.segments('vip-shop', spender)).toEqual([]);

    expect(await loadout.run(seg('history'))).toMatch(
      /^REVISION +CURRENT +SAVED +BY +FROM +NOTE\n2 +yes +\S+Z +owner +only the old\n1 +\S+Z +owner +first\n$/,
    );
    const { revisions } = await loadout.json(seg('history', '--limit', '1'));
    expect(revisions).toMatchObject([{ revision: 2, current: true, author: 'owner' }]);
    expect(await loadout.run(seg('show', '--revision', '1'))).toBe('{"spent":1.0}\n');
    expect((await loadout.json(seg('show', '--revision', '1'))).note).toBe('first');
    expect(await loadout.run(seg('diff'))).toBe(
      'vip: revision 1 by owner -> revision 2 (current) by owner\n  ~ /spent: 1.0 -> 1\n  + /level: 2\n',
    );
    expect(await loadout.run(seg('diff', '--from', '1', '--to', '2', '--text'))).toMatch(
      /^ {2}-\{"spent":1\.0\}$/m,
    );
    expect(await loadout.run(seg('diff', '--to', '1'))).toMatch(
      /^vip: nothing -> revision 1 by owner\n.*\+\{"spent":1\.0\}/s,
    );

    expect(await loadout.run(seg('rollback', '1'))).toBe(
      'vip: revision 3 is current, with the condition of revision 1. It reaches vip-shop.\n',
    );
    expect(await game.segments('vip-shop', spender)).toEqual(['vip']);
    expect(await loadout.run(seg('history'))).toMatch(/^3 +yes .*Rolled back to revision 1\.$/m);
    const events = await loadout.run(['audit', '--action', 'segment.rollback', '--name', 'vip']);
    expect(events).toMatch(/segment\.rollback +staging +vip +revision: 2 -> 3, /);

    const unknown = await loadout.try(seg('rollback', '9'));
    expect([unknown.code, unknown.stdout]).toEqual([1, '']);
    expect(unknown.stderr).toContain('The segment "vip" has no revision 9');
    expect((await loadout.try(seg('rollback'))).code).toBe(2);
    expect((await loadout.try(seg('diff', '--from', '0'))).code).toBe(2);
  });

  it('brings a deleted segment back from its history', async () => {
    const seg = (verb: string, ...more: string[]) => {
      return ['segment', verb, 'gone', ...more, '--env', 'staging'];
    };
    await loadout.run(seg('put', '--when', '{"a":1}'));
    await loadout.run(seg('delete'));
    expect(await loadout.run(seg('history'))).toMatch(/^1 +\S+Z +owner/m);
    expect(await loadout.run(seg('rollback', '1'))).toBe(
      'gone: revision 2 is current, with the condition of revision 1. It reaches no live content.\n',
    );
    expect(await loadout.run(seg('show'))).toBe('{"a":1}\n');
  });
});

describe('loadout sync', () => {
  it('shows what would change, then changes it', async () => {
    await loadout.run(['env', 'create', 'from']);
    await loadout.run(['env', 'create', 'to']);
    const spenders = ['segment', 'put', 'spenders', '--env', 'from', '--when'];
    await loadout.run([...spenders, '{"spend":{"$gt":0}}']);
    const mapping = file('sync.json', '[{"segment":"spenders","merge":{"n":3}}]');
    for (const id of ['a', 'b']) {
      await loadout.run(['content', 'put', id, '-', '--env', 'from'], { stdin: '{"n":1,"m":[1]}' });
    }
    const sync = ['sync', 'from', 'to'];
    const dry = await loadout.run([...sync, '--dry-run']);
    expect(dry).toContain('+ a (revision 1)\n+ b (revision 1)\nWould be: 2 added');
    expect(await loadout.run(['content', 'list', '--env', 'to'])).toBe('No contents.\n');
    expect(await loadout.run([...sync, 'A', '--yes'])).toContain('Done: 1 added');
    const game = await client('to');
    expect((await game.plain('a')).status).toBe(200);
    expect((await game.plain('b')).status).toBe(404);

    await loadout.run(['content', 'put', 'a', '-', '--env', 'from'], {
      stdin: '{"n":2,"m":[1,2]}',
    });
    const edit = ['content', 'put', 'b', '--mapping', mapping, '--env', 'from'];
    await loadout.run(edit);
    const shown = [
      '+ segment spenders: {"spend":{"$gt":0}}',
      '+ b (revision 2)',
      '~ a (revision 2 over 1)',
      '    line 0.0.0: changed',
      '      ~ /n: 1 -> 2',
      '      + /m/1: 2',
    ];
    const diff = await loadout.run(['diff', 'from', 'to']);
    expect(diff).toBe(
      `${shown.join('\n')}\nWould be: 1 added, 1 changed, 0 unchanged. Nothing was changed.\n`,
    );
    // Nobody is there to be asked.
    const unasked = await loadout.try(sync);
    expect(unasked).toMatchObject({ code: 1, stdout: '' });
    expect(unasked.stderr).toContain('This will change 2 contents in to. Use --yes');
    expect(await loadout.run([...sync, '--yes'])).toContain(
      'Done: 1 added, 1 changed, 0 unchanged.',
    );
    expect((await loadout.json(sync)).unchanged).toEqual(['a', 'b']);
  });

  it('makes a release instead, without a question, and says what comes next', async () => {
    await loadout.run(['env', 'create', 'source']);
    await loadout.run(['env', 'create', 'reviewed', '--review', '1']);
    await loadout.run(['content', 'put', 'a', '-', '--env', 'source'], { stdin: '{"n":1}' });
    const sync = ['sync', 'source', 'reviewed'];
    expect((await loadout.try([...sync, '--yes'])).stderr).toContain('loadout sync --release');
    expect(await loadout.run([...sync, '--release', 'Winter event'])).toBe(
      '+ a (revision 1)\nRelease 1 of reviewed is a draft: 1 added, 0 changed, 0 unchanged. Nothing that is live was changed.\nNext: loadout release submit reviewed 1\n',
    );
    expect(await loadout.run(['release', 'submit', 'reviewed', '1'])).toContain('is in review');
  });
});

describe('loadout evaluate', () => {
  it('shows the answer as delivery gives it, and why', async () => {
    const mapping = file(
      'why.json',
      '[{"segment":"rich","when":{"coins":{"$gte":10},"@v":{"$vgte":"1.2.0"}},"merge":{"price":1.50}},' +
        '{"segment":"test","when":{},"variants":[{"name":"all","groups":[0,999]}]}]',
    );
    const put = ['content', 'put', 'why', '-', '--mapping', mapping, '--env', 'staging'];
    await loadout.run(put, { stdin: '{"price":1.10}' });
    const caller = ['-u', 'ada', '-p', '{"coins":12}', '-v', '1.2.0', '--env', 'staging'];
    const game = await client('staging');
    const delivered = (await game.wrapped('why', { u: 'ada', p: { coins: 12 }, v: '1.2.0' })).text;
    const shown = await loadout.run(['evaluate', 'why', ...caller]);
    expect(shown.endsWith(`\n${delivered}\n`)).toBe(true);
    expect(shown).toMatch(/^rich +yes /m);
    expect(shown).toMatch(/^test +yes +all +\d+ /m);
    const json = await loadout.run(['evaluate', 'why', ...caller, '--json']);
    expect(json).toContain(`"answer":${delivered}`);
    expect(await loadout.run(['evaluate', 'why', '--env', 'staging'])).toMatch(/^rich +no /m);
  });

  it('refuses attributes that are no JSON object', async () => {
    const args = ['evaluate', 'why', '--env', 'staging', '-p'];
    expect((await loadout.try([...args, '{'])).stderr).toMatch(/--attributes is not JSON/);
    expect((await loadout.try([...args, '[]'])).code).toBe(1);
  });
});

describe('tokens', () => {
  it('says which variable is missing or wrong', async () => {
    const none = await runLoadout(['env', 'list'], { env: { LOADOUT_URL: server.adminUrl } });
    expect(none.code).toBe(1);
    expect(none.stderr).toContain('LOADOUT_TOKEN is not set.');
    const wrong = await loadout.try(['env', 'list'], { env: { LOADOUT_TOKEN: 'wrong' } });
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain('The token in LOADOUT_TOKEN is not known');
  });
});
