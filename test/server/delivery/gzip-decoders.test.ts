/*
 * Goal: a compressed answer, put together from cached blocks, stored blocks and joined CRCs, is one valid gzip member for
 * every decoder. Method: the same answers are fetched or decoded by each program that the machine has.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Environment, makeEnvironment } from '../../support/server/environment.js';
import { sharedServer } from '../../support/server/server.js';

const server = sharedServer();
let game: Environment;
let folder: string;
/** One connection, and so one delivery process: each compresses a variant when it is asked for it again. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const body = '{"u":"player-1","p":{"country":"DE"}}';
const paths = {
  wrapped: '/api/v1/config/big/dynamic',
  serialized: '/api/v1/config/big/dynamic?responseType=serialized',
  plain: '/api/v1/config/big',
  combined: '/api/v1/combine/?c=["big","small","gone","big2"]&dynamic=true',
  combinedPlain: '/api/v1/combine/?c=["big","small","big2"]',
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'loadout-gzip-'));
  game = await makeEnvironment(server);
  const items = Array.from({ length: 3_000 }, (_, id) => ({ id, price: (id * 7919) % 1000 }));
  const mapping = [{ segment: 'de', when: { country: 'DE' }, merge: { items: { 0: 'ü' } } }];
  await game.put('big', JSON.stringify({ items: { 0: 1 }, list: items }), { mapping });
  await game.put('big2', JSON.stringify(items.slice(0, 700)));
  await game.put('small', '{"a":1}');
});

afterAll(async () => {
  agent.destroy();
  rmSync(folder, { recursive: true, force: true });
});

function has(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
}

/** What the caller gets without compression, and the gzip member. */
async function both(path: string): Promise<{ plain: Buffer; member: Buffer }> {
  const plain = await game.ask('POST', path, body, {}, agent);
  const packed = await game.ask('POST', path, body, { 'accept-encoding': 'gzip' }, agent);
  expect(packed.header('content-encoding'), path).toBe('gzip');
  return { plain: plain.bytes, member: packed.bytes };
}

const decoders: Record<string, (file: string, path: string) => Buffer> = {
  node: (file) => gunzipSync(execFileSync('cat', [file])),
  gzip: (file) => execFileSync('gzip', ['-dc', file]),
  curl: (_file, path) =>
    execFileSync('curl', [
      ...['-s', '-g', '--compressed', '-d', body, server.deliveryUrl + path],
      ...['-H', 'Content-Type: application/json', '-H', `X-Api-Key: ${game.key}`],
    ]),
  python3: (file) =>
    execFileSync('python3', [
      '-c',
      'import gzip,sys; sys.stdout.buffer.write(gzip.decompress(open(sys.argv[1],"rb").read()))',
      file,
    ]),
  java: (file) => execFileSync('java', [join(folder, 'Gunzip.java'), file]),
};

const javaSource = `
import java.io.FileInputStream;
import java.util.zip.GZIPInputStream;
class Gunzip {
  public static void main(String[] args) throws Exception {
    new GZIPInputStream(new FileInputStream(args[0])).transferTo(System.out);
    System.out.flush();
  }
}`;

describe('a compressed answer', () => {
  for (const [name, decode] of Object.entries(decoders)) {
    // Programs that nothing else here needs are tried where they are; Node and curl always are.
    const missing = name !== 'node' && name !== 'curl' && !has(name);
    it.skipIf(missing)(`is decoded by ${name} to what goes out uncompressed`, async () => {
      writeFileSync(join(folder, 'Gunzip.java'), javaSource);
      for (const path of Object.values(paths)) {
        const { plain, member } = await both(path);
        const file = join(folder, 'member.gz');
        writeFileSync(file, member);
        expect(decode(file, path).equals(plain), path).toBe(true);
      }
    });
  }
});
