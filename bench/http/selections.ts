/** Question: what does a delivery process keep of a caller who tries every combination of rules of 300 contents? */

import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, Cell, Figure, Finding, Question } from '../bench.js';
import type { Build } from '../build.js';
import { callerOfVariant, switchesOff, twelveRules, variantCount } from '../data/mappings.js';
import { benchContent, PublishedGame } from '../data/published-game.js';
import { stop } from '../measure/child.js';
import { residentBytesOf } from '../measure/cpu-time.js';
import { startOnServerCore } from './contenders/loadout.js';
import { headersOf } from './race/scenario.js';

const name = 'http/selections/sweep-300x12';
const contentsCount = 300;
const idsPerCall = 100;
const connections = 3;
/** The machine is others' too: a process that has grown so far has answered the question. */
const rssBytesMax = 2 * 2 ** 30;

export const selections: readonly Question[] = [
  { name, inQuick: false, comparesBuilds: true, answer },
];

interface Stand {
  readonly step: string;
  readonly selected: number;
  readonly seconds: number;
  readonly rssMiB: number;
  readonly renderedMiB: number;
  /** As the process estimates it; NaN where it does not. */
  readonly selectionsMiB: number;
  readonly selectionsEntries: number;
}

async function answer(bench: Bench): Promise<Finding> {
  const rows: Cell[][] = [];
  const notes: string[] = [];
  const figures: Figure[] = [];
  for (const build of bench.builds) {
    const stands = await sweep(build, bench);
    for (const stand of stands) {
      rows.push([
        build.name,
        stand.step,
        stand.selected,
        Math.round(stand.seconds),
        stand.rssMiB,
        stand.renderedMiB,
        stand.selectionsMiB,
        stand.selectionsEntries,
      ]);
    }
    const last = stands.at(-1)!;
    if (last.rssMiB * 2 ** 20 > rssBytesMax) {
      notes.push(`${build.name} was stopped after ${last.selected} selections, beyond 2 GiB`);
    }
    const grown = last.rssMiB - stands[0]!.rssMiB;
    const spread = { median: grown, min: grown, max: grown };
    const figure = { contender: build.name, name: 'RSS growth', unit: 'MiB', better: 'lower' };
    figures.push({ ...figure, perRound: [grown], spread } as Figure);
  }
  const columns = [
    'build',
    'after',
    'selected',
    's',
    'RSS MiB',
    'bodies MiB',
    'selections MiB',
    'kept',
  ];
  return { question: name, columns, rows, notes, figures };
}

async function sweep(build: Build, bench: Bench): Promise<Stand[]> {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-bench-'));
  const publishedPath = join(folder, 'published.db');
  const game = await PublishedGame.create(build, publishedPath);
  const ids = Array.from({ length: contentsCount }, (_, at) => `sweep-${at}`);
  game.put(ids.map((id, at) => benchContent(id, { at, switches: switchesOff() }, twelveRules)));
  const server = await startOnServerCore(build, publishedPath, bench.native);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const stands: Stand[] = [];
  const startedAt = performance.now();
  let selected = 0;
  const note = async (step: string): Promise<void> => {
    const measures = await server.delivery!.measure();
    const { selectionsBytes = Number.NaN, selectionsEntries = Number.NaN } = measures;
    stands.push({
      step,
      selected,
      seconds: (performance.now() - startedAt) / 1000,
      rssMiB: residentBytesOf(server.pid) / 2 ** 20,
      renderedMiB: measures.renderedBytes / 2 ** 20,
      selectionsMiB: selectionsBytes / 2 ** 20,
      selectionsEntries,
    });
    bench.progress(`${name}: ${build.name}, ${step}, ${Math.round(stands.at(-1)!.rssMiB)} MiB`);
  };
  /** Every combination once, all contents of it together. Returns at the limit. */
  const pass = async (): Promise<void> => {
    for (let variant = 0; variant < variantCount; variant += 1) {
      const body = JSON.stringify(callerOfVariant(variant));
      const calls: Promise<void>[] = [];
      for (let from = 0; from < contentsCount; from += idsPerCall) {
        calls.push(combine(agent, server.port, ids.slice(from, from + idsPerCall), body));
      }
      await Promise.all(calls);
      selected += contentsCount;
      if (residentBytesOf(server.pid) > rssBytesMax) return;
    }
  };
  try {
    // Documents are fetched and the code is warm before the first look.
    for (let time = 0; time < 3; time += 1) {
      await combine(agent, server.port, ids.slice(0, idsPerCall), '{}');
      await combine(agent, server.port, ids.slice(idsPerCall, 2 * idsPerCall), '{}');
      await combine(agent, server.port, ids.slice(2 * idsPerCall), '{}');
    }
    await note('start');
    await pass();
    await note('each combination once');
    if (residentBytesOf(server.pid) < rssBytesMax) {
      await pass();
      await note('and once more');
    }
    game.put(ids.map((id, at) => benchContent(id, { at, edited: true }, [])));
    await server.delivery!.publish(3);
    await note('all contents replaced');
    return stands;
  } finally {
    agent.destroy();
    await stop(server.child);
    game.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function combine(agent: Agent, port: number, ids: readonly string[], body: string): Promise<void> {
  const c = encodeURIComponent(JSON.stringify(ids));
  return new Promise((resolve, reject) => {
    const call = request(
      {
        agent,
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: `/api/v1/combine/?dynamic=true&c=${c}`,
        headers: { ...headersOf({ gzip: false }), 'Content-Length': Buffer.byteLength(body) },
      },
      (response) => {
        response.resume();
        response.on('end', () => {
          // On a busy machine a turn may be late (503); the sweep goes on, as an attacker would.
          if (response.statusCode === 200 || response.statusCode === 503) resolve();
          else reject(new Error(`status ${response.statusCode}`));
        });
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}
