/** What the admin API tells of the servers that share a store, and how long it waits for them. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fleetWaitMsMax } from '../../../../src/contract/limits.js';
import type { Fleet, FleetNode, FleetResponse } from '../../../../src/management/fleet/fleet.js';
import { fleetResponseMsMax } from '../../../../src/management/limits/processes.js';
import { StoreUnavailable } from '../../../../src/management/store/store-errors.js';
import { type Harness, startApi, startMs, tokenOf } from '../harness.js';

function node(id: string, more: Partial<FleetNode> = {}): FleetNode {
  return {
    ...{ id, name: `name of ${id}`, address: `http://${id}:8080`, version: '1.2.3' },
    ...{ startedAtMs: startMs, seenAtMs: startMs + 500, sequence: 1, lag: 0, serving: 2 },
    ...{ live: true, self: false, ...more },
  };
}

/** Two servers and one that is away; the second never acknowledges. */
class LaggingFleet implements Fleet {
  readonly waits: (readonly [sequence: number, msMax: number])[] = [];
  readonly self = node('node_a', { self: true });
  readonly other = node('node_b', { sequence: 3, behindBelow: ['leaf-1'] });
  readonly away = node('node_c', { live: false });
  /** What asking fails with. */
  nodesFail: Error | null = null;
  waitFails: Error | null = null;

  async nodes(): Promise<FleetNode[]> {
    if (this.nodesFail !== null) throw this.nodesFail;
    return [this.self, this.other, this.away];
  }

  async wait(sequence: number, msMax: number): Promise<FleetResponse> {
    this.waits.push([sequence, msMax]);
    if (this.waitFails !== null) throw this.waitFails;
    return { acknowledged: [this.self], missing: [this.other] };
  }

  status() {
    const storeSequence = 7;
    const leads = false;
    const clock = { clockAheadMs: null, isClockSkewed: false };
    return { store: 'postgres', storeAvailable: true, storeSequence, leads, ...clock } as const;
  }
}

const missing = [{ id: 'node_b', name: 'name of node_b', sequence: 3, behindBelow: ['leaf-1'] }];

async function startLagging(): Promise<{ readonly api: Harness; readonly fleet: LaggingFleet }> {
  const fleet = new LaggingFleet();
  return { api: await startApi({}, { fleet }), fleet };
}

function ndjson(...lines: readonly unknown[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

describe('GET /admin/v1/nodes', () => {
  it('lists the one server of an embedded store, as itself', async () => {
    const api = await startApi();
    const answer = await api.call('GET', '/admin/v1/nodes');
    expect(answer.status).toBe(200);
    const at = new Date(startMs).toISOString();
    const sequence = api.published.at(-1);
    expect(answer.body).toEqual({
      sequence,
      nodes: [
        {
          ...{ id: 'self', name: 'studio-1', address: 'http://127.0.0.1:8080', version: '1.2.3' },
          ...{ startedAt: at, seenAt: at, sequence, lag: 0, serving: 1, live: true, self: true },
        },
      ],
    });
  });

  it('lists all servers of a fleet beside the sequence of the store', async () => {
    const { api } = await startLagging();
    const { body } = await api.call('GET', '/admin/v1/nodes');
    expect(body.sequence).toBe(7);
    expect(body.nodes.map(({ id, live, self }: FleetNode) => [id, live, self])).toEqual([
      ['node_a', true, true],
      ['node_b', true, false],
      ['node_c', false, false],
    ]);
    expect(body.nodes[0].seenAt).toBe('2026-01-01T00:00:00.500Z');
    const below = body.nodes.map(({ behindBelow }: FleetNode) => behindBelow);
    expect(below).toEqual([undefined, ['leaf-1'], undefined]);
  });

  it('shows a viewer of one environment the same', async () => {
    const api = await startApi();
    const made = await api.call('POST', '/admin/v1/users', {
      ...{ name: 'vera', role: 'viewer', environments: ['dev'] },
    });
    const seen = await api.call('GET', '/admin/v1/nodes', undefined, made.body.token);
    expect(seen.status).toBe(200);
    expect(seen.body.nodes).toHaveLength(1);
    expect((await api.call('GET', '/admin/v1/nodes', undefined, null)).status).toBe(401);
    expect(
      (await api.call('GET', '/admin/v1/nodes', undefined, await tokenOf(api, 'viewer'))).status,
    ).toBe(200);
  });

  it('says that the store is away when it is', async () => {
    const { api, fleet } = await startLagging();
    fleet.nodesFail = new StoreUnavailable(null, 'The database does not respond.');
    const answer = await api.call('GET', '/admin/v1/nodes');
    expect(answer.status).toBe(503);
    expect(answer.body).toMatchObject({ code: 'store_unavailable' });
  });
});

describe('a change with ?wait=fleet', () => {
  it('is taken by every operation that answers a sequence for players to ask for', async () => {
    const api = await startApi();
    const { body } = await api.call('GET', '/openapi.json');
    const operations: { operationId: string; parameters?: { name: string }[] }[] = Object.values(
      body.paths as Record<string, Record<string, never>>,
    ).flatMap((methods) => Object.values(methods));
    const waiting = operations.filter(({ parameters = [] }) =>
      parameters.some(({ name }) => name === 'wait'),
    );
    expect(waiting.map(({ operationId }) => operationId).sort()).toEqual([
      'createEnvironment',
      'createKey',
      'decideExperiment',
      'deleteContent',
      'deleteContentLine',
      'deleteEnvironment',
      'deleteKey',
      'deleteMetric',
      'deleteSegment',
      'editContents',
      'importEnvironment',
      'makeReleaseLive',
      'pauseRelease',
      'publishContent',
      'putContent',
      'putLayers',
      'putMetric',
      'putSegment',
      'restoreContent',
      'resumeRelease',
      'revertRelease',
      'rollbackContent',
      'rollbackSegment',
      'startExperiment',
      'startRelease',
      'stopExperiment',
      'stopRelease',
      'stopReleases',
      'syncEnvironment',
      'updateEnvironment',
      'updateKey',
    ]);
  });

  it('says that the only server serves it', async () => {
    const api = await startApi();
    const saved = await api.dev('PUT', '/contents/shop?wait=fleet', { text: '{}' });
    expect(saved.status).toBe(201);
    expect(saved.body.fleet).toEqual({ acknowledged: 1, missing: [] });
  });

  it('names the servers that did not acknowledge in time, and is a success all the same', async () => {
    const { api, fleet } = await startLagging();
    const saved = await api.dev('PUT', '/contents/shop?wait=fleet', { text: '{}' });
    expect(saved.status).toBe(201);
    expect(saved.body).toMatchObject({ id: 'shop', live: 1 });
    expect(saved.body.fleet).toEqual({ acknowledged: 1, missing });
    expect(fleet.waits).toEqual([[saved.body.sequence, fleetWaitMsMax]]);
    const deleted = await api.dev('DELETE', '/contents/shop?wait=fleet');
    expect(deleted).toMatchObject({ status: 200, body: { id: 'shop', fleet: { missing } } });
  });

  it('keeps the bytes of answers that no serializer looks at', async () => {
    const { api } = await startLagging();
    const put = '/segments/whales?wait=fleet';
    const segment = await api.dev('PUT', put, '{"when":{"spent":{"$gte":1.10}}}');
    expect(segment.status).toBe(201);
    expect(segment.text).toContain('{"spent":{"$gte":1.10}}');
    expect(segment.body.fleet).toEqual({ acknowledged: 1, missing });
    expect(segment.headers.get('content-length')).toBe(String(Buffer.byteLength(segment.text)));
    await api.call('POST', '/admin/v1/environments', { id: 'test' });
    const synced = await api.dev('POST', '/sync?wait=fleet', { from: 'test' });
    expect(synced.body).toMatchObject({ dryRun: false, fleet: { acknowledged: 1, missing } });
  });

  it('holds for an import, whose other parameters are in the query as well', async () => {
    const { api } = await startLagging();
    const file = ndjson(
      { kind: 'environment', format: 1, id: 'dev' },
      { kind: 'content', id: 'shop', lines: [{ appVersion: '0.0.0', text: '{}' }] },
      { kind: 'end', segments: 0, contents: 1 },
    );
    const answer = await fetch(
      `${api.url}/admin/v1/environments/dev/import?mode=merge&wait=fleet`,
      {
        method: 'POST',
        body: file,
        headers: {
          'content-type': 'application/x-ndjson',
          authorization: 'Bearer owner-token-of-the-tests',
        },
      },
    );
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      ...{ counts: { added: 1 }, fleet: { acknowledged: 1, missing } },
    });
  });

  it('is a success when the store goes away meanwhile, and names those that were live', async () => {
    const { api, fleet } = await startLagging();
    fleet.waitFails = new StoreUnavailable(null, 'The database does not respond.');
    const saved = await api.dev('PUT', '/contents/shop?wait=fleet', { text: '{}' });
    expect(saved.status).toBe(201);
    expect(saved.body.fleet).toEqual({ acknowledged: 1, missing, storeUnavailable: true });
    fleet.nodesFail = fleet.waitFails;
    const again = await api.dev('PUT', '/contents/shop?wait=fleet', { text: '[]' });
    expect(again.status).toBe(200);
    expect(again.body.fleet).toEqual({ acknowledged: 1, missing: [], storeUnavailable: true });
    expect((await api.dev('GET', '/contents/shop')).body.newest).toBe(2);
  });

  it('is answered, also when the store hangs as it is asked', async () => {
    const { api, fleet } = await startLagging();
    const asked = new Promise<void>((resolve) => {
      fleet.wait = () => {
        resolve();
        return new Promise(() => {});
      };
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const saving = api.dev('PUT', '/contents/shop?wait=fleet', { text: '{}' });
    await asked;
    vi.advanceTimersByTime(fleetResponseMsMax);
    expect((await saving).body.fleet).toEqual({ acknowledged: 1, missing, storeUnavailable: true });
  });

  it('waits for nothing when nothing was changed: a refusal, a dry run', async () => {
    const { api, fleet } = await startLagging();
    const refused = await api.dev('PUT', '/contents/shop?wait=fleet', { text: '{' });
    expect(refused.status).toBe(400);
    const tried = await api.dev('PUT', '/contents/shop?wait=fleet', { text: '{}', dryRun: true });
    expect(tried.status).toBe(200);
    expect(tried.body).not.toHaveProperty('fleet');
    expect((await api.dev('DELETE', '/contents/none?wait=fleet')).status).toBe(404);
    expect(fleet.waits).toEqual([]);
  });

  it('is refused with another value, and then nothing is changed', async () => {
    const { api, fleet } = await startLagging();
    for (const wait of ['true', 'Fleet', '', 'fleet&wait=fleet']) {
      const answer = await api.dev('PUT', `/contents/shop?wait=${wait}`, { text: '{}' });
      expect(answer.status, wait).toBe(400);
      expect(answer.body).toMatchObject({ code: 'invalid_request', errors: [{ path: 'wait' }] });
    }
    expect((await api.dev('GET', '/contents/shop')).status).toBe(404);
    expect(fleet.waits).toEqual([]);
  });
});

describe('a change without it', () => {
  it('waits for the listeners of this server only', async () => {
    const { api, fleet } = await startLagging();
    const saved = await api.dev('PUT', '/contents/shop', { text: '{}' });
    expect(saved.body).not.toHaveProperty('fleet');
    expect(api.published.at(-1)).toBe(saved.body.sequence);
    expect(fleet.waits).toEqual([]);
  });
});
