/** Questions: how much does the console load, and how long do people wait for it with much in it? */
import type { Page } from 'playwright-core';
import type { Bench, Finding, Question } from '../bench.js';
import { figureOf, figuresFinding } from '../report/figures.js';
import { ConsoleStage } from './console-stage.js';
import { keyToPaint } from './key-to-paint.js';

const contentsCount = 5_000;
const idleMs = 1_000;
const smallBytes = 1024;
const largeBytes = 1024 * 1024;

export const consoleQuestions: readonly Question[] = [
  question('console/first-load', firstLoad),
  question('console/five-thousand-contents', manyContents),
  question('console/one-megabyte', largeContent),
];

/** What was seen in one round, in a window that knows nothing yet. */
type Seen = Readonly<Record<string, { readonly value: number; readonly unit: string }>>;

function question(
  name: string,
  look: (stage: ConsoleStage, bench: Bench) => Promise<Seen>,
): Question {
  const answer = async (bench: Bench): Promise<Finding> => {
    const [build] = bench.builds;
    if (build === undefined) throw new Error('There is no build to look at.');
    const stage = await ConsoleStage.set(build);
    try {
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
  await visit.signIn('/env/game/contents');
  await visit.page.getByRole('heading', { level: 1 }).waitFor();
  const bytes = visit.bytesReceived;
  const shownMs = performance.now() - began;
  await visit.end();
  return {
    'transferred, sign-in and list of contents': { value: bytes / 1024, unit: 'KiB' },
    'until the list stands, typing the token included': { value: shownMs, unit: 'ms' },
  };
}

async function manyContents(stage: ConsoleStage): Promise<Seen> {
  await stage.putContents(contentsCount);
  const visit = await stage.visit();
  await visit.signIn('/environments');
  const { page } = visit;
  await page.getByRole('heading', { level: 1 }).waitFor();
  // Nobody clicks in the very moment in which a page stands.
  await page.waitForTimeout(idleMs);
  const openMs = await untilShown(page, 'click', 'item-0000', () =>
    page.getByRole('link', { name: 'Contents', exact: true }).click(),
  );
  const searchMs = await untilShown(page, 'input', 'item-4999', () =>
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

/** From an event in the page until a content's link is in it: looking from outside would add tenths of a second. */
async function untilShown(
  page: Page,
  event: string,
  id: string,
  act: () => Promise<void>,
): Promise<number> {
  const shown = `document.querySelector('a[href$="/${id}"]') !== null`;
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

/** As a link of the console does: without loading the page anew. */
async function goWithin(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`);
}
