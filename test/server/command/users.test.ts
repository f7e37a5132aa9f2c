/** The commands for users, tokens and the audit against a real server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandLine, loadoutProgram, runLoadout } from '../../support/server/run-loadout.js';
import { startServer } from '../../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../../support/server/server-process.js';

let server: LoadoutServer;
let loadout: CommandLine;

beforeAll(async () => {
  server = await startServer({ listeners: 1 });
  loadout = new CommandLine(server);
  await loadout.run(['env', 'create', 'staging']);
  await loadout.run(['env', 'create', 'production', '--protected']);
});
afterAll(() => server.stop());

function as(token: string, args: readonly string[]): ReturnType<typeof runLoadout> {
  return runLoadout(args, { env: { LOADOUT_URL: server.adminUrl, LOADOUT_TOKEN: token } });
}

describe('loadout user', () => {
  it('creates one whose token a script can take, lists, edits and deletes', async () => {
    const made = await loadout.try(['user', 'create', 'eve', 'editor', '--env', 'staging']);
    expect(made.stdout).toMatch(/^lot_\S+\n$/);
    expect(made.stderr).toContain('not shown again');
    const token = made.stdout.trim();
    expect((await as(token, ['env', 'list'])).stdout).toMatch(/^ENVIRONMENT.*\nstaging +\S.*\n$/);
    expect(await loadout.run(['user', 'list'])).toMatch(/^eve +editor +staging +user_/m);
    expect(await loadout.run(['user', 'list'])).toMatch(/^owner +owner +all +user_/m);
    const edited = await loadout.run(['user', 'edit', 'eve', '--role', 'viewer', '--all-envs']);
    expect(edited).toMatch(/^eve +viewer +all/m);
    const refused = await as(token, ['key', 'create', '--env', 'staging']);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('editor');
    const kept = await loadout.try(['user', 'delete', 'eve']);
    expect(kept.code).toBe(1);
    expect(kept.stderr).toContain('--yes');
    expect(await loadout.run(['user', 'delete', 'eve', '--yes'])).toBe('Deleted eve.\n');
    expect((await as(token, ['env', 'list'])).code).toBe(1);
  });

  it('refuses what is no role, nothing to change, and two wishes at odds', async () => {
    for (const args of [
      ['user', 'create', 'x', 'god'],
      ['user', 'edit', 'owner'],
      ['user', 'edit', 'owner', '--env', 'staging', '--all-envs'],
    ]) {
      expect((await loadout.try(args)).code, args.join(' ')).toBe(2);
    }
    const unknown = await loadout.try(['user', 'edit', 'nobody', '--role', 'owner']);
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain('There is no user "nobody"');
    const last = await loadout.try(['user', 'edit', 'owner', '--role', 'viewer']);
    expect(last.code).toBe(1);
    expect(last.stderr).toContain('owner');
  });

  it('makes, lists and revokes further tokens', async () => {
    await loadout.run(['user', 'create', 'ci', 'editor']);
    const made = await loadout.json(['user', 'token', 'create', 'ci', '--label', 'nightly']);
    expect((await as(made.token, ['env', 'list'])).code).toBe(0);
    const listed = await loadout.run(['user', 'token', 'list', 'ci']);
    expect(listed).toMatch(new RegExp(`^${made.id} +${made.prefix} +nightly `, 'm'));
    expect(listed).not.toContain(made.token);
    await loadout.run(['user', 'token', 'revoke', 'ci', made.id]);
    expect((await as(made.token, ['env', 'list'])).code).toBe(1);
    const alone = await loadout.run(['user', 'token', 'create', 'ci']);
    expect(alone).toMatch(/^lot_\S+\n$/);
  });
});

describe('lists', () => {
  it('show what has a name, and so many', async () => {
    for (const name of ['bot-a', 'bot-b']) await loadout.run(['user', 'create', name, 'viewer']);
    const bots = await loadout.try(['user', 'list', '--match', 'BOT-*', '--limit', '1']);
    expect(bots.stdout.split('\n')).toHaveLength(3);
    expect(bots.stdout).toMatch(/^bot-a +viewer/m);
    expect(bots.stderr).toBe('1 of 2 users shown: --limit 2 lists all.\n');
    const { users } = await loadout.json(['user', 'list', '--match', 'bot-?']);
    expect(users).toMatchObject([{ name: 'bot-a' }, { name: 'bot-b' }]);
    expect(await loadout.run(['user', 'list', '--match', 'robot'])).toBe('No users.\n');
    const { environments } = await loadout.json(['env', 'list', '--match', 'stag*']);
    expect(environments).toMatchObject([{ id: 'staging' }]);
  });
});

describe('loadout env delete', () => {
  /** `script` gives the command a terminal; what it reads is typed. */
  async function onTerminal(args: readonly string[], typed: string): Promise<[number, string]> {
    const command = [process.execPath, loadoutProgram, ...args].map((part) => `'${part}'`);
    const child = spawn('script', ['-qec', command.join(' '), '/dev/null'], {
      env: {
        PATH: process.env['PATH'],
        LOADOUT_URL: server.adminUrl,
        LOADOUT_TOKEN: ownerToken,
      },
      stdio: 'pipe',
      timeout: 20_000,
      killSignal: 'SIGKILL',
    });
    let shown = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      // Typed once it is asked: what comes earlier, a terminal may drop.
      if (!shown.includes('Type') && (shown + piece).includes('Type')) child.stdin.write(typed);
      shown += piece;
    });
    const [code] = await once(child, 'close');
    return [code as number, shown];
  }

  it('deletes for who types the name, and for nobody else', async () => {
    await loadout.run(['env', 'create', 'doomed']);
    const [refused, shown] = await onTerminal(['env', 'delete', 'doomed'], 'yes\r');
    expect(refused).toBe(1);
    expect(shown).toContain('Type doomed to continue');
    expect(shown).toContain('Nothing was changed.');
    const [quit, left] = await onTerminal(['env', 'delete', 'doomed'], '\u0004');
    expect(quit).toBe(1);
    expect(left).toContain('Nothing was changed.');
    expect(await loadout.run(['env', 'show', 'doomed'])).toContain('doomed');
    const [done] = await onTerminal(['env', 'delete', 'doomed'], 'doomed\r');
    expect(done).toBe(0);
    expect((await loadout.try(['env', 'show', 'doomed'])).code).toBe(1);
  });

  it('asks nobody about a protected one, and says how to unprotect it', async () => {
    const [code, shown] = await onTerminal(['env', 'delete', 'production'], 'production\r');
    expect(code).toBe(1);
    expect(shown).toContain('loadout env edit production --protected false');
    expect(shown).not.toContain('Type production');
  });
});

describe('loadout audit', () => {
  it('shows who did what, with what changed, and filters', async () => {
    await loadout.run(['env', 'edit', 'staging', '--name', 'Stage']);
    const shown = await loadout.run(['audit', '--env', 'staging', '--action', 'environment']);
    const [titles, newest] = shown.split('\n');
    expect(titles).toMatch(/^TIME +WHO +FROM +ACTION +ENVIRONMENT +NAME +WHAT$/);
    expect(newest).toMatch(
      / owner +127\.0\.0\.1 +environment\.update +staging +staging +name: staging -> Stage$/,
    );
    expect(await loadout.run(['audit', '--user', 'nobody'])).toBe('No events.\n');
    expect(await loadout.run(['audit', '--until', '1d'])).toBe('No events.\n');
    const page = await loadout.json(['audit', '--limit', '1', '--since', '1h']);
    expect(page.events).toHaveLength(1);
    expect(page.next).toBe(page.events[0].id);
  });

  it('exports everything, one event a line', async () => {
    const { events } = await loadout.json(['audit', '--limit', '1000', '--env', 'staging']);
    const all = await loadout.run(['audit', '--all', '--json', '--env', 'staging']);
    const lines = all.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(
      events.map((event: { id: string }) => event.id).reverse(),
    );
    const forPeople = await loadout.run(['audit', '--all', '--env', 'staging']);
    expect(forPeople.trimEnd().split('\n')).toHaveLength(lines.length);
  });

  it.each([
    ['--follow', '--all'],
    ['--follow', '--limit', '3'],
    ['--since', 'soon'],
    ['--limit', '0'],
  ])('refuses %s %s', async (...args) => {
    expect((await loadout.try(['audit', ...args])).code).toBe(2);
  });

  it('follows what happens, and says when the server ends it', async () => {
    const own = await startServer({ listeners: 1 });
    const child = spawn(process.execPath, [loadoutProgram, 'audit', '--follow', '--since', '1h'], {
      env: { PATH: process.env['PATH'], LOADOUT_URL: own.adminUrl, LOADOUT_TOKEN: ownerToken },
      stdio: 'pipe',
      timeout: 20_000,
      killSignal: 'SIGKILL',
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      stderr += piece;
    });
    const ended = once(child, 'close');
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    // The start itself made the owner's token.
    expect((await lines.next()).value).toContain('user.token');
    await new CommandLine(own).run(['env', 'create', 'made']);
    expect((await lines.next()).value).toMatch(
      /owner \(127\.0\.0\.1\) {2}environment\.create {2}made\/made/,
    );
    await own.stop();
    expect((await ended)[0]).toBe(1);
    expect(stderr).toContain('The server ended the stream.');
  });
});
