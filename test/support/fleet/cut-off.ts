/** Cuts the second node of a fleet off from its database while the first one edits, and looks at what it serves all the time. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { expectDone } from '../server/environment.js';
import { ownerToken } from '../server/server-process.js';
import { type Answer, send } from '../wire/exchange.js';
import type { TcpProxy } from '../wire/tcp-proxy.js';
import { keptConnection, ready, type TestFleet } from './fleet.js';

export interface Missing {
  readonly proxy: TcpProxy;
  readonly how: 'cut' | 'freeze';
  /** How many contents are edited, all of them together in one import per round. */
  readonly contents: number;
  readonly rounds: number;
  /** Done before the wire is mended. */
  readonly prune?: () => Promise<void>;
}

export interface Missed {
  /** What the node answered that it never may. */
  readonly faults: readonly string[];
  /** From the mending until it served everything, milliseconds. */
  readonly caughtUpMs: number;
}

/** Edits that are made one by one at the same time. */
const editorsAtOnce = 4;

/** Contents are of one round: half of one and half of the next is a mixed state. */
export async function missEdits(fleet: TestFleet, wish: Missing): Promise<Missed> {
  const { proxy, contents, rounds } = wish;
  const ids = Array.from({ length: Math.min(contents, 100) }, (_, index) => `missed-${index}`);
  await importRound(fleet, contents, 0);
  await fleet.serveAll((await fleet.edit(0, '?wait=fleet')).number);

  const faults: string[] = [];
  let going = true;
  const watching = (async () => {
    const agent = keptConnection();
    const c = encodeURIComponent(JSON.stringify(ids));
    for (let newest = 0; going; await pause(5)) {
      const answer = await fleet.at(1).ask('POST', `/api/v1/combine/?c=${c}`, {}, {}, agent);
      if (answer.status !== 200) {
        faults.push(`${answer.status} ${answer.text}`);
        continue;
      }
      const found = Object.values<{ round: number }>(answer.json).map(({ round }) => round);
      const round = found[0] ?? -1;
      if (found.length !== ids.length || found.some((other) => other !== round) || round < newest) {
        faults.push(`after ${newest}: ${[...new Set(found)]} of ${found.length}`);
      }
      newest = round;
    }
    agent.destroy();
  })();

  await (wish.how === 'cut' ? proxy.cut() : proxy.freeze());
  for (let round = 1; round <= rounds; round++) await importRound(fleet, contents, round);
  const { number, sequence } = await fleet.edit(0);
  expect(await fleet.read(1)).toBeLessThan(number);
  await wish.prune?.();
  const mendedMs = performance.now();
  await proxy.mend();
  await fleet.serveAll(number, 40_000);
  const caughtUpMs = Math.round(performance.now() - mendedMs);
  expect((await ready(fleet.node(1))).sequence).toBeGreaterThanOrEqual(sequence);
  for (const at of [0, 1]) {
    const last = await fleet.at(at).plain(`missed-${contents - 1}`);
    expect(last.json).toMatchObject({ round: rounds });
  }
  await fleet.converged(40_000);
  going = false;
  await watching;
  return { faults, caughtUpMs };
}

/** That many edits, each with a number of its own. */
export async function editsOneByOne(fleet: TestFleet, count: number): Promise<void> {
  let made = 0;
  const editor = async (): Promise<void> => {
    while (made < count) {
      made += 1;
      const text = JSON.stringify({ made });
      await fleet.game.put(`single-${made % 500}`, text);
    }
  };
  await Promise.all(Array.from({ length: editorsAtOnce }, editor));
}

async function importRound(fleet: TestFleet, contents: number, round: number): Promise<void> {
  const text = JSON.stringify({ round });
  const lines = [{ appVersion: '0.0.0', text }];
  const body = Array.from({ length: contents }, (_, index) => {
    return `${JSON.stringify({ kind: 'content', id: `missed-${index}`, lines })}\n`;
  }).join('');
  expectDone(await sendLines(fleet, body));
}

function sendLines(fleet: TestFleet, body: string): Promise<Answer> {
  return send(fleet.node(0).adminUrl, `${fleet.game.path}/import?mode=merge`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ownerToken}`, 'content-type': 'application/x-ndjson' },
    body,
  });
}
