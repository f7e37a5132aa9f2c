/** Questions: how much does the console load, and how long do people wait for it with much in it? */
import type { Page } from 'playwright-core';
import type { Bench, Finding, Question } from '../bench.js';
import { figureOf, figuresFinding } from '../report/figures.js';
import { ConsoleStage } from './console-stage.js';
import { keyToPaint } from './key-to-paint.js';
import { fillGame, untilLeadsAreKnown } from './overview-game.js';

const contentsCount = 5_000;
const namesCount = 10_000;
const idleMs = 1_000;
const smallBytes = 1024;
const largeBytes = 1024 * 1024;
/** Minified: written with a line for each member, it has 352 KB. */
const tableBytes = 209 * 1024;

export const consoleQuestions: readonly Question[] = [
  question('console/first-load', firstLoad),
  question('console/overview', overview, fillGame),
  question('console/five-thousand-contents', manyContents),
  question('console/one-megabyte', largeContent),
  question('console/palette', palette),
  question('console/table', table),
];

/** What was seen in one round, in a window that knows nothing yet. */
type Seen = Readonly<Record<string, { readonly value: number; readonly unit: string }>>;

function question(
  name: string,
  look: (stage: ConsoleStage, bench: Bench) => Promise<Seen>,
  /** Before the first round. */
  prepare: (stage: ConsoleStage) => Promise<void> = async () => {},
): Question {
  const answer = async (bench: Bench): Promise<Finding> => {
    const [build] = bench.builds;
    if (build === undefined) throw new Error('There is no build to look at.');
    const stage = await ConsoleStage.set(build);
    try {
      await prepare(stage);
      const rounds: Seen[] = [];
      for (let round = 0; round < bench.rounds; round += 1) {
        bench.progress(`${name}: round ${round + 1} of ${bench.rounds}`);
        rounds.push(await look(stage, bench));
      }
      return findingOf(name, rounds);
    } finally {
      await stage.close();
    }
  };
  return { name, comparesBuilds: false, answer };
}

function findingOf(name: string, rounds: readonly Seen[]): Finding {
  const figures = Object.entries(rounds[0] ?? {}).map(([what, { unit }]) => {
    const perRound = rounds.map((seen) => seen[what]?.value ?? Number.NaN);
    return figureOf('console', what, unit, 'lower', perRound);
  });
  return figuresFinding(name, figures, ['headless Chromium on the cores that the server uses too']);
}

async function firstLoad(stage: ConsoleStage): Promise<Seen> {
  const visit = await stage.visit();
  const began = performance.now();
  await visit.signIn('/');
  await visit.page.getByRole('heading', { level: 1 }).waitFor();
  const bytes = visit.bytesReceived;
  const shownMs = performance.now() - began;
  // Then it loads the code of what most people open next.
  await visit.page.waitForTimeout(idleMs);
  const idleBytes = visit.bytesReceived;
  await visit.end();
  return {
    'transferred, sign-in to the first screen': { value: bytes / 1024, unit: 'KiB' },
    'with what it loads ahead': { value: idleBytes / 1024, unit: 'KiB' },
    'until the first screen stands, typing the token included': { value: shownMs, unit: 'ms' },
  };
}

async function overview(stage: ConsoleStage): Promise<Seen> {
  const first = await stage.read('/overview');
  await untilLeadsAreKnown(stage);
  const requests: number[] = [];
  const beganMs = stage.controlMs;
  for (let times = 0; times < overviewReads; times += 1) {
    requests.push((await stage.read('/overview')).ms);
  }
  const cpuMs = (stage.controlMs - beganMs) / overviewReads;
  requests.sort((one, other) => one - other);
  const visit = await stage.visit();
  await visit.signIn('/env/game');
  const { page } = visit;
  for (const part of overviewParts) await page.locator(part).first().waitFor();
  await page.getByRole('link', { name: 'Content', exact: true }).click();
  await page.getByRole('link', { name: 'item-0000', exact: true }).waitFor();
  await page.waitForTimeout(idleMs);
  // Its rows come from the three requests of the screen, and were all drawn before.
  await page.evaluate('window.scrollTo(0, 0)');
  const warmMs = await untilShown(page, 'click', everyPartIsShown, () =>
    page.getByRole('link', { name: 'Overview', exact: true }).click(),
  );
  const reloadMs = await timed(async () => {
    await page.reload();
    for (const part of overviewParts) await page.locator(part).first().waitFor();
  });
  await visit.end();
  return {
    'the first request, with its drift': { value: first.ms, unit: 'ms' },
    'a request, p50': {
      value: requests[Math.floor(requests.length / 2)] ?? Number.NaN,
      unit: 'ms',
    },
    'a request, slowest': { value: requests.at(-1) ?? Number.NaN, unit: 'ms' },
    'a request, CPU of the control process': { value: cpuMs, unit: 'ms' },
    'size of the response': { value: first.body.length / 1024, unit: 'KiB' },
    'from a click to every part of the warm screen': { value: warmMs, unit: 'ms' },
    'from a reload to every part of the screen': { value: reloadMs, unit: 'ms' },
  };
}

const overviewReads = 20;

/** Windows, releases and experiments on the timeline, and drafts below it. */
const overviewParts = [
  ...['/mapping?rule=', '/releases/', '/experiments/'].map(
    (part) => `[aria-label="Timeline"] a[href*="${part}"]`,
  ),
  '[aria-label="Drafts"] li',
];

const everyPartIsShown = `${JSON.stringify(overviewParts)}.every((part) => document.querySelector(part) !== null)`;

async function manyContents(stage: ConsoleStage): Promise<Seen> {
  await stage.putContents(contentsCount);
  const visit = await stage.visit();
  await visit.signIn('/environments');
  const { page } = visit;
  await page.getByRole('heading', { level: 1 }).waitFor();
  // A person does not click at the very moment at which a page appears.
  await page.waitForTimeout(idleMs);
  const openMs = await untilShown(page, 'click', linkOf('item-0000'), () =>
    page.getByRole('link', { name: 'Content', exact: true }).click(),
  );
  const searchMs = await untilShown(page, 'input', linkOf('item-4999'), () =>
    page.getByRole('searchbox').fill('item-4999'),
  );
  await visit.end();
  return {
    'from a click to the first rows': { value: openMs, unit: 'ms' },
    'from a search to its row': { value: searchMs, unit: 'ms' },
  };
}

async function largeContent(stage: ConsoleStage): Promise<Seen> {
  await stage.putText('small', smallBytes);
  await stage.putText('large', largeBytes);
  const small = await typeInto(stage, 'small');
  const large = await typeInto(stage, 'large');
  return {
    'until the editor of 1 MB stands': { value: large.openMs, unit: 'ms' },
    'of 1 KB': { value: small.openMs, unit: 'ms' },
    'from a key to its paint, 1 MB, p50': { value: large.p50, unit: 'ms' },
    '1 KB, p50': { value: small.p50, unit: 'ms' },
    'from a key to its paint, 1 MB, p99': { value: large.p99, unit: 'ms' },
    '1 KB, p99': { value: small.p99, unit: 'ms' },
  };
}

/** A word of four letters, its number, and back to an empty field. */
const paletteKeys: readonly string[] = [...'item-4711', ...Array<string>(9).fill('Backspace')];

async function palette(stage: ConsoleStage): Promise<Seen> {
  await stage.putContents(namesCount);
  const visit = await stage.visit();
  await visit.signIn('/env/game/segments');
  const { page } = visit;
  await page.getByRole('heading', { level: 1 }).waitFor();
  const field = page.getByRole('combobox', { name: 'Find or do' });
  const openMs = await timed(async () => {
    await page.keyboard.press('ControlOrMeta+k');
    await field.waitFor();
  });
  // Until the names are there.
  await field.fill('item-4711');
  await page.getByRole('option', { name: /^item-4711/ }).waitFor();
  await field.fill('');
  const { p50, p99 } = await keyToPaint(page, paletteKeys);
  await visit.end();
  return {
    'from its keys to the palette, cold': { value: openMs, unit: 'ms' },
    'from a key to its paint among 10,000 names, p50': { value: p50, unit: 'ms' },
    'the same, p99': { value: p99, unit: 'ms' },
  };
}

/** As long as the largest text of a real game that the console was tried with. */
async function table(stage: ConsoleStage): Promise<Seen> {
  await stage.putText('table', tableBytes);
  const visit = await stage.visit();
  await visit.signIn('/env/game/contents/table');
  const { page } = visit;
  await page.locator('.cm-content').first().waitFor();
  await page.waitForTimeout(idleMs);
  const choice = page.getByRole('radiogroup', { name: 'Show the text as' });
  const shown = `document.querySelectorAll('[role="gridcell"]').length > 30`;
  const openMs = await untilShown(page, 'click', shown, () =>
    choice.getByText('Table', { exact: true }).click(),
  );
  const cell = page.locator('[data-row="3"] [data-column="1"]');
  await cell.click();
  const moves = await keyToPaint(page, ['ArrowDown', 'ArrowRight', 'ArrowUp', 'ArrowLeft']);
  // Each pair of keys edits a cell of the text, and begins the next.
  await cell.click();
  const edits = await keyToPaint(page, ['7', 'Enter']);
  await visit.end();
  return {
    'from a click to the table of 352 KB': { value: openMs, unit: 'ms' },
    'from an arrow key to its paint, p50': { value: moves.p50, unit: 'ms' },
    'the same, p99': { value: moves.p99, unit: 'ms' },
    'from a key that begins or ends an edit to its paint, p50': { value: edits.p50, unit: 'ms' },
    'p99 of that': { value: edits.p99, unit: 'ms' },
  };
}

async function typeInto(stage: ConsoleStage, id: string) {
  const visit = await stage.visit();
  await visit.signIn('/env/game/segments');
  const { page } = visit;
  await page.getByRole('heading', { level: 1 }).waitFor();
  const editor = page.locator('.cm-content').first();
  const openMs = await timed(async () => {
    await goWithin(page, `/env/game/contents/${id}`);
    await editor.waitFor();
  });
  await editor.click();
  const waits = await keyToPaint(page);
  await visit.end();
  return { openMs, ...waits };
}

const linkOf = (id: string): string => `document.querySelector('a[href$="/${id}"]') !== null`;

/**
 * From an event in the page until something is in it: looking from outside would add tenths of a second.
 * @param shown an expression
 */
async function untilShown(
  page: Page,
  event: string,
  shown: string,
  act: () => Promise<void>,
): Promise<number> {
  await page.evaluate(`void (window.waited = new Promise((resolve) => {
    document.addEventListener('${event}', () => {
      const began = performance.now();
      const look = () => ${shown} ? resolve(performance.now() - began) : requestAnimationFrame(look);
      look();
    }, { capture: true, once: true });
  }))`);
  await act();
  return (await page.evaluate('window.waited')) as number;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** As a link of the console does: without reloading the page. */
async function goWithin(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`);
}
