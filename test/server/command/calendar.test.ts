/*
 * Goal: `loadout calendar` shows by day what is due, with the times of both kinds of windows, and names the conflicts.
 * Method: commands in this process, against a real server; all times lie in 2100.
 */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Environment, makeEnvironment } from '../../support/server/environment.js';
import { CommandLine } from '../../support/server/run-loadout.js';
import { sharedServer } from '../../support/server/server.js';

const server = sharedServer();
let game: Environment;
let loadout: CommandLine;

beforeAll(() => {
  loadout = new CommandLine(server);
});
beforeEach(async () => {
  game = await makeEnvironment(server);
});

const weekend = { days: ['fri'], from: '18:00', until: '10:00', plusDays: 3 };
const sale = { segment: 'sale', when: {}, merge: { price: 3 } };
const local = { from: '2100-01-01T00:00:00', until: '2100-02-01T00:00:00' };
const zoned = { from: '2100-01-02T12:00:00+01:00', until: '2100-01-02T14:00:00+01:00' };

function calendar(...options: string[]): string[] {
  return ['calendar', game.id, '--from', '2100-01-01', ...options];
}

describe('loadout calendar', () => {
  it('lists windows and releases by day, and their conflicts', async () => {
    const mapping = [
      { ...sale, ...local, repeat: weekend },
      { ...sale, segment: 'noon', ...zoned },
    ];
    await game.put('shop', '{"price":4}', { mapping });
    await game.put('shop', '{"price":5}', { mapping, publish: false });
    const changes = [{ kind: 'content', id: 'shop' }];
    const steps = [{ percent: 5, holdMinutes: 60 }];
    await server.admin('POST', `${game.path}/releases`, { title: 'Winter', changes, steps });
    const at = '2100-01-08T09:00:00Z';
    await server.admin('POST', `${game.path}/releases/1/schedule`, { at });
    expect(await loadout.run(calendar('--until', '2100-01-09'))).toBe(
      [
        'DAY             FROM   UNTIL                 CLOCK        WHAT                      STATE',
        'Fri 2100-01-01  18:00  Mon 2100-01-04 10:00  player time  shop: sale                live',
        'Sat 2100-01-02  11:00  13:00                 UTC          shop: noon                live',
        'Fri 2100-01-08  09:00  10:00                 UTC          release 1: Winter (shop)  scheduled',
        '                09:00  10:00                 UTC          release 1: step 1, 5 %',
        '                18:00  Mon 2100-01-11 10:00  player time  shop: sale                live',
        '',
        '1 conflict:',
        '  from 2100-01-02 11:00 until 2100-01-02 13:00 UTC: "sale" and "noon" both change /price of "shop" for players who can be in both.',
        '',
      ].join('\n'),
    );
  });

  it('says that nothing is due, and prints what the server sent', async () => {
    expect(await loadout.run(calendar())).toBe(
      'Nothing between 2100-01-01T00:00:00.000Z and 2100-01-29T00:00:00.000Z.\n',
    );
    expect(await loadout.json(calendar())).toMatchObject({ entries: [], conflicts: [] });
  });

  it('begins today, and names what is wrong with a range', async () => {
    const { from } = await loadout.json(['calendar', game.id]);
    expect(from).toBe(`${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`);
    const late = await loadout.try(calendar('--until', '2099-12-31'));
    expect(late.code).toBe(1);
    expect(late.stderr).toContain('must be after from');
    expect((await loadout.try(calendar('--until', 'soon'))).code).toBe(2);
  });
});
