/** Which users a ramp reaches: ten thousand users over the wire, on three nodes, after a pause, a restart and a failover. */
import http from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { TestFleet } from '../../support/fleet/fleet.js';
import { freshDatabase, hasPostgres } from '../../support/postgres/postgres.js';
import { expectDone } from '../../support/server/environment.js';
import { endHolds, isIn, rampAt, TestedRelease } from '../../support/server/release.js';

// A million are in `npm run soak -- ramp`, without a network.
const users = Array.from({ length: 10_000 }, (_, at) => `player-${at.toString(36)}`);
const atOnce = 16;
const steps = [5, 20].map((percent) => ({ percent, holdMinutes: 600 }));

describe.skipIf(!hasPostgres)('the users that are in', () => {
  let url: string;
  let fleet: TestFleet;
  let release: TestedRelease;
  beforeAll(async () => {
    url = await freshDatabase();
    fleet = await TestFleet.start({ url });
    await fleet.game.put('shop', '{"price":1}');
    await fleet.game.put('shop', '{"price":2}', { publish: false });
    const changes = [{ kind: 'content', id: 'shop' }];
    release = await TestedRelease.make(fleet.game, { changes, steps });
  });

  /** Those that a node gives the release. */
  async function membersAt(node: number): Promise<ReadonlySet<string>> {
    const agent = new http.Agent({ keepAlive: true, maxSockets: atOnce });
    const members = new Set<string>();
    const left = [...users];
    const sequence = String((await release.show()).sequence);
    const least = { 'x-min-sequence': sequence };
    const next = async (): Promise<void> => {
      for (let u = left.pop(); u !== undefined; u = left.pop()) {
        const path = '/api/v1/config/shop';
        const answer = await fleet.at(node).ask('POST', path, { u }, least, agent);
        if (expectDone(answer).json.price === 2) members.add(u);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, next));
    agent.destroy();
    return members;
  }

  /** Those of all nodes, which must be the same, and those that the ramp draws. */
  async function members(): Promise<ReadonlySet<string>> {
    const [first, ...others] = await Promise.all(fleet.nodes.map((_, node) => membersAt(node)));
    for (const other of others) expect(other).toEqual(first);
    const ramp = rampAt(fleet.node(0), fleet.game.id, 'shop');
    expect(first).toEqual(new Set(users.filter((u) => isIn(ramp, u))));
    return first as ReadonlySet<string>;
  }

  async function leader(): Promise<number> {
    return eventually('a node does the leader jobs', 60_000, async () => {
      const metrics = await Promise.all(fleet.nodes.map((node) => node.admin('GET', '/metrics')));
      const at = metrics.findIndex(({ text }) => /^loadout_chores 1$/m.test(text));
      return at < 0 ? null : { at };
    }).then(({ at }) => at);
  }

  it('are the same on three nodes, after a pause, a restart and a failover; a step only adds to them', async () => {
    await release.act('start');
    const first = await members();
    expect(first.size).toBeGreaterThan(400);
    expect(first.size).toBeLessThan(600);

    await release.act('pause');
    const killed = await leader();
    await fleet.kill(killed);
    await fleet.startAgain(killed);
    const restarted = (killed + 1) % 3;
    await fleet.node(restarted).stop();
    await fleet.startAgain(restarted);
    release = release.on(fleet.node(0));
    expect(await release.state()).toBe('paused');
    expect(await members()).toEqual(first);

    await release.act('resume');
    const away = await leader();
    await fleet.kill(away);
    await endHolds(fleet.node(away), url);
    const other = release.on(fleet.node((away + 1) % 3));
    await eventually('another node takes the step', 90_000, async () => {
      return (await other.show()).percent === 20;
    });
    await fleet.startAgain(away);
    release = release.on(fleet.node(0));
    const second = await members();
    expect([...first].filter((u) => !second.has(u))).toEqual([]);
    expect(second.size).toBeGreaterThan(1_800);
  }, 600_000);
});
