import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { prometheusMsMax } from '../../../../../src/management/limits/releases.js';
import { Prometheus } from '../../../../../src/management/releases/brake/prometheus.js';
import { temporaryFolder } from '../../harness.js';

/** The address of a server that responds so. */
async function serverThat(respond: RequestListener): Promise<string> {
  const server = createServer(respond);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function prometheusAt(url: string, tokenFile: string | null = null): Prometheus {
  const prometheus = new Prometheus({ url, tokenFile });
  onTestFinished(() => prometheus.close());
  return prometheus;
}

async function resultOf(data: unknown): Promise<readonly number[]> {
  const url = await serverThat((_, response) => {
    response.end(JSON.stringify({ status: 'success', data }));
  });
  return prometheusAt(url).query('up');
}

const sample = (value: string) => ({ metric: { job: 'game' }, value: [1_764_000_000, value] });

describe('a query', () => {
  it('asks below the path of the server, with the token of the file as it is now', async () => {
    const asked: (string | undefined)[] = [];
    const url = await serverThat((request, response) => {
      asked.push(request.method, request.url, request.headers.authorization);
      response.end('{"data":{"resultType":"vector","result":[]}}');
    });
    const file = join(temporaryFolder(), 'token');
    writeFileSync(file, 'first\n');
    const prometheus = prometheusAt(`${url}/prometheus`, file);
    await prometheus.query('rate(errors[5m]) > 0');
    writeFileSync(file, 'second');
    await prometheus.query('up');
    expect(asked).toEqual([
      ...['GET', '/prometheus/api/v1/query?query=rate%28errors%5B5m%5D%29+%3E+0', 'Bearer first'],
      ...['GET', '/prometheus/api/v1/query?query=up', 'Bearer second'],
    ]);
  });

  it('has the values of all samples, without those that are no numbers', async () => {
    const result = [sample('0.5'), sample('NaN'), sample('+Inf'), sample('-1e-3')];
    expect(await resultOf({ resultType: 'vector', result })).toEqual([0.5, Infinity, -0.001]);
    expect(await resultOf({ resultType: 'scalar', result: [1, '7'] })).toEqual([7]);
    expect(await resultOf({ resultType: 'vector', result: [] })).toEqual([]);
  });

  it.each([
    ['of another type', { resultType: 'matrix', result: [] }],
    ['of no type', {}],
    ['that is none', null],
  ])('fails with a result %s', async (_, data) => {
    await expect(resultOf(data)).rejects.toThrow();
  });

  it('fails with another status, and names it', async () => {
    const url = await serverThat((_, response) => response.writeHead(422).end('{}'));
    await expect(prometheusAt(url).query('(')).rejects.toThrow('Prometheus responded with 422.');
  });

  it('follows no redirect: the token is for one server', async () => {
    let hasFollowed = false;
    const other = await serverThat((_, response) => {
      hasFollowed = true;
      response.end();
    });
    const url = await serverThat((_, response) =>
      response.writeHead(302, { location: other }).end(),
    );
    await expect(prometheusAt(url).query('up')).rejects.toThrow();
    expect(hasFollowed).toBe(false);
  });

  it('reads no endless response', async () => {
    const url = await serverThat((_, response) => {
      const piece = Buffer.alloc(64 * 1024, ' ');
      const more = (): void => {
        while (!response.destroyed && response.write(piece));
        response.once('drain', more);
      };
      more();
    });
    await expect(prometheusAt(url).query('up')).rejects.toThrow('too large');
  });

  it(
    'ends when the server hangs, and at once when it is closed',
    async () => {
      const url = await serverThat(() => undefined);
      await expect(prometheusAt(url).query('up')).rejects.toThrow();
      const prometheus = prometheusAt(url);
      const query = prometheus.query('up');
      prometheus.close();
      await expect(query).rejects.toThrow();
    },
    prometheusMsMax + 60_000,
  );
});
