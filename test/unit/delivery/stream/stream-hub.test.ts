/** What a hub selects for a page, and what a bug in one stream's turn costs the others. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { streamBeatMsMax } from '../../../../src/delivery/limits.js';
import { problems } from '../../../../src/delivery/problems.js';
import { ServedState } from '../../../../src/delivery/render/served-state.js';
import { eventually } from '../../../support/eventually.js';
import { type ClientInProcess, HubInProcess } from '../../../support/stream/hub-in-process.js';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const inTime = (what: string, isTrue: () => boolean) => eventually(what, 5_000, isTrue);

describe('an answer in pages', () => {
  it('selects each content item once: the next page goes on where the last one ended', async () => {
    const hub = new HubInProcess();
    const ids = Array.from({ length: 9 }, (_, at) => `item-${at}`);
    for (const id of ids) hub.put(id, `"${id.padEnd(900, 'x')}"`);
    const selected: string[] = [];
    const { slot } = ServedState.prototype;
    vi.spyOn(ServedState.prototype, 'slot').mockImplementation(function (this: ServedState, ...of) {
      selected.push(this.id);
      return slot.apply(this, of);
    });
    const client = hub.open('u', { bytesMax: 2_200 });
    await inTime('the last page', () => client.pages.at(-1)?.more === false);
    const pages = client.pages.map(({ contents }) => Object.keys(contents));
    expect(pages.length).toBeGreaterThan(3);
    expect(pages.flat()).toEqual(ids);
    expect(selected).toEqual(ids);
  });
});

describe('a bug in the turn of one stream', () => {
  const bug = new Error('a bug');

  /** Selecting fails for one user. */
  function failFor(u: string): void {
    const { slot } = ServedState.prototype;
    vi.spyOn(ServedState.prototype, 'slot').mockImplementation(function (this: ServedState, ...of) {
      if (of[0].u === u) throw bug;
      return slot.apply(this, of);
    });
  }

  it('ends that stream and is logged; the others have the edit', async () => {
    const hub = new HubInProcess();
    hub.put('shop', '1');
    const clients = ['a', 'b', 'c'].map((u) => hub.open(u));
    await inTime('first events', () => clients.every(({ pages }) => pages.length === 1));
    failFor('b');
    hub.put('shop', '2');
    const [a, b, c] = clients as [ClientInProcess, ClientInProcess, ClientInProcess];
    await inTime('the edit', () => a.pages.length === 2 && c.pages.length === 2 && b.hasEnd);
    expect([a, c].map(({ pages }) => pages[1]?.contents['shop']?.data)).toEqual([2, 2]);
    expect(b.pages.length).toBe(1);
    expect(hub.logged).toEqual([bug]);
    expect(hub.streams.counts).toMatchObject({ streams: 2, streamsWaiting: 0 });
    expect(new Map(hub.streams.counts.streamsEnded).get('failed')).toBe(1);
  });

  it('rejects the request of one that opens', async () => {
    const hub = new HubInProcess();
    hub.put('shop', '1');
    failFor('b');
    const [b, a] = [hub.open('b'), hub.open('a')];
    await inTime('the first event', () => a.pages.length === 1);
    expect(b.problem).toBe(problems.internal);
    expect(hub.logged).toEqual([bug]);
    expect(hub.streams.counts.streams).toBe(1);
  });

  it('ends that stream where it happens while a slow client takes what is left', async () => {
    const hub = new HubInProcess();
    hub.put('shop', '1');
    const [a, b] = [hub.open('a'), hub.open('b')];
    await inTime('first events', () => [a, b].every(({ pages }) => pages.length === 1));
    b.isSlow = true;
    hub.put('shop', '2');
    await inTime('the edit', () => a.pages.length === 2 && b.pages.length === 2);
    b.broken = bug;
    expect(b.takesMore()).toBe(true);
    expect(b.hasEnd).toBe(true);
    expect(hub.logged).toEqual([bug]);
    expect(hub.streams.counts.streams).toBe(1);
  });

  it('keeps a server that stops from no other stream', async () => {
    const hub = new HubInProcess();
    hub.put('shop', '1');
    const all = ['a', 'b', 'c'].map((u) => hub.open(u));
    await inTime('first events', () => all.every(({ pages }) => pages.length === 1));
    (all[1] as ClientInProcess).broken = bug;
    await hub.streams.drain();
    expect(all.map(({ hasEnd }) => hasEnd)).toEqual([true, false, true]);
    expect(hub.streams.counts.streams).toBe(0);
    expect(new Set(hub.logged)).toEqual(new Set([bug]));
  });

  it('is logged, and ends no other stream, where the connection is what fails, at an event or at a comment', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'performance'] });
    const hub = new HubInProcess();
    hub.put('shop', '1');
    const [a, b, c] = ['a', 'b', 'c'].map((u) => hub.open(u)) as [
      ClientInProcess,
      ClientInProcess,
      ClientInProcess,
    ];
    await inTime('first events', () => [a, b, c].every(({ pages }) => pages.length === 1));
    b.broken = bug;
    hub.put('shop', '2');
    await inTime('the edit', () => a.pages.length === 2 && c.pages.length === 2);
    await inTime('one stream less', () => hub.streams.counts.streams === 2);
    c.broken = bug;
    vi.advanceTimersByTime(streamBeatMsMax + 1_000);
    expect(hub.streams.counts.streams).toBe(1);
    expect(a.written).toContain('\n\n:\n\n');
    expect(hub.logged.length).toBeGreaterThanOrEqual(2);
    expect(new Set(hub.logged)).toEqual(new Set([bug]));
  });
});
