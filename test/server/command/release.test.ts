/*
 * Goal: a release can be made, shown, ramped, stopped, made live and taken back from the command line, and each command
 * says in words where the release stands. Method: commands in this process, against a real server and its leader.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { type Environment, makeEnvironment } from '../../support/server/environment.js';
import { CommandLine, loadoutProgram, type Ran } from '../../support/server/run-loadout.js';
import { sharedServer } from '../../support/server/server.js';
import { ownerToken } from '../../support/server/server-process.js';

const server = sharedServer();
let game: Environment;
let loadout: CommandLine;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadout-release-'));
  loadout = new CommandLine(server);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A live shop with a draft over it, in an environment of its own. */
beforeEach(async () => {
  game = await makeEnvironment(server);
  await game.put('shop', '{"price":4.99}');
  await game.put('shop', '{"price":3.99}', { publish: false, note: 'winter' });
});

function file(name: string, value: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(value));
  return path;
}

/** About release 1, unless another is named. */
function run(verb: string, ...more: string[]): Promise<string> {
  return loadout.run(['release', verb, game.id, '1', ...more]);
}

function tryRun(verb: string, ...more: string[]): Promise<Ran> {
  return loadout.try(['release', verb, game.id, '1', ...more]);
}

async function create(...options: string[]): Promise<void> {
  await loadout.run(['release', 'create', game.id, 'Winter event', ...options]);
}

/** What the release is now, as the server has it. */
async function shown() {
  return loadout.json(['release', 'show', game.id, '1']);
}

/** Waits while a command that follows the release has the turn. */
async function inState(state: string): Promise<void> {
  await eventually(`release 1 is ${state}`, 20_000, async () => {
    const { json } = await server.admin('GET', `${game.path}/releases/1`);
    return json.state === state;
  });
}

describe('loadout release create and edit', () => {
  it('makes a draft with steps and a brake, which no player receives', async () => {
    const made = await loadout.run([
      ...['release', 'create', game.id, 'Winter event', '--description', 'For the holidays.'],
      ...['--step', '1%:10m', '--step', '100%:1h', '--brake-receipts', '10m'],
      ...['--brake-query', 'rate(crashes[5m])', '--above', '5', '--for', '2m'],
      ...['--brake-action', 'pause'],
    ]);
    expect(made).toBe(`Release 1 of ${game.id} is a draft with 0 changes.\n`);
    expect(await shown()).toMatchObject({
      ...{ state: 'draft', description: 'For the holidays.' },
      steps: [
        { percent: 1, holdMinutes: 10 },
        { percent: 100, holdMinutes: 60 },
      ],
      brake: {
        action: 'pause',
        receipts: { minutes: 10 },
        query: { query: 'rate(crashes[5m])', above: 5, minutes: 2, noData: 'ignore' },
      },
    });
    expect((await game.plain('shop')).text).toBe('{"price":4.99}');
  });

  it('takes changes, steps and brake from a file', async () => {
    const path = file('release.json', {
      changes: [{ kind: 'content', id: 'shop', revision: 2 }],
      steps: [{ percent: 10, holdMinutes: 5 }],
      brake: { receipts: { minutes: 3 } },
    });
    await create('--file', path);
    expect(await shown()).toMatchObject({
      changes: [{ kind: 'content', id: 'shop', revision: 2, base: 1 }],
      steps: [{ percent: 10, holdMinutes: 5 }],
      brake: { action: 'stop', receipts: { minutes: 3 } },
    });
  });

  it('rejects a file with other members, and what is given twice', async () => {
    const make = ['release', 'create', game.id, 'Winter event', '--file'];
    const unknown = await loadout.try([...make, file('unknown.json', { titel: 'x' })]);
    expect(unknown.stderr).toContain('has the member "titel"; it may have changes, steps, brake');
    const list = await loadout.try([...make, file('list.json', [])]);
    expect(list.stderr).toContain('must be a JSON object');
    const steps = file('steps.json', { steps: [] });
    expect((await loadout.try([...make, steps, '--step', '1%:1h'])).code).toBe(2);
    const brake = file('brake.json', { brake: null });
    expect((await loadout.try([...make, brake, '--brake-receipts', '1m'])).code).toBe(2);
    expect(await loadout.run(['release', 'list', game.id])).toBe('No releases.\n');
  });

  it('changes what is named, and nothing else', async () => {
    await create('--step', '1%:10m', '--brake-receipts', '10m');
    await run('edit', '--title', 'Spring event', '--no-steps');
    expect(await shown()).toMatchObject({
      ...{ title: 'Spring event', steps: [], brake: { receipts: { minutes: 10 } } },
    });
    await run('edit', '--no-brake', '--step', '100%:0');
    expect(await shown()).toMatchObject({ title: 'Spring event', brake: null });
    expect((await tryRun('edit')).code).toBe(2);
    expect((await tryRun('edit', '--no-steps', '--step', '1%:1h')).code).toBe(2);
    expect((await tryRun('edit', '--no-brake', '--brake-receipts', '1m')).code).toBe(2);
  });
});

describe('the changes of a release', () => {
  it('are added by name, by revision and as deletions, and removed', async () => {
    await game.put('events', '1');
    await game.putSegment('vip', { level: 3 });
    await create();
    const added = await run('add', 'shop', '--delete', 'events', '--segment', 'vip');
    expect(added).toBe(`Release 1 of ${game.id} is a draft with 3 changes.\n`);
    const { changes } = await shown();
    expect(changes.find(({ id }: { id: string }) => id === 'shop')).toMatchObject({ revision: 2 });
    expect(changes.find(({ id }: { id: string }) => id === 'events')).toMatchObject({
      revision: null,
    });
    await run('add', 'shop', '--revision', '1');
    expect((await shown()).changes).toContainEqual(
      expect.objectContaining({ id: 'shop', revision: 1 }),
    );
    await run('remove', 'events', '--segment', 'vip');
    expect((await shown()).changes).toMatchObject([{ id: 'shop' }]);
    expect((await tryRun('add')).code).toBe(2);
    expect((await tryRun('remove')).code).toBe(2);
    expect((await tryRun('rebase')).code).toBe(2);
    expect((await tryRun('add', 'shop', 'events', '--revision', '1')).code).toBe(2);
  });

  it('are saved and added in one command, without a player noticing', async () => {
    await create();
    const put = ['content', 'put', 'shop', '-', '--env', game.id, '--add-to-release', '1'];
    const dry = await loadout.try([...put, '--dry-run'], { stdin: '{"price":1}' });
    expect([dry.code, (await shown()).changes]).toEqual([0, []]);
    const ran = await loadout.try(put, { stdin: '{"price":2.99}' });
    expect(ran).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('shop: revision 3 is a draft; revision 1 is live'),
      stderr: `Revision 3 of shop is in release 1 of ${game.id}.\n`,
    });
    expect((await shown()).changes).toMatchObject([{ id: 'shop', revision: 3 }]);
    expect((await game.plain('shop')).text).toBe('{"price":4.99}');
    const missing = await loadout.try([...put.slice(0, -1), '9'], { stdin: '{"price":2}' });
    expect(missing).toMatchObject({ code: 1, stdout: '' });
    expect(missing.stderr).toContain('has no release 9');
  });

  it('are compared with what is live, as texts or as pointers', async () => {
    await game.putSegment('vip', { level: 3 });
    await game.put('events', '1');
    await create();
    expect(await run('diff')).toBe('No changes.\n');
    await run('add', 'shop', '--segment', 'vip', '--delete', 'events');
    const diff = await run('diff');
    expect(diff).toContain(
      'shop: revision 1 (live) by owner -> revision 2 by owner\nline 0.0.0: changed\n  ~ /price: 4.99 -> 3.99\n',
    );
    expect(diff).toContain('content events: deletion (revision 1 is live)\n');
    expect(diff).toContain('vip: revision 1');
    const texts = await run('diff', '--text');
    expect(texts).toMatch(/^ {2}-\{"price":4\.99\}\n(.*\n)*? {2}\+\{"price":3\.99\}$/m);
    const { changes } = await loadout.json(['release', 'diff', game.id, '1']);
    expect(changes).toContainEqual({
      change: expect.objectContaining({ id: 'shop', revision: 2 }),
      diff: expect.objectContaining({ id: 'shop', lines: [expect.anything()] }),
    });
    expect(changes).toContainEqual({
      change: expect.objectContaining({ id: 'events' }),
      diff: null,
    });
  });

  it('may be a segment that nothing uses yet: its draft is shown whole', async () => {
    const draft = ['segment', 'put', 'fresh', '--when', '{"level":1.0}', '--draft'];
    expect(await loadout.run([...draft, '--env', game.id])).toBe(
      'Saved fresh as a draft, revision 1.\n',
    );
    await create();
    await run('add', '--segment', 'fresh');
    expect(await run('diff')).toBe('fresh: nothing -> revision 1\n  {"level":1.0}\n');
    const { changes } = await loadout.json(['release', 'diff', game.id, '1']);
    expect(changes).toMatchObject([{ change: { name: 'fresh' }, diff: { when: { level: 1 } } }]);
  });

  it('in conflict name the commands that lead on', async () => {
    await create();
    await run('add', 'shop');
    await game.put('shop', '{"price":1.99}');
    const live = await tryRun('live');
    expect(live.code).toBe(1);
    expect(live.stderr).toContain('`loadout release rebase` accepts what is live');
    expect(await run('diff')).toContain('CONFLICT: its base was revision 1');
    expect(await run('show')).toContain('CONFLICT: its base was revision 1');
    await run('rebase', 'shop');
    expect(await run('live')).toContain(`Release 1 of ${game.id} is live since `);
    expect((await game.plain('shop')).text).toBe('{"price":3.99}');
  });
});

describe('loadout release preview', () => {
  it('shows for each content of the reach what the whole release does to players', async () => {
    await game.putSegment('vip', { level: 9 });
    const mapping = [{ segment: 'vip', merge: { vip: true } }];
    await game.put('events', '{"vip":false}', { mapping });
    const draft = ['segment', 'put', 'vip', '--when', '{"level":3}', '--draft'];
    await loadout.run([...draft, '--env', game.id]);
    await create();
    expect(await run('preview')).toBe('The release reaches no content.\n');
    await run('add', 'shop', '--segment', 'vip');
    const contexts = join(folder, 'players.ndjson');
    writeFileSync(contexts, [1, 3, 9].map((level) => JSON.stringify({ p: { level } })).join('\n'));
    const preview = await run('preview', '--contexts', contexts);
    expect(preview).toMatch(/^events, (.*\n)*?2 of 3 contexts \(66\.67 %\)/m);
    expect(preview).toMatch(/^shop, (.*\n)*?3 of 3 contexts \(100\.00 %\)/m);
    const { previews } = await loadout.json([
      ...['release', 'preview', game.id, '1', 'shop', '--made-up', '10'],
    ]);
    expect(previews).toMatchObject([{ id: 'shop', contexts: 10, changed: { contexts: 10 } }]);
  });
});

describe('loadout release list, show and timeline', () => {
  it('show what there is, and what happened', async () => {
    await create('--step', '1%:1h');
    await loadout.run(['release', 'create', game.id, 'Another']);
    await run('add', 'shop');
    await run('start');
    const list = await loadout.run(['release', 'list', game.id]);
    expect(list).toMatch(/^2 +draft +0 +owner +\S+Z +Another\n1 +ramping 1 % +1 +owner .*Winter/m);
    const drafts = await loadout.run(['release', 'list', game.id, '--state', 'draft']);
    expect(drafts).not.toContain('Winter');
    const newest = await loadout.json(['release', 'list', game.id, '--limit', '1']);
    expect(newest).toMatchObject({ releases: [{ release: 2 }], next: 2 });
    const calendar = await loadout.run(['calendar', game.id]);
    const show = await run('show');
    expect(show).toMatch(
      /^Winter event\nRelease 1 of \S+ is ramping at 1 % \(step 1 of 1\); it goes live at /,
    );
    expect(show).toContain('  content shop: revision 2 (revision 1 is live), by owner: winter\n');
    expect(show).toContain('Reach: contents shop\nSteps: 1 % for 1 h\nBrake: none\n');
    await run('comment', 'Looks good.');
    const timeline = await run('timeline');
    expect(timeline).toMatch(/^\S+Z +owner +release\.start +ramping 1 % +\d+/m);
    expect(timeline).toMatch(/^\S+Z +owner +release\.comment +.*Looks good\.$/m);
    // As other commands have the environment.
    for (const env of [['--env', game.id], [`--env=${game.id}`]]) {
      expect(await loadout.run(['release', 'show', ...env, '1'])).toBe(show);
      expect(await loadout.run(['release', 'list', '--state', 'draft', ...env])).toBe(drafts);
      expect(await loadout.run(['calendar', ...env])).toBe(calendar);
    }
    const valueless = await loadout.try(['release', 'list', '--env']);
    expect(valueless).toMatchObject({ code: 2, stdout: '' });
    const missing = await loadout.try(['release', 'show', game.id, '9']);
    expect(missing).toMatchObject({ code: 1, stdout: '' });
    expect((await loadout.try(['release', 'show', game.id, 'x'])).code).toBe(2);
  });
});

describe('a ramp', () => {
  beforeEach(async () => {
    await create('--step', '1%:1h', '--step', '100%:1h');
    await run('add', 'shop');
  });

  it('starts, is paused, resumed and stopped; each says where it stands', async () => {
    const at = 'at 1 % (step 1 of 2)';
    expect(await run('ramp')).toMatch(
      /is ramping at 1 % \(step 1 of 2\); 100 % follow at \S+Z\.\n$/,
    );
    const reason = ['--reason', 'Support has calls.'];
    expect(await run('pause', ...reason)).toBe(
      `Release 1 of ${game.id} is paused ${at}: Support has calls.\n`,
    );
    expect(await run('resume')).toContain(`is ramping ${at}`);
    expect(await run('stop', ...reason)).toMatch(/was stopped at \S+Z: Support has calls\.\n$/);
    expect((await game.plain('shop')).text).toBe('{"price":4.99}');
    const again = await tryRun('pause');
    expect([again.code, again.stdout]).toEqual([1, '']);
    expect(again.stderr).toContain('stopped');
  });

  it('can be followed: one line per step, and 0 only once it is live', async () => {
    await run('edit', '--step', '50%:0', '--step', '100%:0');
    const followed = await tryRun('start', '--wait');
    expect(followed.code).toBe(0);
    expect(followed.stdout).toMatch(/is live since \S+Z\.\n$/);
    expect(followed.stderr).toMatch(
      /^Release 1 of \S+ is ramping at 50 % .*Ctrl-C ends this command/,
    );
    expect(followed.stderr).toMatch(/^step 1 of 2, 50 %/m);
    expect(followed.stderr).toMatch(/^step 2 of 2, 100 %/m);
    expect((await game.plain('shop')).text).toBe('{"price":3.99}');
    expect((await tryRun('live', '--wait')).code).toBe(1);
  });

  it('that is stopped while it is followed ends with 1', async () => {
    const following = tryRun('start', '--wait');
    await inState('ramping');
    await server.admin('POST', `${game.path}/releases/1/stop`, { reason: 'Crashes.' });
    const followed = await following;
    expect(followed.code).toBe(1);
    expect(followed.stdout).toMatch(/was stopped at \S+Z: Crashes\.\n$/);
    expect(followed.stderr).toMatch(/^step 1 of 2, 1 %: /m);
  });

  it('goes on after Ctrl-C, which says so', async () => {
    const args = [loadoutProgram, 'release', 'start', game.id, '1', '--wait'];
    const env = { LOADOUT_URL: server.adminUrl, LOADOUT_TOKEN: ownerToken };
    const child = spawn(process.execPath, args, { env });
    const stdout = text(child.stdout);
    const notes: string[] = [];
    for await (const line of createInterface({ input: child.stderr })) {
      notes.push(line);
      if (line.includes('Ctrl-C ends this command')) child.kill('SIGINT');
    }
    const code = child.exitCode ?? (await once(child, 'close'))[0];
    expect([code, notes.at(-1)]).toEqual([1, expect.stringContaining('goes on without')]);
    expect(await stdout).toContain('is ramping at 1 %');
    expect((await shown()).state).toBe('ramping');
  });
});

describe('a review', () => {
  const newUser = async (): Promise<string> => {
    const name = `user-${randomUUID()}`;
    return (await loadout.run(['user', 'create', name, 'editor', '--env', game.id])).trim();
  };
  let reviewer: string;

  beforeEach(async () => {
    reviewer = await newUser();
    const author = await newUser();
    await loadout.run(['env', 'edit', game.id, '--review', '1']);
    const as = (...args: string[]) => loadout.run(args, { env: { LOADOUT_TOKEN: author } });
    const put = ['content', 'put', 'offers', '-', '--env', game.id, '--add-to-release', '1'];
    await as('release', 'create', game.id, 'Summer sale');
    await loadout.run(put, { env: { LOADOUT_TOKEN: author }, stdin: '{"sale":true}' });
    const submitted = await as('release', 'submit', game.id, '1', '--comment', 'Please look.');
    expect(submitted).toBe(`Release 1 of ${game.id} is in review: 0 of 1 approval.\n`);
  });

  it('is approved by a person who sees what it is, and types yes', async () => {
    const approve = ['release', 'approve', game.id, '1', '--comment', 'Fine.'];
    const env = { LOADOUT_TOKEN: reviewer };
    const unasked = await loadout.try(approve, { env });
    expect([unasked.code, unasked.stdout]).toEqual([1, '']);
    const { digest } = (await shown()).review;
    expect(unasked.stderr).toMatch(
      /^Summer sale\n {2}content offers: revision 1 \(nothing is live\)/,
    );
    expect(unasked.stderr).toContain(
      `Steps: none: it goes live at once\nBrake: none\nDigest: ${digest}\n`,
    );
    expect((await loadout.try(approve, { env, typed: 'no' })).code).toBe(1);
    const approved = await loadout.try(approve, { env, typed: 'yes' });
    expect(approved.stdout).toBe(`Release 1 of ${game.id} is approved.\n`);
    expect(await run('show')).toMatch(/^ {2}user-\S+ approved at \S+Z: Fine\.$/m);
    expect(await run('live', '--yes')).toContain('is live since');
  });

  it('that sends a release back leaves a draft', async () => {
    expect(await run('reject', '--comment', 'Too cheap.')).toContain('is a draft');
    expect(await run('timeline')).toMatch(/release\.reject +draft .*Too cheap\.$/m);
  });

  it('is the way to publish: other ways name it, and live without it names what is missing', async () => {
    const put = ['content', 'put', 'shop', '-', '--env', game.id];
    const refused = await loadout.try(put, { stdin: '{"price":1}' });
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('`loadout content put --add-to-release` does both');
    expect((await tryRun('live', '--yes')).code).toBe(1);
    const emergency = await run('live', '--emergency', 'Players cannot log in.', '--yes');
    expect(emergency).toContain('is live since');
    expect(await run('show')).toContain('Emergency: Players cannot log in.\n');
  });
});

describe('a schedule', () => {
  beforeEach(async () => {
    await create();
    await run('add', 'shop');
  });

  it('is set, shown and taken back', async () => {
    const at = '2099-01-31T18:00:00.000Z';
    expect(await run('schedule', at, '--tolerance', '2h')).toBe(
      `Release 1 of ${game.id} is scheduled for ${at}.\n`,
    );
    expect((await shown()).schedule).toEqual({ at, toleranceMinutes: 120 });
    expect(await loadout.run(['release', 'list', game.id])).toContain(`scheduled ${at}`);
    expect(await run('schedule', 'never')).toBe(`Release 1 of ${game.id} is approved.\n`);
    expect((await tryRun('schedule', 'soon')).code).toBe(2);
  });

  it('can be followed until the release is live', async () => {
    const following = tryRun('schedule', '12h', '--wait');
    await inState('scheduled');
    await server.admin('POST', `${game.path}/releases/1/live`, {});
    const followed = await following;
    expect([followed.code, followed.stderr]).toEqual([0, expect.stringContaining('is scheduled')]);
    expect(followed.stdout).toContain('is live since');
  });

  it('ends with a cancellation', async () => {
    await run('schedule', '12h');
    expect(await run('cancel', '--reason', 'Too early.')).toMatch(
      /was cancelled at \S+Z: Too early\.\n$/,
    );
  });
});

describe('dangerous acts in a protected environment', () => {
  beforeEach(async () => {
    await game.put('events', '1');
    await create('--step', '1%:1h');
    await loadout.run(['env', 'edit', game.id, '--protected', 'true']);
  });

  async function asks(verb: string, ...more: string[]): Promise<string> {
    const args = ['release', verb, game.id, '1', ...more];
    const unasked = await loadout.try(args);
    expect([unasked.code, unasked.stdout]).toEqual([1, '']);
    expect(unasked.stderr).toContain('Use --yes to skip this confirmation.');
    expect((await loadout.try(args, { typed: 'yes' })).code).toBe(1);
    const right = await loadout.try(args, { typed: game.id });
    expect([right.code, right.stderr]).toEqual([0, expect.stringContaining(`Type ${game.id}`)]);
    return unasked.stderr;
  }

  it('a deletion that goes live, and its revert, ask for the name', async () => {
    await run('add', '--delete', 'events');
    const question = await asks('live');
    expect(question).toContain('This makes "Winter event" live for all players, which reaches');
    expect(question).toContain('It deletes events.');
    expect((await game.plain('events')).status).toBe(404);
    expect(await asks('revert')).toContain('This takes "Winter event" back, for events.');
    expect((await game.plain('events')).text).toBe('1');
  });

  it('several contents at once ask; one that changes does not', async () => {
    await run('add', 'shop');
    await run('live');
    await game.put('events', '2', { publish: false });
    await game.put('shop', '2', { publish: false });
    await loadout.run(['release', 'create', game.id, 'Both']);
    await loadout.run(['release', 'add', game.id, '2', 'shop', 'events']);
    const both = ['release', 'live', game.id, '2'];
    expect((await loadout.try(both)).stderr).toContain('which reaches events, shop');
    expect(await loadout.run([...both, '--yes'])).toContain('is live');
  });

  it('a stop asks only where players lose a content that only the release has', async () => {
    await run('add', 'shop');
    await run('start');
    await run('stop');
    await game.put('fresh', '1', { publish: false });
    await loadout.run(['release', 'create', game.id, 'New', '--step', '1%:1h']);
    await loadout.run(['release', 'add', game.id, '2', 'fresh']);
    await loadout.run(['release', 'start', game.id, '2']);
    const stop = ['release', 'stop', game.id, '2'];
    expect((await loadout.try(stop)).stderr).toContain('This takes fresh away from the players');
    expect((await loadout.try(stop, { typed: game.id })).code).toBe(0);
  });
});
