/**
 * A hundred thousand players with random attributes: what a real server delivers to each is inside the envelope that its
 * admin API shows. `LOADOUT_SOAK_SEED` repeats a run, `LOADOUT_SOAK_PART=0.02` makes 2,000.
 */
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import type { LineEnvelope, PathEnvelope } from '../../src/content/envelope/line-envelope.js';
import type { Envelope } from '../../src/contract/operations/envelope.js';
import { seededRandom } from '../support/seeded-random.js';
import { type Environment, expectDone, makeEnvironment } from '../support/server/environment.js';
import { startServer } from '../support/server/server.js';
import type { LoadoutServer } from '../support/server/server-process.js';
import { arbitraryMapping } from '../unit/content/envelope/arbitrary-mapping.js';
import { outsideOf } from '../unit/content/envelope/inside.js';
import { plainObject } from '../unit/content/json/arbitrary-json.js';
import { printRaw } from '../unit/content/json/raw-tree.js';

const seed = Number(process.env['LOADOUT_SOAK_SEED'] ?? 20_261_124);
const players = Math.ceil(100_000 * Number(process.env['LOADOUT_SOAK_PART'] ?? 1));
const contents = 100;
const rulesMax = 8;
const atOnce = 24;

let server: LoadoutServer | undefined;
afterAll(() => server?.stop());

it('every value that random players are given is inside the envelope', async () => {
  server = await startServer();
  const game = await makeEnvironment(server);
  const random = seededRandom(seed);
  const saved = await saveContents(game, random);
  const outside: string[] = [];
  const mutated = { responses: 0 };
  let left = players;
  const ask = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const { id, envelope } = saved[Math.floor(random() * saved.length)] as Saved;
      const context = { u: `player-${left}`, p: { level: Math.floor(random() * 100) } };
      const { text } = await game.wrapped(id, context);
      const { data, meta } = JSON.parse(text) as { data: unknown; meta: { seg: unknown[] } };
      if (meta.seg.length > 0) mutated.responses += 1;
      const reason = outsideOf(envelope, JSON.stringify(data));
      if (reason !== null && outside.length < 10) outside.push(`${id}: ${reason}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, ask));
  console.log(
    `seed ${seed}: ${players} players, ${saved.length} contents, ${mutated.responses} responses with rules`,
  );
  expect(outside).toEqual([]);
  expect(mutated.responses).toBeGreaterThan(players / 4);
});

type Listing = Pick<LineEnvelope, 'paths'>;

interface Saved {
  readonly id: string;
  readonly envelope: Listing;
}

/** Those whose mapping is valid: each mutation can apply to the line. */
async function saveContents(game: Environment, random: () => number): Promise<Saved[]> {
  const sampled = { numRuns: 20 * contents, seed };
  const lines = fc.sample(plainObject, sampled).map(printRaw);
  const mappings = fc.sample(arbitraryMapping(rulesMax), sampled);
  const saved: Saved[] = [];
  for (const [at, line] of lines.entries()) {
    if (saved.length === contents) break;
    const mapping = withConditions(mappings[at] as string, random);
    const id = `content-${at}`;
    if ((await game.tryPut(id, { text: line, mapping })).status >= 300) continue;
    saved.push({ id, envelope: await envelopeOf(game, id) });
  }
  expect(saved.length).toBe(contents);
  return saved;
}

/** Each rule is for some levels, and each variant for a tenth of the players. */
function withConditions(mapping: string, random: () => number): string {
  return mapping
    .replaceAll('"segment":"s"', () => {
      const from = Math.floor(random() * 80);
      return `"segment":"s","when":{"level":{"$gte":${from}}}`;
    })
    .replaceAll(/"groups":\[(\d+),\d+\]/g, (_, at) => `"groups":[${100 * at},${100 * at + 99}]`);
}

async function envelopeOf(game: Environment, id: string): Promise<Listing> {
  const path = `${game.path}/contents/${id}/envelope`;
  const { lines } = expectDone(await game.server.admin('GET', path)).json as Envelope;
  const [line] = lines;
  if (line === undefined || line.truncated || line.unbounded)
    throw new Error(`${id} is not listed whole`);
  const paths = line.paths.map(({ path: at, types, always, min, max, values }): PathEnvelope => {
    return {
      path: at,
      types,
      isAlwaysThere: always,
      min: boundOf(min, -1),
      max: boundOf(max, 1),
      texts: values,
    };
  });
  return { paths: new Map(paths.map((each) => [each.path, each])) };
}

/** @param sign of the infinity that a bound beyond doubles stands for */
function boundOf(
  bound: { readonly value: number | null } | null,
  sign: number,
): PathEnvelope['min'] {
  if (bound === null) return null;
  const source = { rule: null, segment: null, variant: null };
  return { value: bound.value ?? sign * Number.POSITIVE_INFINITY, source };
}
