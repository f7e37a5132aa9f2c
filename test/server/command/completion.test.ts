/**
 * What the shells offer. Method: bash itself sources the script and is asked as it asks on TAB; zsh and fish at least
 * read theirs, where they are installed.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  CommandLine,
  loadoutProgram,
  runLoadout,
  spawnLoadout,
} from '../../support/server/run-loadout.js';
import { makeDataFolder, startServer } from '../../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../../support/server/server-process.js';

let folder: string;

beforeAll(async () => {
  folder = makeDataFolder();
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout, stderr } = await runLoadout(['completion', shell]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    writeFileSync(join(folder, `loadout.${shell}`), stdout);
  }
  writeFileSync(join(folder, 'shop item.jsonc'), '{}');
  writeFileSync(join(folder, 'mapping.json'), '[]');
  mkdirSync(join(folder, 'data'));
});

/** The words that bash offers when TAB is pressed behind the last one. */
function offered(...words: string[]): string[] {
  return offeredWith({}, ...words);
}

function offeredWith(env: Readonly<Record<string, string>>, ...words: string[]): string[] {
  const script = `
    source ./loadout.bash
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
    "$(complete -p loadout | sed 's/.*-F \\([^ ]*\\) .*/\\1/')" loadout "\${@: -1}" "\${@: -2:1}"
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const args = ['--norc', '-c', script, 'bash', ...words];
  const path = { PATH: `${folder}/bin:${process.env['PATH']}` };
  const options = { cwd: folder, encoding: 'utf8', env: { ...path, ...env } } as const;
  const printed = execFileSync('bash', args, options);
  return printed.split('\n').filter((line) => line !== '');
}

/** Names of commands, or of long options, as a help text lists them. */
async function helped(args: string[], pattern: RegExp): Promise<string[]> {
  const { stdout } = await runLoadout([...args, '--help']);
  return [...stdout.matchAll(pattern)].map((match) => match[1] ?? '');
}

const commandLine = /^ {2}([a-z-]+)(?=[ |])/gm;
const optionLine = /^ {2}(?:-\w, )?(--[a-z-]+)/gm;

describe('bash completes', () => {
  it('every command that the help lists, and of each noun every verb', async () => {
    const commands = await helped([], commandLine);
    expect(commands).toEqual(expect.arrayContaining(['serve', 'content', 'backup', 'completion']));
    expect(offered('loadout', '').sort()).toEqual(commands.sort());
    for (const noun of ['env', 'key', 'content', 'segment']) {
      const verbs = await helped([noun], commandLine);
      expect(verbs.length).toBeGreaterThan(2);
      expect(offered('loadout', noun, '').sort()).toEqual(verbs.sort());
    }
  });

  it.each([['serve'], ['content', 'put'], ['env', 'create'], ['backup']])(
    'every option of %s %s',
    async (...args: string[]) => {
      const options = await helped(args, optionLine);
      expect(options.length).toBeGreaterThan(2);
      expect(offered('loadout', ...args, '--').sort()).toEqual(options.sort());
    },
  );

  it.each<[string[], string[]]>([
    [
      ['loadout', 'e'],
      ['env', 'evaluate'],
    ],
    [['loadout', 'env', 'cr'], ['create']],
    [
      ['loadout', 'completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['loadout', 'serve', '--nat'], ['--native']],
    [
      ['loadout', 'serve', '--native', ''],
      ['auto', 'on', 'off'],
    ],
    [['loadout', 'serve', '--log-level', 'in'], ['info']],
    [['loadout', 'serve', '--log-level', '=', 'in'], ['info']],
    [
      ['loadout', 'serve', '--log-level', '='],
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    ],
    [
      ['loadout', 'env', 'edit', 'dev', '--protected', ''],
      ['true', 'false'],
    ],
    // An alias is not offered, but understood.
    [['loadout', 'env', 'upd'], []],
    [['loadout', 'env', 'update', 'dev', '--protected', 't'], ['true']],
    [['loadout', 'serve', '--data', ''], ['data']],
    [['loadout', 'content', 'put', 'shop', '--mapping', 'm'], ['mapping.json']],
    [['loadout', 'content', 'put', 'shop', 'shop'], ['shop item.jsonc']],
    [['loadout', 'content', 'put', '--env', 'put', 'shop', 'map'], ['mapping.json']],
    // An id is nothing that a shell can know.
    [['loadout', 'content', 'put', ''], []],
    [['loadout', 'serve', '--port', ''], []],
    [['loadout', 'env', 'list', 'c'], []],
  ])('%j with %j', (words, expected) => {
    const found = offered(...words);
    expect(found.filter((word) => expected.includes(word)).sort()).toEqual([...expected].sort());
    if (expected.length < 2) expect(found).toEqual(expected);
  });
});

describe('names of the server', () => {
  let server: LoadoutServer;
  let env: Record<string, string>;

  beforeAll(async () => {
    const program = join(folder, 'bin', 'loadout');
    mkdirSync(join(folder, 'bin'));
    writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${loadoutProgram}' "$@"\n`);
    chmodSync(program, 0o755);
    server = await startServer({ listeners: 1 });
    const owner = new CommandLine(server);
    await owner.run(['env', 'create', 'dev']);
    for (const id of ['shop', 'levels']) {
      await owner.run(['content', 'put', id, '-', '--env', 'dev'], { stdin: '{}' });
    }
    for (const name of ['big spenders', '$(touch run)']) {
      await owner.run(['segment', 'put', name, '--when', '{"a":1}', '--env', 'dev']);
    }
    await owner.run(['release', 'create', 'dev', 'Winter']);
    const place = { LOADOUT_URL: server.adminUrl, LOADOUT_TOKEN: ownerToken };
    // A busy machine is not what is tested.
    env = { ...place, XDG_CACHE_HOME: folder, LOADOUT_COMPLETION_MS: '10000' };
  });

  it.each<[string[], string[]]>([
    [
      ['content', 'show', '--env', 'dev', ''],
      ['levels', 'shop'],
    ],
    [['content', 'show', '--env', '=', 'dev', 'sh'], ['shop']],
    [['content', 'list', '--env', 'd'], ['dev']],
    [['open', '--env', 'dev', '--segment', 'big'], ['big\\ spenders']],
    [['segment', 'show', '--env', 'dev', '$'], ['\\$\\(touch\\ run\\)']],
    [['release', 'show', 'dev', ''], ['1']],
    [['release', 'show', ''], ['dev']],
    // What is created has a name that is new, and without an environment nothing is known.
    [['env', 'create', ''], []],
    [['content', 'show', ''], []],
  ])('bash offers behind %j', (words, expected) => {
    expect(offeredWith(env, 'loadout', ...words)).toEqual(expected);
    expect(existsSync(join(folder, 'run'))).toBe(false);
  });

  it('are asked for once in a few seconds', async () => {
    const cached = { ...env, XDG_CACHE_HOME: makeDataFolder() };
    const words = ['loadout', 'content', 'show', '--env', 'dev', 'n'];
    expect(offeredWith(cached, ...words)).toEqual([]);
    const put = ['content', 'put', 'new', '-', '--env', 'dev'];
    await new CommandLine(server).run(put, { stdin: '{}' });
    expect(offeredWith(cached, ...words)).toEqual([]);
    expect(offeredWith({ ...cached, XDG_CACHE_HOME: makeDataFolder() }, ...words)).toEqual(['new']);
  });

  it('are none, without a word, from a server that does not respond', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void silent.close());
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    for (const LOADOUT_URL of [url, 'http://127.0.0.1:1', 'nonsense']) {
      const quick = { LOADOUT_COMPLETION_MS: '200', XDG_CACHE_HOME: makeDataFolder() };
      const asked = { ...env, LOADOUT_URL, ...quick };
      const args = ['__complete', 'contents', '--', '--env', 'dev'];
      expect(await spawnLoadout(args, { env: asked })).toEqual({ code: 0, stdout: '', stderr: '' });
    }
  });

  it('are in no help', async () => {
    expect((await runLoadout(['--help'])).stdout).not.toContain('__complete');
  });

  const hasFish = spawnSync('fish', ['-c', 'true']).status === 0;
  it.skipIf(!hasFish)('fish offers, too', () => {
    const ask = 'source ./loadout.fish; complete -C "loadout content show --env dev s"';
    const path = `${folder}/bin:${process.env['PATH']}`;
    const home = { HOME: makeDataFolder(), PATH: path };
    const options = { cwd: folder, encoding: 'utf8', env: { ...env, ...home } } as const;
    const printed = execFileSync('fish', ['--no-config', '-c', ask], options);
    expect(printed).toMatch(/^shop$/m);
    expect(printed).not.toContain('levels');
  });
});

describe.each(['zsh', 'fish'])('%s', (shell) => {
  const installed = spawnSync(shell, ['-c', 'true']).status === 0;
  if (!installed) console.log(`${shell} is not installed here: its script is not read by it`);

  it.skipIf(!installed)('reads its script', () => {
    execFileSync(shell, ['-n', join(folder, `loadout.${shell}`)]);
  });

  it('has a script that names commands and fixed choices', async () => {
    const { stdout } = await runLoadout(['completion', shell]);
    for (const word of ['create', 'log-level', 'trace debug info', 'completion']) {
      expect(stdout).toContain(word);
    }
  });
});

describe('loadout completion', () => {
  it('of another shell is wrong usage', async () => {
    const ran = await runLoadout(['completion', 'tcsh']);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('Allowed choices are bash, zsh, fish');
  });
});
