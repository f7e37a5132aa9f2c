/**
 * Goal: a pull request says what it changes for players, and its merge brings that to a release that people approve. Method: the
 * action's program runs in a Git repository before a real server, and writes its comment to a server of GitHub's form.
 */
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CommandLine } from '../../support/server/run-loadout.js';
import { startServer } from '../../support/server/server.js';
import { ownerToken, type RunningServer } from '../../support/server/server-process.js';
import { type Ran, Repository } from './action-run.js';
import { GithubServer } from './github-server.js';

const pull = {
  pull_request: {
    number: 7,
    head: { repo: { full_name: 'studio/game' } },
    base: { repo: { full_name: 'studio/game' } },
  },
};
const fork = {
  pull_request: { ...pull.pull_request, head: { repo: { full_name: 'someone/game' } } },
};
const push = { head_commit: { message: 'Winter prices\n\nMore.' } };

let server: RunningServer;
let loadout: CommandLine;
let github: GithubServer;
let repository: Repository;
let env: string;
let count = 0;

beforeAll(async () => {
  server = await startServer({ listeners: 1 });
  loadout = new CommandLine(server);
});

/** An environment whose content is in Git, and a branch that changes a price. */
beforeEach(async () => {
  count += 1;
  env = `staging${count}`;
  await loadout.run(['env', 'create', env]);
  repository = new Repository();
  github = new GithubServer();
  await github.listen();
  repository.write('game/shop.jsonc', '{ "price": 4.99, "gems": 100 }');
  repository.commit('The shop');
  await loadout.run(['import', '--dir', `${repository.folder}/game`, '--env', env, '--yes']);
  repository.write('game/shop.jsonc', '{ "price": 3.99, "gems": 100 }');
  repository.commit('Winter prices');
});
afterEach(() => {
  github.close();
  repository.remove();
  expect(github.faults).toEqual([]);
});

function run(
  mode: string,
  event: object,
  more: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  return repository.run(event, {
    ...{ ACTION_MODE: mode, LOADOUT_ENV: env, LOADOUT_URL: server.adminUrl },
    ...{ LOADOUT_TOKEN: ownerToken, GITHUB_API_URL: github.url },
    GITHUB_SHA: repository.git('rev-parse', 'HEAD'),
    ...more,
  });
}

async function shownIn(environment: string): Promise<string> {
  return loadout.run(['content', 'show', 'shop', '--env', environment]);
}

describe('a pull request', () => {
  it('gets one comment, which later runs update', async () => {
    for (let each = 0; each < 120; each += 1) github.add(`Remark ${each}`, 'User');
    const first = await run('check', pull);
    expect(first.code, first.output).toBe(0);
    expect(first.outputs).toEqual({ changed: '1' });
    const [comment] = github.comments.slice(120);
    expect(comment?.body).toContain('~ /price: 4.99 -> 3.99');
    expect(comment?.body).toMatch(/shop: 1000 of 1000 \(100\.0 %\)/);
    expect(first.summary).toContain('~ /price: 4.99 -> 3.99');
    expect(await shownIn(env)).toContain('4.99');

    repository.write('game/shop.jsonc', '{ "price": 2.99, "gems": 100 }');
    await run('check', pull);
    expect(github.comments).toHaveLength(121);
    expect(comment?.body).toContain('4.99 -> 2.99');
    await run('check', pull);
    expect(github.requests.filter((line) => !line.startsWith('GET'))).toHaveLength(2);
  });

  it('is not led to the comment of a person who wrote the marker', async () => {
    github.add(`<!-- loadout-content ${env} game -->`, 'User');
    await run('check', pull);
    expect(github.comments.map(({ author }) => author)).toEqual(['User', 'Bot']);
  });

  it('that is not valid fails, and says where', async () => {
    repository.write('game/shop.jsonc', '{ "price": }');
    const { code, summary } = await run('check', pull);
    expect(code).toBe(1);
    expect(summary).toContain('shop line 0.0.0: Expected a value');
    expect(summary).toContain('(line 1, column 12)');
    expect(github.comments[0]?.body).toContain('It cannot be imported');
  });

  it('of a fork is checked without the server, and gets no comment', async () => {
    const { code, summary, output } = await run('check', fork, { LOADOUT_TOKEN: '' });
    expect(code).toBe(0);
    expect(summary).toContain('A pull request of a fork has no secrets');
    expect(output).toContain('::notice::');
    expect(github.requests).toEqual([]);
  });

  it('cannot write Markdown, HTML, mentions or commands by its texts', async () => {
    const evil = '```\\n@everyone <img src=x> ````\\n::error::owned';
    repository.write('game/shop.jsonc', JSON.stringify({ price: 1, gems: evil }));
    repository.write('game/text.jsonc', '"a\\n::set-output name=x::y"');
    const { output } = await run('check', pull);
    const body = github.comments[0]?.body ?? '';
    const [before = '', fence = ''] = /([\s\S]*?)(`{3,})diff\n/.exec(body)?.slice(1) ?? [];
    expect(fence).toBe('`````');
    expect(before).not.toContain('@everyone');
    const after = body.slice(body.indexOf(`\n${fence}\n`, before.length) + fence.length + 2);
    expect(after).not.toContain('@everyone');
    expect(body).toContain('@everyone');
    const commands = output.split('\n').filter((line) => line.startsWith('::'));
    expect(commands[0]).toMatch(/^::stop-commands::[0-9a-f-]{36}$/);
    expect(commands.filter((line) => line.includes('owned'))).toEqual([]);
  });

  it('with more changes than a comment holds is cut', async () => {
    for (let each = 0; each < 60; each += 1) {
      const members = Array.from({ length: 40 }, (_, n) => [`member-${n}`, 'x'.repeat(300)]);
      repository.write(`game/item${each}.jsonc`, JSON.stringify(Object.fromEntries(members)));
    }
    const members = Array.from({ length: 400 }, (_, n) => [`member-${n}`, 'x'.repeat(300)]);
    repository.write('game/shop.jsonc', JSON.stringify(Object.fromEntries(members)));
    const { code, output } = await run('check', pull);
    expect(code, output).toBe(0);
    const body = github.comments[0]?.body ?? '';
    expect(body.length).toBeLessThan(65_536);
    expect(body).toMatch(/… \d+ more lines|… and more/);
  });

  it.each([
    [403, {}, 'permissions: pull-requests: write'],
    [429, { 'retry-after': '3600' }, 'run the job again later'],
    [403, { 'x-ratelimit-remaining': '0', 'retry-after': '3600' }, 'run the job again later'],
    [404, {}, 'GitHub responds with 404'],
  ])('says what a %i of GitHub means (%j)', async (status, headers, message) => {
    github.failures.push({ status, headers });
    const { code, output, summary } = await run('check', pull);
    expect(code).toBe(1);
    expect(output).toContain(message);
    expect(summary).toContain('4.99 -> 3.99');
  });

  it('gets its comment after GitHub failed for a moment', async () => {
    github.failures.push({ status: 502 }, { status: 429, headers: { 'retry-after': '0' } });
    const { code, output } = await run('check', pull);
    expect(code, output).toBe(0);
    expect(github.comments).toHaveLength(1);
  });

  it('never shows the token', async () => {
    const { output } = await run('check', pull);
    expect(output).not.toContain(ownerToken);
    const masked = await run('check', pull, { GITHUB_ACTIONS: 'true' });
    const lines = masked.output.split('\n').filter((line) => line.includes(ownerToken));
    expect(lines).toEqual([`::add-mask::${ownerToken}`]);
  });
});

describe('a merge', () => {
  it('is imported, and another run changes nothing', async () => {
    const { code, outputs, output } = await run('deploy', push);
    expect(code, output).toBe(0);
    expect(outputs).toEqual({ changed: '1' });
    expect(await shownIn(env)).toContain('3.99');
    expect((await run('deploy', push)).outputs).toEqual({ changed: '0' });
  });

  it('becomes one release that people approve', async () => {
    const production = `production${count}`;
    await loadout.run(['env', 'create', production, '--review', '1']);
    const user = (name: string, ...more: readonly string[]): Promise<string> =>
      loadout.run(['user', 'create', `${name}${count}`, 'editor', ...more]);
    const LOADOUT_TOKEN = (
      await user('pipeline', '--env', env, '--env', production, '--service')
    ).trim();
    const reviewer = (await user('reviewer', '--env', production)).trim();
    const pipeline = { LOADOUT_TOKEN, ACTION_RELEASE_TO: production };
    const first = await run('deploy', push, pipeline);
    expect(first.code, first.output).toBe(0);
    expect(first.outputs).toEqual({ changed: '1', release: '1' });
    expect(first.summary).toContain('waits for 1 approval:');
    const again = await run('deploy', push, pipeline);
    expect(again.outputs).toEqual({ changed: '0', release: '1' });
    const title = expect.stringContaining('Winter prices');
    const release = await loadout.json(['release', 'show', production, '1']);
    expect(release).toMatchObject({ state: 'review', title });

    const asReviewer = { env: { LOADOUT_TOKEN: reviewer } };
    await loadout.run(['release', 'approve', production, '1', '--yes'], asReviewer);
    await loadout.run(['release', 'live', production, '1', '--yes']);
    expect(await shownIn(production)).toContain('3.99');
    const after = await run('deploy', push, pipeline);
    expect(after.summary).toContain('has all of it already');
  });

  it('does not cover an edit that was made outside Git', async () => {
    const edit = { stdin: '{ "price": 9.99, "gems": 100 }' };
    await loadout.run(['content', 'put', 'shop', '-', '--env', env], edit);
    const { code, output } = await run('deploy', push);
    expect(code).toBe(1);
    expect(output).toContain(`shop in ${env} is of none of the last 20 versions of game`);
    expect(await shownIn(env)).toContain('9.99');
    expect((await run('deploy', push, { ACTION_OVERWRITE: 'true' })).code).toBe(0);
    expect(await shownIn(env)).toContain('3.99');
  });

  it('does not cover an edit of a segment either', async () => {
    const segment = (when: object): string =>
      JSON.stringify({ kind: 'segment', name: 'whales', when });
    repository.write('game/segments/whales.json', segment({ level: 1 }));
    repository.commit('Whales');
    expect((await run('deploy', push)).code).toBe(0);
    const edit = { stdin: '{"level":3}' };
    await loadout.run(['segment', 'put', 'whales', '-', '--env', env], edit);
    repository.write('game/segments/whales.json', segment({ level: 2 }));
    repository.commit('Larger whales');
    const { code, output } = await run('deploy', push);
    expect(code).toBe(1);
    expect(output).toContain(`segment whales in ${env} is of none`);
  });

  it('with values that guards want confirmed needs accept-findings', async () => {
    await loadout.run(['env', 'edit', env, '--confirm', 'true']);
    repository.write('game/shop.jsonc', '{ "price": 499, "gems": 100 }');
    repository.commit('A slip');
    await run('check', pull);
    expect(github.comments[0]?.body).toContain('**Guards want this confirmed:**');
    const { code, output } = await run('deploy', push);
    expect(code).toBe(1);
    expect(output).toContain('accept-findings is not set');
    expect(await shownIn(env)).toContain('4.99');
    expect((await run('deploy', push, { ACTION_ACCEPT_FINDINGS: 'true' })).code).toBe(0);
    expect(await shownIn(env)).toContain('499');
  });

  it('goes on after a deployment that was skipped', async () => {
    repository.write('game/shop.jsonc', '{ "price": 2.99, "gems": 100 }');
    repository.commit('Lower');
    repository.write('game/shop.jsonc', '{ "price": 1.99, "gems": 100 }');
    repository.commit('Still lower');
    const { code, output } = await run('deploy', push);
    expect(code, output).toBe(0);
    expect(await shownIn(env)).toContain('1.99');
  });

  it('into an environment with review says what to do', async () => {
    await loadout.run(['env', 'edit', env, '--review', '1']);
    for (const [mode, event] of [['deploy', push] as const, ['check', pull] as const]) {
      const { code, output } = await run(mode, event);
      expect(code).toBe(1);
      expect(output).toContain(`Give release-to: ${env}`);
    }
  });
});
