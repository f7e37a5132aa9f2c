/**
 * Question: how long does it take to find who of 10,000 players was given a price, over 200 changes of an environment, and how
 * long does another request wait beside it? Who was given it, and by which revision first, is compared for each player.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endOfRequest } from '../../src/contract/players/player-list.js';
import type { Bench, Finding, Question } from '../bench.js';
import { cpuTimeOf, peakBytesOf } from '../measure/cpu-time.js';
import { waitBeside } from '../measure/wait-beside.js';
import { figureOf, figuresFinding } from '../report/figures.js';
import { Serve } from '../serve.js';
import {
  changesCount,
  contentId,
  EditedGame,
  makePlayers,
  type Player,
  wrongPrice,
} from './edited-game.js';

const name = 'players/cohort';

export const cohort: readonly Question[] = [{ name, comparesBuilds: false, answer }];

async function answer(bench: Bench): Promise<Finding> {
  const [build] = bench.builds;
  if (build === undefined) throw new Error('There is no build to look at.');
  const folder = mkdtempSync(join(tmpdir(), 'loadout-bench-'));
  const serve = await Serve.start(build, folder);
  try {
    const players = makePlayers();
    const from = new Date(Date.now() - 60_000).toISOString();
    const game = await EditedGame.make(serve, (done) => {
      if (done % 50 === 0) bench.progress(`${name}: ${done} of ${changesCount} changes`);
    });
    const rounds: Seen[] = [];
    for (let round = 0; round < bench.rounds; round += 1) {
      bench.progress(`${name}: round ${round + 1} of ${bench.rounds}`);
      rounds.push(await look(serve, { game, players, from }));
    }
    return findingOf(rounds);
  } finally {
    await serve.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Asked {
  readonly game: EditedGame;
  readonly players: readonly Player[];
  readonly from: string;
}

interface Seen {
  readonly wholeMs: number;
  readonly cpuMs: number;
  readonly pages: number;
  readonly longestWaitMs: number;
  readonly peakBytes: number;
}

async function look(serve: Serve, asked: Asked): Promise<Seen> {
  const cpuBefore = cpuTimeOf(serve.pid).process;
  const began = performance.now();
  const { pages } = await findAll(serve, asked);
  const wholeMs = performance.now() - began;
  const cpuMs = (cpuTimeOf(serve.pid).process - cpuBefore) * 1_000;
  const longestWaitMs = await waitBeside(serve, findAll(serve, asked));
  return { wholeMs, cpuMs, pages, longestWaitMs, peakBytes: peakBytesOf(serve.pid) };
}

interface Page {
  readonly to: string;
  readonly states: number;
  readonly players: readonly {
    readonly u: string;
    readonly outcome: string;
    readonly revision: number | null;
  }[];
}

/** All pages, as the command asks for them. */
async function findAll(
  serve: Serve,
  { game, players, from }: Asked,
): Promise<{ readonly pages: number }> {
  const sources = players.map((player) => ({ u: player.u, source: JSON.stringify(player) }));
  const found: Page['players'][number][] = [];
  let pages = 0;
  for (let to: string | undefined; found.length < players.length; pages += 1) {
    const sent = players.slice(found.length, endOfRequest(sources, found.length));
    const asked = { id: contentId, path: '/offers/0/price', equals: wrongPrice, from, to };
    const body = JSON.stringify({ ...asked, players: sent });
    const page: Page = JSON.parse(
      await serve.ask('POST', '/admin/v1/environments/game/players/cohort', body),
    );
    if (page.states <= changesCount) throw new Error(`There were only ${page.states} states.`);
    found.push(...page.players);
    to = page.to;
  }
  for (const [at, player] of players.entries()) {
    const revision = game.firstGiven(player);
    const expected = { outcome: revision === null ? 'not_given' : 'given', revision };
    const { u, outcome, revision: first } = found[at]!;
    if (u !== player.u || outcome !== expected.outcome || first !== revision) {
      throw new Error(`${u}: ${outcome} by ${first} instead of ${JSON.stringify(expected)}.`);
    }
  }
  return { pages };
}

function findingOf(rounds: readonly Seen[]): Finding {
  const figure = (what: string, unit: string, of: (seen: Seen) => number) =>
    figureOf('loadout', what, unit, 'lower', rounds.map(of));
  const figures = [
    figure('the whole cohort', 'ms', ({ wholeMs }) => wholeMs),
    figure('its CPU, all threads of the control process', 'ms', ({ cpuMs }) => cpuMs),
    figure('pages', '', ({ pages }) => pages),
    figure('the longest wait of another request beside it', 'ms', (seen) => seen.longestWaitMs),
    figure('memory of the control process at most', 'MiB', (seen) => seen.peakBytes / 2 ** 20),
  ];
  return figuresFinding(name, figures, ['the client on the cores that the server uses too']);
}
