import { describe, expect, it } from 'vitest';
import { Turns } from '../../../../src/management/jobs/turns.js';

const never = new AbortController().signal;

/** Work that goes on until it is ended, and notes that it has begun. */
function makeWork(begun: string[], name: string) {
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const work = async (): Promise<string> => {
    begun.push(name);
    await ended;
    return name;
  };
  return { work, end };
}

describe('turns', () => {
  it('are taken by as many as may at once, the others in the order of their arrival', async () => {
    const turns = new Turns({ atOnceMax: 2, waitingMax: 9, waitMsMax: 60_000 });
    const begun: string[] = [];
    const all = ['a', 'b', 'c', 'd'].map((name) => makeWork(begun, name));
    const done = all.map(({ work }) => turns.run(work, never));
    await new Promise(setImmediate);
    expect(begun).toEqual(['a', 'b']);
    all[1]?.end();
    expect(await done[1]).toBe('b');
    await new Promise(setImmediate);
    expect(begun).toEqual(['a', 'b', 'c']);
    for (const { end } of all) end();
    expect(await Promise.all(done)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('are not had by more than may wait, nor by those that are gone', async () => {
    const turns = new Turns({ atOnceMax: 1, waitingMax: 1, waitMsMax: 60_000 });
    const begun: string[] = [];
    const first = makeWork(begun, 'first');
    const running = turns.run(first.work, never);
    const gone = new AbortController();
    const waiting = turns.run(makeWork(begun, 'waiting').work, gone.signal);
    expect(await turns.run(makeWork(begun, 'too many').work, never)).toBeNull();
    gone.abort();
    expect(await waiting).toBeNull();
    const last = makeWork(begun, 'last');
    const after = turns.run(last.work, never);
    first.end();
    last.end();
    expect([await running, await after, begun]).toEqual(['first', 'last', ['first', 'last']]);
  });

  it('are given up after the time that one may wait, and pass on when work fails', async () => {
    const turns = new Turns({ atOnceMax: 1, waitingMax: 1, waitMsMax: 1 });
    const begun: string[] = [];
    const first = makeWork(begun, 'first');
    const running = turns.run(async () => {
      await first.work();
      throw new Error('failed');
    }, never);
    expect(await turns.run(makeWork(begun, 'late').work, never)).toBeNull();
    first.end();
    await expect(running).rejects.toThrow('failed');
    expect(await turns.run(async () => 'next', never)).toBe('next');
  });
});
