/** Webhooks of chats from the command line: the URL of a chat is neither an argument nor printed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runLoadout } from '../../support/server/run-loadout.js';
import { sharedServer } from '../../support/server/server.js';
import { ownerToken } from '../../support/server/server-process.js';

const server = sharedServer();
const url = 'https://hooks.slack.com/services/T000/B000/s3cr3t';

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const own = { LOADOUT_URL: server.adminUrl, LOADOUT_TOKEN: ownerToken };
  return runLoadout(['webhook', ...args], { env: { ...own, ...env } });
}

it('takes the URL from the environment or a file, and shows its origin only', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-chat-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'url');
  writeFileSync(file, `${url}\n`);
  const made = await run(['create', '-', '--format', 'slack', '--disabled'], {
    LOADOUT_WEBHOOK_URL: url,
  });
  expect(made).toMatchObject({ code: 0, stderr: '' });
  const [, id = ''] =
    /^Webhook (webhook_\w+) posts to https:\/\/hooks\.slack\.com\/…\n$/.exec(made.stdout) ?? [];
  const edited = await run(['edit', id, '--to', '-'], { LOADOUT_WEBHOOK_URL_FILE: file });
  const listed = await run(['list']);
  for (const { code, stdout, stderr } of [edited, listed]) {
    expect(code).toBe(0);
    expect(stdout).toMatch(/https:\/\/hooks\.slack\.com\/… +slack /);
    expect(stdout + stderr).not.toContain('s3cr3t');
  }
  expect((await run(['secret', id])).stderr).toContain('not signed');
  expect((await run(['delete', id])).code).toBe(0);
});

it('says what is missing, and which formats there are', async () => {
  const nothing = await run(['create', '-', '--format', 'teams']);
  expect(nothing).toMatchObject({ code: 2, stderr: 'error: LOADOUT_WEBHOOK_URL is not set.\n' });
  const unknown = await run(['create', url, '--format', 'irc']);
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain('loadout, slack, discord, teams');
});
