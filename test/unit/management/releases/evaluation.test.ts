import { describe, expect, it } from 'vitest';
import { Releases } from './harness.js';

const ramp = [{ percent: 50, holdMinutes: 10 }];
const mapping = [{ segment: 'home', merge: { home: true } }];
const user = { v: '1.0.0', p: { country: 'FR' } };

async function draftOfContentAndSegment(): Promise<[Releases, number]> {
  const releases = await Releases.start();
  const segment = (country: string) => ({ when: { country } });
  await releases.api.dev('PUT', '/segments/home', segment('DE'));
  await releases.put('shop', '{"a":1}', { mapping });
  await releases.draft('shop', '{"a":2}', { mapping });
  await releases.api.dev('PUT', '/segments/home', { ...segment('FR'), publish: false });
  const made = await releases.api.dev('POST', '/releases', {
    title: 'Home',
    changes: [
      { kind: 'content', id: 'shop' },
      { kind: 'segment', name: 'home' },
    ],
    steps: ramp,
  });
  return [releases, made.body.release];
}

describe('an evaluation', () => {
  it('shows a release as if it were live, with its segments', async () => {
    const [releases, release] = await draftOfContentAndSegment();
    const live = await releases.api.dev('POST', '/evaluate', { id: 'shop', ...user });
    expect(live.body).toMatchObject({ release: null, answer: { data: { a: 1 } } });
    const tried = await releases.api.dev('POST', '/evaluate', { id: 'shop', release, ...user });
    expect(tried.body).toMatchObject({
      ...{ release, revision: 2, segments: [{ name: 'home', revision: 2 }] },
      answer: { data: { a: 2, home: true } },
    });
    const both = { id: 'shop', release, revision: 1 };
    expect((await releases.api.dev('POST', '/evaluate', both)).body.code).toBe('invalid_body');
    const unknown = { id: 'shop', release: 9 };
    expect((await releases.api.dev('POST', '/evaluate', unknown)).body.code).toBe(
      'release_not_found',
    );
  });

  it('shows the users that are in a ramp its candidate, and the others what is live', async () => {
    const [releases, release] = await draftOfContentAndSegment();
    await releases.act(release, 'start');
    const seen = new Map<number | null, Set<number>>();
    for (let player = 0; player < 40; player++) {
      const body = { id: 'shop', u: `player-${player}`, ...user };
      const { body: shown } = await releases.api.dev('POST', '/evaluate', body);
      const values = seen.get(shown.release) ?? new Set();
      seen.set(shown.release, values.add(shown.answer.data.a));
    }
    expect(seen).toEqual(
      new Map([
        [release, new Set([2])],
        [null, new Set([1])],
      ]),
    );
    const anonymous = await releases.api.dev('POST', '/evaluate', { id: 'shop', ...user });
    expect(anonymous.body.release).toBe(null);
  });
});

describe('a preview', () => {
  it('compares what is live with what a release delivers', async () => {
    const [releases, release] = await draftOfContentAndSegment();
    const head = JSON.stringify({ id: 'shop', release });
    const previewed = await releases.preview(`${head}\n${JSON.stringify({ u: 'a', ...user })}\n`);
    expect(previewed).toMatchObject({
      revision: 2,
      live: 1,
      contexts: 1,
      changed: { contexts: 1 },
    });
  });
});
