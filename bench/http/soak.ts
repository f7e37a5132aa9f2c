/** Question: does a delivery process grow under minutes of mixed load? (`--soak-minutes`) */
import type { Bench, Cell, Finding, Question } from '../bench.js';
import { residentBytesOf } from '../measure/cpu-time.js';
import { spreadOf } from '../measure/statistics.js';
import { figureOf } from '../report/figures.js';
import { LiveGame } from './race/live-game.js';

const name = 'http/soak/rss';
const samplesCount = 20;
/** The first part of the time fills caches and heaps: growth is counted from here. */
const warmShare = 0.25;

interface Sample {
  readonly seconds: number;
  readonly rssMiB: number;
  readonly renderedMiB: number;
  readonly renderedEntries: number;
}

export const soak: readonly Question[] = [{ name, comparesBuilds: false, answer }];

async function answer(bench: Bench): Promise<Finding> {
  const seconds = bench.soakMinutes * 60;
  const game = await LiveGame.create(name, bench);
  try {
    const server = await game.restart();
    const small = await game.load('small', { kind: 'closed', connections: 10 });
    const large = await game.load('variants', { kind: 'paced', connections: 50, perSecond: 300 });
    const smallRun = small.run(seconds);
    const largeRun = large.run(seconds);
    const edits = game.edit(10, smallRun);
    const samples: Sample[] = [];
    for (let number = 1; number <= samplesCount; number += 1) {
      await new Promise((resolve) => setTimeout(resolve, (seconds * 1000) / samplesCount));
      const measures = await server.delivery!.measure();
      samples.push({
        seconds: (seconds * number) / samplesCount,
        rssMiB: residentBytesOf(server.pid) / 2 ** 20,
        renderedMiB: measures.renderedBytes / 2 ** 20,
        renderedEntries: measures.renderedEntries,
      });
      bench.progress(`${name}: ${Math.round(samples.at(-1)!.seconds)} of ${Math.round(seconds)} s`);
    }
    const answers = (await smallRun).answers + (await largeRun).answers;
    return findingOf(samples, answers, (await edits).landed);
  } finally {
    await game.close();
  }
}

function findingOf(samples: readonly Sample[], answers: number, edits: number): Finding {
  const steady = samples.slice(Math.floor(samples.length * warmShare));
  const half = Math.floor(steady.length / 2);
  const medianOf = (part: readonly Sample[]) => spreadOf(part.map(({ rssMiB }) => rssMiB));
  const earlier = medianOf(steady.slice(0, half));
  const later = medianOf(steady.slice(half));
  const growth = later.median - earlier.median;
  const noise = earlier.max - earlier.min;
  const rows: Cell[][] = samples
    .filter((_, at) => at % 2 === 1)
    .map((sample) => [
      `${Math.round(sample.seconds)} s`,
      sample.rssMiB,
      sample.renderedMiB,
      sample.renderedEntries,
    ]);
  return {
    question: name,
    columns: ['after', 'RSS MiB', 'rendered MiB', 'rendered bodies'],
    rows,
    notes: [
      `${answers} answers and ${edits} edits; after warm-up the second half had ${growth.toFixed(1)} MiB more than ` +
        `the first, which itself ranged over ${noise.toFixed(1)} MiB`,
    ],
    figures: [
      figureOf(
        'loadout',
        'RSS',
        'MiB',
        'neither',
        samples.map(({ rssMiB }) => rssMiB),
      ),
      figureOf('loadout', 'RSS growth', 'MiB', 'lower', [growth]),
    ],
  };
}
