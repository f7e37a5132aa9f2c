/** Traces of two servers that share a store: what one publishes because the other has written it. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startNode } from '../../support/fleet/fleet.js';
import { freshDatabase, hasPostgres } from '../../support/postgres/postgres.js';
import { makeEnvironment } from '../../support/server/environment.js';
import { type LoadoutServer, ownerToken } from '../../support/server/server-process.js';
import { send } from '../../support/wire/exchange.js';
import { OtlpCollector } from '../../support/wire/otlp-collector.js';
import type { OtlpSpan } from '../../support/wire/otlp-message.js';

const pulled = 'publish changes of other servers';

describe.skipIf(!hasPostgres)('an edit on one of two servers', () => {
  let collector: OtlpCollector;
  const nodes: LoadoutServer[] = [];
  beforeAll(async () => {
    collector = await OtlpCollector.start();
    const url = await freshDatabase();
    for (const name of ['a', 'b']) {
      nodes.push(await startNode({ name, url, flags: ['--otlp-url', collector.url] }));
    }
  });
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    collector.close();
  });

  it('has a span of the wait for both, and begins a trace at the other one', async () => {
    const [a] = nodes;
    if (a === undefined) throw new Error('no server');
    const game = await makeEnvironment(a);
    const traceId = randomBytes(16).toString('hex');
    const put = await send(a.adminUrl, `${game.path}/contents/shop?wait=fleet`, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${ownerToken}`,
        'content-type': 'application/json',
        traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
      },
      body: JSON.stringify({ text: '1' }),
    });
    expect(put.status).toBe(201);
    const sequence = BigInt(put.json.sequence);
    const serverOf = (span: OtlpSpan): unknown => span.resource['service.instance.id'];
    const spans = await collector.trace(traceId, ({ kind }) => kind === 2);
    expect(spans.map(serverOf)).not.toContain('b');
    const wait = spans.find(({ name }) => name === 'wait for fleet');
    expect(wait?.attributes).toMatchObject({
      'loadout.fleet.acknowledged': 2n,
      'loadout.fleet.missing': 0n,
    });
    const isPulled = (span: OtlpSpan): boolean =>
      span.name === pulled && Number(span.attributes['loadout.sequence']) >= sequence;
    await collector.until('the publication of the other', () => collector.spans.some(isPulled));
    const other = collector.spans.find(isPulled);
    expect(other).toMatchObject({ parentSpanId: '', kind: 1, status: 0 });
    expect(Number(other?.attributes['loadout.sequence.from'])).toBeLessThan(put.json.sequence);
    // The one that was asked has written all that there is.
    const ofPulls = collector.spans.filter(({ name }) => name === pulled);
    expect(new Set(ofPulls.map(serverOf))).toEqual(new Set(['b']));
  });
});
