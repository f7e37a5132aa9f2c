/*
 * Goal: an experiment can be planned, started, looked at and decided from the command line, each command says where it stands,
 * and a script can tell a broken experiment from the others. Method: commands in this process, against a real server.
 */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Environment, makeEnvironment } from '../../support/server/environment.js';
import { CommandLine, type Ran } from '../../support/server/run-loadout.js';
import { sharedServer } from '../../support/server/server.js';

const server = sharedServer();
let loadout: CommandLine;
let game: Environment;

beforeAll(() => {
  loadout = new CommandLine(server);
});

const prices = {
  ...{ segment: 'price', when: { '@u': { $ne: '' } }, salt: 'price-1' },
  variants: [
    { name: 'control', groups: [0, 499] },
    { name: 'cheap', groups: [500, 999], merge: { price: 4 } },
  ],
};

/** A shop with a test of its price, and a metric, in an environment of its own. */
beforeEach(async () => {
  game = await makeEnvironment(server);
  await game.put('shop', '{"price":5}', { mapping: [prices] });
  await setMetric('buyers', '--kind', 'conversion', '--event', 'purchase', '--within', '7');
});

function setMetric(name: string, ...options: string[]): Promise<string> {
  return loadout.run(['metric', 'set', game.id, name, ...options]);
}

/** About the experiment `prices`. */
function run(verb: string, ...options: string[]): Promise<string> {
  return loadout.run(['experiment', verb, game.id, 'prices', ...options]);
}

function tryRun(verb: string, ...options: string[]): Promise<Ran> {
  return loadout.try(['experiment', verb, game.id, 'prices', ...options]);
}

function create(...options: string[]): Promise<string> {
  const rule = ['--content', 'shop', '--rule', 'price', '--control', 'control'];
  return run('create', ...rule, ...options);
}

describe('loadout metric', () => {
  it('defines, lists and deletes what experiments are judged by', async () => {
    await setMetric('spend', '--kind', 'ratio', '--event', 'spent', '--per', 'bought');
    await setMetric('crashes', '--kind', 'count', '--event', 'crash', '--less-is-better');
    const list = await loadout.run(['metric', 'list', game.id]);
    expect(list).toMatch(/^buyers +conversion in 7 d +purchase +more +no$/m);
    expect(list).toMatch(/^crashes +count +crash +less +no$/m);
    expect(list).toMatch(/^spend +ratio +spent per bought +more +no$/m);
    expect(await loadout.run(['metric', 'delete', game.id, 'spend'])).toBe('Deleted spend.\n');
    expect(await loadout.run(['metric', 'list', game.id])).not.toContain('spend');
  });

  it('names its options where a definition is rejected', async () => {
    const set = (...options: string[]) =>
      loadout.try(['metric', 'set', game.id, 'odd', '--event', 'e', ...options]);
    expect((await set('--kind', 'ratio')).stderr).toContain('--per: is needed by');
    const count = await set('--kind', 'count', '--within', '7', '--winsorise', '2');
    expect(count.stderr).toContain('--winsorise: ');
    expect((await set('--kind', 'count', '--within', '7')).stderr).toContain('--within: belongs');
  });

  it('keeps the usual cap of totals unless another is named', async () => {
    await setMetric('revenue', '--kind', 'sum', '--event', 'purchase');
    await setMetric('capped', '--kind', 'sum', '--event', 'purchase', '--winsorise', '0.99');
    const { metrics } = await loadout.json(['metric', 'list', game.id]);
    const caps = Object.fromEntries(
      metrics.map(({ name, cap }: { name: string; cap: object }) => [name, cap]),
    );
    expect(caps).toMatchObject({ revenue: { winsorise: 0.999 }, capped: { winsorise: 0.99 } });
  });
});

describe('loadout experiment', () => {
  it('plans: what is left out has the defaults of the server, and can be changed', async () => {
    const plan = ['--metric', 'buyers', '--hypothesis', 'More buy.', '--effect', '2.5'];
    expect(await create(...plan)).toBe(`Experiment prices of ${game.id} is a draft.\n`);
    await run('edit', '--days', '28', '--owner', 'Mei');
    const shown = await run('show');
    expect(shown).toContain('Hypothesis: More buy.\n');
    expect(shown).toContain('Variants: control 0-499 (control), cheap 500-999\n');
    expect(shown).toContain('Assigned by: salt price-1\n');
    expect(shown).toContain('Plan: 28 days, smallest effect 2.5 %\n');
    const list = await loadout.run(['experiment', 'list', game.id, '--state', 'draft']);
    expect(list).toMatch(/^prices +draft +28 days +shop, price +buyers +Mei +prices$/m);
  });

  it('warns of a rule that is not there', async () => {
    const rule = ['--content', 'shop', '--rule', 'prize', '--control', 'control'];
    const made = await tryRun('create', ...rule);
    expect(made).toMatchObject({
      code: 0,
      stdout: `Experiment prices of ${game.id} is a draft.\n`,
    });
    expect(made.stderr).toContain(
      'warning: segment: No rule "prize" with variants is saved in "shop"',
    );
  });

  it('runs from the start to the release of the winner', async () => {
    await create('--metric', 'buyers');
    expect(await run('start')).toMatch(/^Experiment prices of \S+ is running, phase 1, since /);
    const results = await run('results');
    expect(results).toMatch(/^No exposures have arrived yet\./);
    expect(results).toContain('Phase 1, 1 of 14 days.\n');
    expect(results).not.toContain('VALUE');
    expect(await run('stop', '--note', 'Summer is over.')).toMatch(/was stopped at /);
    const decided = await run('decide', '--variant', 'cheap', '--note', 'It sells.');
    expect(decided).toMatch(
      /^Experiment prices of \S+ is decided: cheap, with release 1 \(draft\)\.\n/,
    );
    expect(decided).toContain('Nothing changes for players until release 1 goes live.\n');
    const shown = await run('show');
    expect(shown).toContain('Decided by owner: cheap in release 1: It sells.\n');
    expect(shown).toContain('Summer is over.');
    await loadout.run(['release', 'live', game.id, '1', '--yes']);
    expect((await game.wrapped('shop', { u: 'ada' })).json.data).toEqual({ price: 4 });
    const list = await loadout.run(['experiment', 'list', game.id]);
    expect(list).toMatch(/^prices +decided +cheap +/m);
  });

  it('starts a stopped experiment again, in a phase of its own', async () => {
    await create();
    await run('start');
    await run('stop');
    expect(await run('start')).toContain('is running, phase 2,');
    expect(await run('show')).toMatch(/\nPhases:\n {2}1: .*\n {2}2: .* to now: /);
    expect(await run('results', '--phase', '1')).toContain('Phase 1,');
  });

  it('ends without a winner: the rule only goes', async () => {
    await create();
    await run('start');
    expect(await run('decide', '--none')).toContain(
      'is decided: no variant, the rule goes, with release 1 (draft).\n',
    );
    await loadout.run(['release', 'live', game.id, '1', '--yes']);
    expect((await game.wrapped('shop', { u: 'ada' })).json.meta.seg).toEqual([]);
  });

  it('is deleted only while it was never started', async () => {
    await create();
    expect(await run('delete')).toBe('Deleted prices.\n');
    await create();
    await run('start');
    const { code, stderr } = await tryRun('delete');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: Conflict: /);
  });

  it.each([
    ['decide', [], 'Give either --variant or --none.'],
    ['decide', ['--none', '--variant', 'cheap'], 'Give either --variant or --none.'],
    ['edit', [], 'Nothing to change: see loadout experiment edit --help.'],
    ['edit', ['--effect', '0'], '--effect must be above 0'],
  ])('says what is wrong with %s %j', async (verb, options, message) => {
    const { code, stderr } = await tryRun(verb, ...options);
    expect(code).toBe(2);
    expect(stderr).toContain(`error: ${message}`);
  });
});
