/*
 * Goal: the commands that answer "what would this do?" — segment test, segment put --dry-run, evaluate, preview — agree
 * with what delivery then does, over a real server with its workers.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Environment, makeEnvironment } from '../../support/server/environment.js';
import { CommandLine } from '../../support/server/run-loadout.js';
import { sharedServer } from '../../support/server/server.js';

const server = sharedServer();
let game: Environment;
let loadout: CommandLine;
let folder: string;

const players = Array.from({ length: 200 }, (_, index) => ({
  u: `player-${index}`,
  p: { country: index % 2 === 0 ? 'DE' : 'US', level: index },
  ...(index % 10 === 0 ? {} : { v: '1.4.0' }),
}));
let contexts: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'loadout-preview-'));
  game = await makeEnvironment(server);
  loadout = new CommandLine(server);
  contexts = file('players.ndjson', `${players.map((one) => JSON.stringify(one)).join('\n')}\n`);
  await game.putSegment('eu', { country: { $in: ['DE', 'FR'] } });
  await game.put('shop', '{ "price": 1.10, "gems": 100 }', {
    mapping: [
      { segment: 'eu', merge: { vat: true } },
      {
        segment: 'gems',
        when: {},
        salt: 'g1',
        variants: [
          { name: 'control', groups: [0, 499] },
          { name: 'more', groups: [500, 999], merge: { gems: 150 } },
        ],
      },
    ],
  });
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const gemsTest = (salt: string): unknown[] => [
  {
    ...{ segment: 'gems', when: { level: { $gte: 3 }, '@u': { $ne: '' } }, salt },
    variants: [
      { name: 'control', groups: [0, 499] },
      { name: 'more', groups: [500, 999], merge: { gems: 150 } },
    ],
  },
];

const inEnv = (...args: string[]): string[] => [...args, '--env', game.id];

/** What delivery answers each player, apart from the hash. */
async function delivered(): Promise<string[]> {
  const answers: string[] = [];
  for (const player of players) {
    const { data, meta } = (await game.wrapped('shop', player)).json;
    answers.push(JSON.stringify([data, meta.seg]));
  }
  return answers;
}

describe('loadout preview', () => {
  it('shows shares before and after, and counts just the players whose answer then changes', async () => {
    const draft = file('draft.jsonc', '{ "price": 1.10, "gems": 120 } // more for all\n');
    const args = inEnv('preview', 'SHOP', '--contexts', contexts, '--file', draft);
    const shown = await loadout.run(args);
    expect(shown).toContain(
      'shop, revision 1 with unsaved edits, on 200 contexts; live is revision 1',
    );
    expect(shown).toMatch(/^OF ALL CONTEXTS +NOW +EDIT +DIFFERENCE$/m);
    expect(shown).toMatch(/^rule eu +50\.00 % +50\.00 %$/m);
    expect(shown).toMatch(/^ {2}variant more +\d+\.\d\d % +\d+\.\d\d %$/m);
    expect(shown).toMatch(
      /other data +eu, gems\/control +eu, gems\/control +\/gems: 100 -> 120 +\d+, /,
    );
    const report = await loadout.json(args);
    expect(report).toMatchObject({ contexts: 200, faulty: 0, unsaved: true });

    const before = await delivered();
    await game.put('shop', '{ "price": 1.10, "gems": 120 }');
    const after = await delivered();
    const changed = after.filter((answer, index) => answer !== before[index]).length;
    expect(report.changed.contexts).toBe(changed);
    expect(shown).toContain(
      `${changed} of 200 contexts (${(changed / 2).toFixed(2)} %) would get a different result than now.`,
    );
  });

  it('previews a mapping: a rule that comes, one that goes, a test that is split anew', async () => {
    const mapping = file(
      'mapping.json',
      `[ { "segment": "gems", "when": {}, "salt": "g1", "variants": [
           { "name": "control", "groups": [0, 899] },
           { "name": "more", "groups": [900, 999], "merge": { "gems": 150 } } ] },
         { "segment": "high", "when": { "level": { "$gte": 150 } }, "merge": { "price": 9.90 } } ]`,
    );
    const shown = await loadout.run(
      inEnv('preview', 'shop', '--contexts', contexts, '--mapping', mapping),
    );
    expect(shown).toMatch(/^rule high +- +25\.00 %$/m);
    expect(shown).toMatch(/^rule eu +50\.00 % +-$/m);
    expect(shown).toMatch(/^ {2}variant control +\d+\.\d\d % +\d+\.\d\d % +\+\d+\.\d\d$/m);
  });

  it('previews the newest draft without further words, and reads contexts from standard input', async () => {
    await game.put('drafted', '1');
    await game.put('drafted', '2', { publish: false });
    const args = inEnv('preview', 'drafted', '--contexts', '-');
    const shown = await loadout.run(args, { stdin: '{}\n{"u":1}\n' });
    expect(shown).toContain('drafted, revision 2, on 1 context; live is revision 1');
    expect(shown).toContain('1 of 1 context (100.00 %)');
    expect(shown).toContain('line 2: it u must be a text');
  });

  it('makes users up where none are given, and says whom another salt moves', async () => {
    await game.put('salted', '{ "gems": 100 }', { mapping: gemsTest('g1') });
    const mapping = file('salt.json', JSON.stringify(gemsTest('g2')));
    const args = inEnv('preview', 'salted', '--mapping', mapping);
    const shown = await loadout.run(args);
    expect(shown).toContain('on 1000 made-up users; live is revision');
    expect(shown).toMatch(/^OF MADE-UP USERS +NOW +EDIT +DIFFERENCE$/m);
    expect(shown).toMatch(
      /^\d+ of 1000 made-up users \(\d+\.\d\d %\) would get something different\.$/m,
    );
    const moved =
      /^Test gems: of the (\d+) users in it, (\d+\.\d\d) % would see another variant\.$/m;
    const [, users, share] = moved.exec(shown) ?? [];
    expect(Number(users)).toBeGreaterThan(300);
    expect(Math.abs(Number(share) - 50)).toBeLessThan(8);
    expect(shown).toMatch(/^\d+ +other data +gems\/control +gems\/more .* made-up-\d+/m);
    expect(shown).toContain('no sample of your players: shares are of made-up users.');
    expect(await loadout.run(args)).toBe(shown);
    const few = await loadout.json([...args, '--made-up', '10']);
    expect(few).toMatchObject({ contexts: 10, given: null });
    // The save says it as well, before anything is live.
    const dry = inEnv('content', 'put', 'salted', '--mapping', mapping, '--dry-run');
    const ran = await loadout.try(dry);
    expect(ran.stderr).toContain('warning: mapping[0].salt: of the users in the live test "gems"');
    expect(ran.stderr).toContain('about 50.0 % would see another variant');
  });

  it('fails where the edit could not be saved, and for wrong usage', async () => {
    const broken = file('broken.json', '{ "price": }');
    const args = inEnv('preview', 'shop', '--contexts', contexts);
    const ran = await loadout.try([...args, '--file', broken]);
    expect([ran.code, ran.stdout]).toEqual([1, '']);
    expect(ran.stderr).toContain('line 1, column 12');
    expect((await loadout.try([...args, '--made-up', '10'])).code).toBe(2);
    expect((await loadout.try(inEnv('preview', 'shop', '--made-up', '0'))).code).toBe(2);
    expect((await loadout.try([...args, '--line', '1.0.0'])).code).toBe(2);
    const twice = inEnv('preview', 'shop', '--contexts', '-', '--file', '-');
    expect((await loadout.try(twice)).code).toBe(2);
  });
});

describe('loadout evaluate', () => {
  it('explains in sentences', async () => {
    const caller = ['-u', 'ada', '-p', '{"country":"US"}', '-v', '1.4.0'];
    const shown = await loadout.run(inEnv('evaluate', 'shop', ...caller, '--explain'));
    expect(shown).toContain('1. eu: not applied, its condition does not match');
    expect(shown).toContain(
      'The saved segment does not match: country is "US", but must be one of ["DE","FR"].',
    );
    expect(shown).toMatch(/2\. gems: applied, variant (control|more)/);
    expect(shown).toContain('(assigned with the salt "g1")');
    const answer = await game.wrapped('shop', { u: 'ada', p: { country: 'US' }, v: '1.4.0' });
    expect(shown).toContain(answer.text);
  });

  it('takes an empty version for none', async () => {
    const evaluate = (...more: string[]): Promise<string> =>
      loadout.run(inEnv('evaluate', 'shop', '-u', 'ada', ...more));
    expect(await evaluate('-v', '')).toBe(await evaluate());
  });

  it('tries out a text and a mapping that are not saved', async () => {
    const draft = file('try.jsonc', '{ "price": 2.50 }');
    const rules = file('try.json', '[{"segment":"eu","merge":{"vat":1.0}}]');
    const edit = ['--file', draft, '--mapping', rules];
    const shown = await loadout.run(inEnv('evaluate', 'shop', '-p', '{"country":"FR"}', ...edit));
    expect(shown).toContain('with unsaved edits');
    expect(shown).toContain('"data":{"price":2.50,"vat":1.0}');
  });
});

describe('loadout segment', () => {
  it('lists where a segment is used', async () => {
    const shown = await loadout.run(inEnv('segment', 'usage', 'eu'));
    expect(shown).toMatch(/^CONTENT +REVISION +LIVE +RULES\nshop +2 +yes +1\n$/);
    await game.putSegment('unused', {});
    expect(await loadout.run(inEnv('segment', 'usage', 'unused'))).toBe('No content uses it.\n');
    expect(await loadout.run(inEnv('segment', 'show', 'unused'))).toBe('{}\n');
    const { segments } = await loadout.json(inEnv('segment', 'list'));
    expect(segments).toMatchObject([
      { name: 'eu', usedBy: ['shop'], uses: [{ content: 'shop', live: true, rules: [0] }] },
      { name: 'unused', usedBy: [], uses: [] },
    ]);
  });

  it('tests a saved segment and a condition', async () => {
    const saved = await loadout.run(inEnv('segment', 'test', 'eu', '--contexts', contexts));
    expect(saved).toMatch(/^1 +yes +country is "DE", which is one of \["DE","FR"\]\.$/m);
    expect(saved).toMatch(/^2 +no +country is "US", but must be one of \["DE","FR"\]\.$/m);
    expect(saved).toContain('100 of 200 match.\n');
    const when = ['--when', '{"@v":{"$vlt":"1.4.0"}}', '-v', '1.4.0'];
    expect(await loadout.run(inEnv('segment', 'test', ...when))).toMatch(
      /^- +no +the app version \(@v\) is "1\.4\.0", but must be a version below "1\.4\.0"\.$/m,
    );
    expect((await loadout.try(inEnv('segment', 'test'))).code).toBe(2);
    const bad = file('bad.ndjson', '{}\n\nnonsense\n');
    const ran = await loadout.try(inEnv('segment', 'test', 'eu', '--contexts', bad));
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining('line 3 is not JSON')]);
  });

  it('asks before a change that reaches what is live, and a script must use --yes', async () => {
    const put = inEnv('segment', 'put', 'eu', '--when', '{"country":"US"}', '--contexts', contexts);
    const dry = await loadout.run([...put, '--dry-run']);
    expect(dry).toContain('eu gets another condition. It reaches shop.');
    expect(dry).toContain('100 enter, 100 leave.');
    expect(dry).toContain('Entering, for example: lines 2, 4, ');
    const refused = await loadout.try(put);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('This changes eu, which reaches what is live: shop.');
    expect(refused.stderr).toContain('--yes');
    const us = { u: 'u', p: { country: 'US' } };
    expect(await game.segments('shop', us)).not.toContain('eu');
    expect(await loadout.run([...put, '--yes'])).toBe('Saved eu. It reaches shop.\n');
    expect(await game.segments('shop', us)).toContain('eu');
    // The same again changes nothing, so nobody is asked.
    expect(await loadout.run(put)).toContain('Saved eu.');
  });
});

describe('a time in the past', () => {
  it('shows what was live then, with the segments of then', async () => {
    const before = new Date().toISOString();
    await game.putSegment('vip', { spent: { $gte: 1 } });
    await game.put('then', '{"price":5}', {
      mapping: [{ segment: 'vip', merge: { price: 4 } }],
    });
    const spender = { u: 'ada', p: { spent: 5 } };
    const served = await game.wrapped('then', spender);
    const then = await nextMoment();
    await game.put('then', '{"price":9}');
    await game.putSegment('vip', { spent: { $gte: 100 } });

    const caller = ['-u', 'ada', '-p', '{"spent":5}'];
    const asked = inEnv('evaluate', 'then', ...caller, '--at', then);
    const shown = await loadout.run(asked);
    expect(shown).toContain(
      `As of ${then}: revision 1, which was live then; segment vip, revision 1.\n`,
    );
    expect(shown).toContain(served.text);
    expect(await loadout.run([...asked, '--explain'])).toContain(`As of ${then}: revision 1`);
    const named = await loadout.run([...asked, '--revision', '2']);
    expect(named).toContain(`As of ${then}: revision 2; segment vip, revision 1.\n`);
    const present = await loadout.run(inEnv('evaluate', 'then', ...caller));
    expect(present).not.toContain('As of');
    expect(present).toContain('{"price":9}');

    const users = file('then.ndjson', '{"u":"ada","p":{"spent":5}}\n');
    const compared = await loadout.run(inEnv('preview', 'then', '--contexts', users, '--at', then));
    expect(compared).toContain(
      `then, revision 2, on 1 context; live at ${then} was revision 1; segment vip, revision 1\n`,
    );
    expect(compared).toMatch(/^OF ALL CONTEXTS +THEN +EDIT +DIFFERENCE$/m);
    expect(compared).toContain('1 of 1 context (100.00 %) would get a different result than then.');
    const early = inEnv('preview', 'then', '--contexts', users, '--at', before);
    expect(await loadout.run(early)).toContain(`nothing was live at ${before}`);
  });

  it('tries a revision that is named though its segment was not there yet', async () => {
    const then = await nextMoment();
    await game.putSegment('late', { a: 1 });
    await game.put('kept', '{}', { mapping: [{ segment: 'late', merge: {} }] });
    const ran = await loadout.try(inEnv('evaluate', 'kept', '--at', then, '--revision', '1'));
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    const live = await loadout.try(inEnv('evaluate', 'kept', '--at', then));
    expect(live.code).toBe(1);
    expect(live.stderr).toContain('Nothing of "kept" was live at');
  });

  it('is explained by the help', async () => {
    for (const [command, words] of [
      ['evaluate', 'shows what was live then'],
      ['preview', 'compares with what was live then'],
    ] as const) {
      const help = (await loadout.run([command, '--help'])).replace(/\s+/g, ' ');
      expect(help).toContain(words);
    }
  });
});

/** A moment that lies after all that was saved before, and before all that is saved from now on. */
async function nextMoment(): Promise<string> {
  await pause(5);
  const moment = new Date().toISOString();
  await pause(5);
  return moment;
}
