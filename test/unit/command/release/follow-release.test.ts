/** `--wait` against a server that goes away in between: a restart does not end the ramp, so it does not end the command. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type Ran, runLoadout } from '../../../support/server/run-loadout.js';

let server: Server;

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const release = {
  ...{ release: 1, environment: 'prod', changes: [], reason: '', percent: 1 },
  ...{ steps: [{ percent: 1, holdMinutes: 10 }], liveAt: '2026-01-01T00:00:00.000Z' },
};
const ramp = { run: 1, step: 0, percent: 1, next: null, counts: null, evidence: null };
const ramping = JSON.stringify({ ...release, state: 'ramping', ramp });
const live = JSON.stringify({ ...release, state: 'live', ramp: null });

/** Starts the release; then each look at it gets the next response. */
async function follow(looks: readonly RequestListener[]): Promise<Ran> {
  const responses = [respond(ramping), ...looks];
  let count = 0;
  server = createServer((request, response) => responses[count++]?.(request, response));
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { LOADOUT_URL: url, LOADOUT_TOKEN: 'token' };
  return runLoadout(['release', 'start', 'prod', '1', '--wait'], { env });
}

function respond(text: string): RequestListener {
  return (_request, response) => response.end(text);
}

const hangUp: RequestListener = (request) => request.socket.destroy();

describe('a release that is followed', () => {
  it('is followed on after the server was away, which is said once', async () => {
    const { code, stdout, stderr } = await follow([hangUp, hangUp, respond(live)]);
    expect([code, stdout]).toEqual([
      0,
      'Release 1 of prod is live since 2026-01-01T00:00:00.000Z.\n',
    ]);
    expect(stderr.match(/Trying again\./g)).toHaveLength(1);
    expect(stderr).toContain('step 1 of 1, 1 %: no receipts are counted\n');
  });

  it('names the steps that passed between two looks', async () => {
    const steps = [1, 10, 50].map((percent) => ({ percent, holdMinutes: 0 }));
    const third = { ...release, steps, state: 'ramping', ramp: { ...ramp, step: 2, percent: 50 } };
    const looks = [respond(JSON.stringify({ ...release, steps, state: 'ramping', ramp }))];
    looks.push(respond(JSON.stringify(third)), respond(live));
    const { stderr } = await follow(looks);
    expect(stderr).toContain(
      'step 1 of 3, 1 %: no receipts are counted\nstep 2 of 3, 10 %\nstep 3 of 3, 50 %: ',
    );
  });
});
