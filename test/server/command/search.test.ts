/*
 * Goal: `loadout search` prints where a text is, live and in drafts, and how to go on where there is more.
 * Method: commands in this process, against a real server.
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
  const mapping = [{ segment: 'lamps', when: {}, merge: { lamp: 2 } }];
  await game.put('shop', '{\n  "lamp": 1,\n  "name": "The LAMP"\n}', { mapping });
  await game.put('shop', '{"name": "lamp"}', { publish: false });
});

const search = (...options: string[]): string[] => ['search', '--env', game.id, ...options];

describe('loadout search', () => {
  it('prints each hit with its place', async () => {
    expect(await loadout.run(search('lamp'))).toBe(
      [
        'CONTENT  STATE     IN          LINE  PATH           FOUND',
        'shop     live r1   0.0.0       2     /lamp          key lamp',
        'shop     live r1   0.0.0       3     /name          The LAMP',
        'shop     both r1   rule lamps  1     /0/segment     lamps',
        'shop     both r1   rule lamps  1     /0/merge/lamp  key lamp',
        'shop     draft r2  0.0.0       1     /name          lamp',
        '',
      ].join('\n'),
    );
    expect(await loadout.run(search('zeppelin'))).toBe('No text contains it.\n');
  });

  it('says how to go on where there are more hits', async () => {
    const first = await loadout.run(search('lamp', '--limit', '4', '--json'));
    const { hits, next } = JSON.parse(first);
    expect(hits).toHaveLength(4);
    const rest = await loadout.run(search('lamp', '--after', next));
    expect(rest.split('\n').slice(1)).toEqual(['shop     draft r2  0.0.0  1     /name  lamp', '']);
  });
});
