/** How the console knows that the server's store is away, and that it is back. */
import { describe, expect, it } from 'vitest';
import { StoreState, saysStoreIsAway } from '../../../../src/console/api/store-state.js';
import { eventually } from '../../../support/eventually.js';

/** A server that answers as it is told to. */
class Readiness {
  /** null: it says nothing. */
  isAway: boolean | null = false;
  asked = 0;
  readonly state = new StoreState(async () => {
    this.asked++;
    if (this.isAway === null) throw new Error('the server is away');
    return this.isAway;
  }, 1);
}

describe('the state of the store', () => {
  it('is away from a refusal on until the server says that it is back, and then tells it once', async () => {
    const server = new Readiness();
    let returns = 0;
    server.state.onReturn(() => {
      returns++;
    });
    server.isAway = true;
    server.state.noteRefused();
    server.state.noteRefused();
    await eventually('it is away', 2_000, async () => server.state.isAway);
    const { asked } = server;
    await eventually('it is asked again', 2_000, async () => server.asked > asked + 2);
    server.isAway = null;
    await eventually('it is asked again', 2_000, async () => server.asked > asked + 5);
    expect(server.state.isAway).toBe(true);
    server.isAway = false;
    await eventually('it is back', 2_000, async () => !server.state.isAway);
    expect(returns).toBe(1);
  });

  it('is not away because one edit was refused, for want of room on a disk', async () => {
    const server = new Readiness();
    let told = 0;
    server.state.subscribe(() => {
      told++;
    });
    server.state.noteRefused();
    await eventually('it is asked', 2_000, async () => server.asked === 1);
    expect(server.state.isAway).toBe(false);
    expect(told).toBe(0);
  });

  it('takes what the health screen has seen, and asks by itself until it changes', async () => {
    const server = new Readiness();
    server.isAway = true;
    server.state.tell(true);
    await eventually('it is asked', 2_000, async () => server.asked > 2);
    server.state.tell(false);
    expect(server.state.isAway).toBe(false);
  });

  it('is read from what /readyz says, whatever its status is', () => {
    expect(saysStoreIsAway({ ready: true, store: 'unavailable' })).toBe(true);
    expect(saysStoreIsAway({ ready: false, store: 'available' })).toBe(false);
    for (const other of [{ ready: true }, null, 'unavailable', 7]) {
      expect(saysStoreIsAway(other)).toBe(false);
    }
  });
});
