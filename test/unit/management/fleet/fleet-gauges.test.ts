/** What Prometheus sees of the store and of the servers that share it. */
import { describe, expect, it } from 'vitest';
import type { Fleet, FleetNode } from '../../../../src/management/fleet/fleet.js';
import { FleetGauges } from '../../../../src/management/fleet/fleet-gauges.js';
import { metricsText } from '../../../../src/management/metrics/text.js';
import { StoreUnavailable } from '../../../../src/management/store/store-errors.js';
import { onlyServer, startMs } from '../harness.js';

function node(id: string, live: boolean): FleetNode {
  return {
    ...{ id, name: id, address: '', version: '', startedAtMs: startMs, seenAtMs: startMs },
    ...{ sequence: 5, lag: 2, serving: 1, live, self: id === 'a' },
  };
}

/** Answers as it is told to. */
class TestFleet implements Fleet {
  storeAvailable = true;
  asked = 0;
  answer: () => Promise<FleetNode[]> = async () => [
    node('a', true),
    node('b', true),
    node('c', false),
  ];

  nodes(): Promise<FleetNode[]> {
    this.asked++;
    return this.answer();
  }

  wait(): Promise<never> {
    throw new Error('nobody asks for it here');
  }

  status() {
    const { storeAvailable } = this;
    return {
      store: 'postgres',
      storeAvailable,
      storeSequence: 7,
      leads: false,
      clockAheadMs: null,
      isClockSkewed: false,
    } as const;
  }
}

async function linesOf(gauges: FleetGauges): Promise<string[]> {
  const text = await metricsText({
    ...{ processes: [], wanted: 1, sequence: 5, gauges: await gauges.read(), histograms: [] },
    logLinesDropped: { control: 0, delivery: 0 },
    restarts: { died: 0, killed: 0, replaced: 0 },
    load: { loopDelayP99Seconds: 0, cpuSeconds: 0, startedAtSeconds: 0 },
  });
  return text
    .split('\n')
    .filter((line) => /^loadout_(store|fleet|chores|sequence_lag)/.test(line))
    .sort();
}

describe('the gauges of the fleet', () => {
  it('count servers by whether they are there, and say how far this one is behind', async () => {
    expect(await linesOf(new FleetGauges(new TestFleet(), () => 5))).toEqual([
      'loadout_chores 0',
      'loadout_fleet_nodes{state="away"} 1',
      'loadout_fleet_nodes{state="live"} 2',
      'loadout_sequence_lag 2',
      'loadout_store_sequence 7',
      'loadout_store_up 1',
    ]);
  });

  it('show one server that does everything with an embedded store', async () => {
    expect(
      await linesOf(
        new FleetGauges(
          onlyServer(() => 5),
          () => 5,
        ),
      ),
    ).toEqual([
      'loadout_chores 1',
      'loadout_fleet_nodes{state="away"} 0',
      'loadout_fleet_nodes{state="live"} 1',
      'loadout_sequence_lag 0',
      'loadout_store_sequence 5',
      'loadout_store_up 1',
    ]);
  });

  it('show what was known last while the store is away, without asking it', async () => {
    const fleet = new TestFleet();
    const gauges = new FleetGauges(fleet, () => 7);
    await gauges.read();
    fleet.storeAvailable = false;
    const lines = await linesOf(gauges);
    expect(lines).toContain('loadout_store_up 0');
    expect(lines).toContain('loadout_fleet_nodes{state="live"} 2');
    expect(fleet.asked).toBe(1);
  });

  it('do not fail when the store goes away under them', async () => {
    const fleet = new TestFleet();
    fleet.answer = () => Promise.reject(new StoreUnavailable(null));
    const lines = await linesOf(new FleetGauges(fleet, () => 7));
    expect(lines).toContain('loadout_fleet_nodes{state="live"} 0');
    expect(lines).toContain('loadout_sequence_lag 0');
  });

  it('wait only so long for a store that hangs, and ask it one question at a time', async () => {
    const fleet = new TestFleet();
    fleet.answer = () => new Promise(() => {});
    const gauges = new FleetGauges(fleet, () => 7);
    await Promise.all([gauges.read(), gauges.read()]);
    expect(fleet.asked).toBe(1);
  });
});
