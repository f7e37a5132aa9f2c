/** Conditions over the caller's attributes: one caller, many rules without mutation, and which of them are listed. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Environment, makeEnvironment } from '../../support/server/environment.js';
import { cpuSecondsOf } from '../../support/server/process-cpu.js';
import { sharedServer } from '../../support/server/server.js';
import { expectInvalid } from '../../support/wire/refusal.js';
import { xxh32 } from '../../support/xxhash.js';

const server = sharedServer();
let game: Environment;

beforeAll(async () => {
  game = await makeEnvironment(server);
});

const u = 'player-7';
const p = {
  country: 'US',
  level: 12,
  premium: true,
  nothing: null,
  name: 'Ala',
  app: '1.10.2',
  tags: ['whale', 'Beta'],
  scores: [3, 8],
  device: { os: { name: 'ios', version: 17 } },
  friends: [
    { name: 'x', level: 3 },
    { name: 'y', level: 30 },
  ],
  '@v': '9.9.9',
  '@u': 'somebody',
  '@mod': -1,
};
const mod = xxh32(u) % 1000;

const holds: readonly object[] = [
  {},
  { country: 'US' },
  { country: 'US', level: 12 },
  // The dialect compares with a text as texts.
  { level: '12' },
  { 'device.os.name': 'ios' },
  { nothing: null },
  { absent: null },
  { country: { $eq: 'US' } },
  { country: { $ne: 'PL' } },
  { level: { $lt: 13 } },
  { level: { $lte: 12 } },
  { level: { $gt: 11 } },
  { level: { $gte: 12 } },
  { level: { $gt: 11, $lt: 13 } },
  { country: { $in: ['US', 'CA'] } },
  { tags: { $in: ['whale', 'minnow'] } },
  { country: { $nin: ['PL'] } },
  { tags: { $all: ['Beta', 'whale'] } },
  { country: { $exists: true } },
  { absent: { $exists: false } },
  { level: { $type: 'number' } },
  { tags: { $type: 'array' } },
  { name: { $regex: '^A.a$' } },
  { name: { $regexi: '^aLA' } },
  { name: { $notRegex: '^ala$' } },
  { name: { $notRegexi: '^b' } },
  { country: { $ini: ['us'] } },
  { country: { $nini: ['pl'] } },
  { tags: { $alli: ['WHALE', 'beta'] } },
  { level: { $not: { $gt: 12 } } },
  { $not: { country: 'PL' } },
  { $and: [{ country: 'US' }, { level: 12 }] },
  { $or: [{ country: 'PL' }, { level: 12 }] },
  { $nor: [{ country: 'PL' }, { level: 13 }] },
  { tags: { $size: 2 } },
  { scores: { $elemMatch: { $gt: 7 } } },
  { friends: { $elemMatch: { level: { $gte: 30 }, name: 'y' } } },
  { app: { $veq: '1.10.2' } },
  { app: { $vne: '1.10.3' } },
  { app: { $vgt: '1.9.9' } },
  { app: { $vgte: '1.10.2' } },
  { app: { $vlt: '1.11.0' } },
  { app: { $vlte: '1.10.2' } },
  { '@u': u },
  { '@v': '1.4.0' },
  { '@v': { $vgte: '1.4.0', $vlt: '1.4.1' } },
  { '@mod': mod },
  { '@mod': { $gte: mod, $lte: mod } },
  { $or: [{ '@u': 'nobody' }, { $and: [{ '@v': { $vgt: '1.3.0' } }, { '@mod': { $gte: 0 } }] }] },
];

const fails: readonly object[] = [
  { country: 'PL' },
  { country: 'us' },
  { country: 'US', level: 13 },
  { 'device.os.name': 'android' },
  { 'device.os.name.more': 'ios' },
  { level: { $lt: 12 } },
  { level: { $gt: 12 } },
  { country: { $in: ['us'] } },
  { country: { $in: [] } },
  { country: { $nin: ['US'] } },
  { tags: { $all: ['whale', 'beta'] } },
  { absent: { $exists: true } },
  { level: { $type: 'string' } },
  { name: { $regex: '^ala$' } },
  { name: { $notRegexi: '^ALA$' } },
  { country: { $nini: ['us'] } },
  { $not: { country: 'US' } },
  { $nor: [{ country: 'US' }, { level: 13 }] },
  { tags: { $size: 3 } },
  { friends: { $elemMatch: { level: { $gte: 30 }, name: 'x' } } },
  { app: { $vlt: '1.9.0' } },
  { '@u': 'somebody' },
  { '@v': { $vgt: '1.4.0' } },
  { '@v': '9.9.9' },
  { '@mod': -1 },
  { constructor: { $exists: true } },
  { 'country.length': 2 },
  { toString: { $exists: true } },
];

describe('conditions', () => {
  it('hold and fail as the dialect says', async () => {
    const rules = [...holds, ...fails].map((when, i) => ({ segment: `r${i}`, when }));
    // A mapping may not be that long in one content: the promise is about conditions, not about length.
    const listed: string[] = [];
    for (let at = 0; at < rules.length; at += 20) {
      await game.put(`conditions-${at}`, '1', { mapping: rules.slice(at, at + 20) });
      listed.push(...(await game.segments(`conditions-${at}`, { u, p, v: '1.4.0' })));
    }
    const wrong = rules
      .filter(({ segment }, i) => listed.includes(segment) !== i < holds.length)
      .map(({ when }) => JSON.stringify(when));
    expect(wrong).toEqual([]);
  });

  it('with an absent @v are false in every comparison', async () => {
    const operators = [
      '$veq',
      '$vne',
      '$vgt',
      '$vgte',
      '$vlt',
      '$vlte',
      '$eq',
      '$ne',
      '$lt',
      '$gt',
    ];
    const rules: { segment: string; when: object }[] = operators.map((operator) => ({
      segment: operator,
      when: { '@v': { [operator]: '1.0.0' } },
    }));
    rules.push({ segment: 'not there', when: { '@v': { $exists: false } } });
    await game.put('absent-v', '1', { mapping: rules });
    expect(await game.segments('absent-v', { p: { '@v': '0.0.1' } })).toEqual(['not there']);
    expect(await game.segments('absent-v', { v: '1.0.0' })).toEqual([
      '$veq',
      '$vgte',
      '$vlte',
      '$eq',
    ]);
  });

  it('never throw: what cannot be compared is not equal', async () => {
    const when = [
      { x: { $lt: 5 } },
      { x: { $gt: 'a' } },
      { x: { $regex: 'a' } },
      { x: { $in: [1] } },
      { x: { $size: 0 } },
      { x: { $elemMatch: { a: 1 } } },
      { x: { $veq: '1.0.0' } },
      { x: { a: { b: 1 } } },
      { 'x.y.z': 1 },
    ];
    await game.put('odd', '1', { mapping: when.map((w, i) => ({ segment: `s${i}`, when: w })) });
    const values: readonly unknown[] = [
      null,
      true,
      0,
      '',
      [],
      {},
      [[]],
      { toString: 1 },
      { valueOf: null },
      [null, {}],
    ];
    for (const x of [...values, { $gt: 1 }, { length: 1 }, '__proto__', 1e308]) {
      expect((await game.wrapped('odd', { p: { x } })).status).toBe(200);
    }
    const deep = `{"p":{"x":${'{"y":'.repeat(9_000)}1${'}'.repeat(9_000)}}}`;
    expect((await game.wrapped('odd', deep)).status).toBe(200);
  });

  it('run regular expressions in linear time', async () => {
    await game.put('regex', '1', {
      mapping: [{ segment: 's', when: { x: { $regex: '^(a+)+$' } } }],
    });
    const before = cpuSecondsOf(server.pid);
    expect(await game.segments('regex', { p: { x: `${'a'.repeat(40_000)}!` } })).toEqual([]);
    expect(cpuSecondsOf(server.pid) - before).toBeLessThan(5);
    expect(await game.segments('regex', { p: { x: 'aaaa' } })).toEqual(['s']);
  });

  const refused: Record<string, unknown> = {
    'an unknown operator': { level: { $near: 5 } },
    'an unknown operator at the root': { $where: 'true' },
    'an unknown operator inside $elemMatch': { tags: { $elemMatch: { $like: 'x' } } },
    'an unknown operator beside a known one': { level: { $gt: 1, $foo: 2 } },
    'a condition that is an array': [],
    'a condition that is a text': 'country = US',
  };
  for (const [name, when] of Object.entries(refused)) {
    it(`are refused when saved: ${name}`, async () => {
      const mapping = [{ segment: 's', when }];
      const errors = expectInvalid(await game.tryPut('refused', { text: '1', mapping }));
      expect(errors[0]?.path).toContain('mapping[0]');
      expect((await game.plain('refused')).status).toBe(404);
    });
  }
});
