/** A brake with a query needs a Prometheus server: without one it would never trip. */
import { describe, expect, it } from 'vitest';
import { type Answer, startApi } from '../../harness.js';
import { minuteMs, Releases } from '../harness.js';

const query = { query: 'rate(crashes[5m])', above: 5, minutes: 2, noData: 'ignore' };
const ramp = { steps: [{ percent: 1, holdMinutes: 10 }], brake: { query } };

async function made(releases: Releases): Promise<number> {
  await releases.draft('shop', '{"gold":2}');
  return releases.make(['shop'], ramp);
}

function expectRejected({ status, body }: Answer): void {
  expect([status, body.code]).toEqual([400, 'release_invalid']);
  expect(body.detail).toContain('--prometheus-url');
  expect(body.errors).toMatchObject([{ path: 'brake.query' }]);
}

describe('a release whose brake has a query, on a server without --prometheus-url', () => {
  it('is neither submitted nor started', async () => {
    const releases = await Releases.start();
    const release = await made(releases);
    for (const action of ['submit', 'start']) {
      expectRejected(await releases.act(release, action));
    }
    expect(await releases.events(release)).toEqual(['release.create']);
  });

  it('does not go on once it is paused', async () => {
    const releases = await Releases.start({ hasPrometheus: true });
    const release = await made(releases);
    expect((await releases.act(release, 'start')).body.state).toBe('ramping');
    await releases.act(release, 'pause');
    const another = await startApi({}, { store: await releases.anotherStore() });
    expectRejected(await another.dev('POST', `/releases/${release}/resume`, {}));
    expect((await releases.act(release, 'resume')).body.state).toBe('ramping');
  });

  it('fails at its time, with a sentence', async () => {
    const releases = await Releases.start({ hasPrometheus: true });
    const release = await made(releases);
    const at = new Date(releases.nowMs + minuteMs).toISOString();
    await releases.act(release, 'schedule', { at });
    releases.pass(minuteMs);
    await releases.leader().tryNow();
    const { state, reason } = await releases.show(release);
    expect(state).toBe('failed');
    expect(reason).toContain('--prometheus-url');
  });
});
