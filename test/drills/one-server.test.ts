/** The faults of one machine: a server with the embedded store, TLS, traces and a log of its own, under a small load. */
import { appendFileSync, closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { type Environment, expectDone, makeEnvironment } from '../support/server/environment.js';
import { childrenOf } from '../support/server/process-tree.js';
import { makeDataFolder, startServer } from '../support/server/server.js';
import type { LoadoutServer, ServerOptions } from '../support/server/server-process.js';
import { SmallDisk } from '../support/server/small-disk.js';
import { makeCertificate } from '../support/wire/certificate.js';
import { OtlpCollector } from '../support/wire/otlp-collector.js';
import { play } from './drill.js';
import { hasPrometheus, Prometheus } from './prometheus.js';
import { SteadyLoad } from './steady-load.js';

const days = 90;

describe.skipIf(!hasPrometheus)('one server', () => {
  const data = makeDataFolder();
  const folder = makeDataFolder();
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  let prometheus: Prometheus;
  let collector: OtlpCollector;
  let logDisk: SmallDisk | null;
  let log: number;
  let options: ServerOptions;
  let server: LoadoutServer;
  let game: Environment;
  let load: SteadyLoad;

  beforeAll(async () => {
    prometheus = await Prometheus.start();
    collector = await OtlpCollector.start();
    makeCertificate(cert, key, undefined, days);
    logDisk = SmallDisk.mount(1);
    log = openSync(join(logDisk?.path ?? folder, 'log'), 'a');
    options = {
      data,
      stderr: log,
      // A call that has a trace has a line then: there is something to lose.
      flags: [
        ...['--tls-cert', cert, '--tls-key', key, '--otlp-url', collector.url],
        ...['--log-level', 'debug', '--events-store-seconds', '5'],
      ],
    };
    server = await startServer(options);
    game = await makeEnvironment(server);
    await game.put('shop', '{"price":0}');
    await game.put('other', '"what is in other"');
    expectDone(await server.admin('POST', '/admin/v1/backup'));
    prometheus.target('one', server.adminUrl);
    const ca = readFileSync(cert, 'utf8');
    load = new SteadyLoad(game, () => [{ server, ca }]);
    await prometheus.scraped();
  });

  afterAll(async () => {
    await load?.stop();
    await server?.stop();
    await prometheus?.stop();
    collector?.close();
    closeSync(log);
    logDisk?.unmount();
  });

  /** As systemd starts it again: on the same ports. */
  async function startAgain(): Promise<void> {
    const { deliveryPort, adminPort } = server;
    server = await startServer({ ...options, port: deliveryPort, adminPort });
  }

  async function kill(): Promise<void> {
    server.signal('SIGKILL');
    await server.exit;
  }

  it('loses a delivery process', () =>
    play(prometheus, {
      part: 'a delivery process',
      alert: 'LoadoutProcessEnded',
      fault: () => process.kill(deliveryProcesses(server)[0] ?? -1, 'SIGKILL'),
    }));

  it('has no delivery process, as each one that starts is killed', async () => {
    let timer: NodeJS.Timeout | undefined;
    await play(prometheus, {
      part: 'all delivery processes of a node',
      alert: 'LoadoutProcessesMissing',
      fault: () => {
        timer = setInterval(() => killAll(deliveryProcesses(server)), 10);
      },
      end: () => clearInterval(timer),
    });
    clearInterval(timer);
  });

  it('loses its control process, and is started again', () =>
    play(prometheus, {
      part: 'a control process',
      alert: null,
      fault: async () => {
        await kill();
        await startAgain();
      },
    }));

  it('ends again and again', async () => {
    let isEnding = true;
    let restarts: Promise<void> | undefined;
    await play(prometheus, {
      part: 'a control process',
      variant: 'again and again',
      alert: 'LoadoutRestartsOften',
      fault: () => {
        restarts = (async () => {
          while (isEnding) {
            await kill();
            await startAgain();
            await prometheus.scraped();
          }
        })();
      },
      end: async () => {
        isEnding = false;
        await restarts;
      },
    });
  });

  it('gets a certificate that cannot be used', async () => {
    const before = readFileSync(key);
    await play(prometheus, {
      part: 'a renewed certificate',
      alert: 'LoadoutCertificateReloadFailed',
      fault: () => {
        writeFileSync(key, 'no key');
        server.signal('SIGHUP');
      },
      end: () => {
        writeFileSync(key, before);
        server.signal('SIGHUP');
      },
    });
  });

  it('loses the collector of its traces', async () => {
    const port = Number(new URL(collector.url).port);
    await play(prometheus, {
      part: 'the collector of traces',
      alert: 'LoadoutTracesDropped',
      fault: () => collector.close(),
      end: async () => {
        collector = await OtlpCollector.start(port);
      },
    });
  });

  it('cannot write its log', async ({ skip }) => {
    const disk = logDisk ?? skip('no small disk can be mounted here');
    await play(prometheus, {
      part: "a log's disk is full, or its reader hangs",
      alert: 'LoadoutLogLinesDropped',
      fault: () => {
        disk.fill();
        // The last page of the file has some room yet.
        expect(() => {
          for (;;) appendFileSync(log, '\n');
        }).toThrow('ENOSPC');
      },
      end: () => disk.empty(),
    });
  });

  it('finds that a text of its store is damaged', async () => {
    const store = join(data, 'store.db');
    const flip = async (from: string, to: string): Promise<void> => {
      await server.stop();
      const bytes = readFileSync(store);
      expect(bytes.includes(from)).toBe(true);
      for (let at = bytes.indexOf(from); at >= 0; at = bytes.indexOf(from, at)) bytes.write(to, at);
      writeFileSync(store, bytes);
      await startAgain();
    };
    await play(prometheus, {
      part: 'a text of the store is damaged',
      alert: 'LoadoutTextsDamaged',
      // The texts are compared a minute after a start.
      fault: () => flip('what is in other', 'WHAT'),
      end: () => flip('WHAT', 'what'),
    });
  });

  it('has served its players beside all that', async () => {
    await eventually('players are served', 10_000, () => (load.statuses.get(200) ?? 0) > 500);
  });
});

function deliveryProcesses(server: LoadoutServer): number[] {
  return childrenOf(server.pid).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('delivery-process');
    } catch {
      return false;
    }
  });
}

function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  }
}
