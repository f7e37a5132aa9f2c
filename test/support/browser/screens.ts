/** Every screen of the console on the demo's data, as tests go through them. */
import type { Page } from 'playwright-core';
import { eventually } from '../eventually.js';

export interface Screen {
  readonly name: string;
  readonly path: string;
  /** What a person does there first. */
  readonly act?: (page: Page) => Promise<void>;
}

const content = '/env/staging/contents/shop';
const draft = '/env/staging/contents/economy';

/** Presses buttons one after the other, in the dialog where one is open. */
const press =
  (...names: readonly (string | RegExp)[]) =>
  async (page: Page): Promise<void> => {
    for (const name of names) await page.getByRole('button', { name }).first().click();
  };

/** The same where it opens a dialog, whose code may have to be loaded first. */
const open =
  (name: string | RegExp) =>
  async (page: Page): Promise<void> => {
    await press(name)(page);
    await page.getByRole('dialog').waitFor();
  };

export const screens: readonly Screen[] = [
  { name: 'environments', path: '/environments' },
  { name: 'environment-new', path: '/environments', act: open('New environment') },
  { name: 'environment', path: '/environments/production' },
  {
    name: 'environment-confirm',
    path: '/environments/staging',
    act: async (page) => {
      await page
        .getByRole('button', { name: /^Actions for/ })
        .first()
        .click();
      await page.getByRole('menuitem', { name: 'Confirmation…' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'key-made',
    path: '/environments/staging',
    act: async (page) => {
      await press('New key')(page);
      await page.getByRole('textbox', { name: 'Label' }).fill('Game client 2.3');
      await press('Create key')(page);
      await page.getByRole('dialog').getByText('curl').first().waitFor();
    },
  },
  { name: 'contents', path: '/env/staging/contents' },
  { name: 'contents-search', path: '/env/staging/contents?q=pack' },
  { name: 'contents-nothing-found', path: '/env/staging/contents?q=no-such-thing' },
  { name: 'contents-protected', path: '/env/production/contents' },
  { name: 'overview', path: '/env/production' },
  { name: 'contents-deleted', path: '/env/staging/contents', act: press('Deleted') },
  { name: 'content-new', path: '/env/staging/contents', act: open('New content') },
  { name: 'palette', path: '/env/staging/contents', act: open('Find or do…') },
  { name: 'search', path: '/env/staging/search?q=lamplighter' },
  { name: 'content-text', path: content },
  {
    name: 'content-form',
    path: `${content}?view=form`,
    act: async (page) => page.getByRole('group', { name: 'packs' }).waitFor(),
  },
  { name: 'content-lines', path: '/env/staging/contents/matchmaking' },
  { name: 'content-draft-compared', path: draft, act: open('Compare with live') },
  { name: 'content-publish', path: draft, act: open(/^Publish/) },
  { name: 'content-mapping', path: `${content}/mapping` },
  { name: 'content-rule', path: `${content}/mapping`, act: press(/^1 /) },
  { name: 'content-test', path: `${content}/mapping`, act: press(/^4 /) },
  {
    name: 'content-test-source',
    path: `${content}/mapping`,
    act: async (page) => {
      await press(/^4 /)(page);
      await page.getByRole('radio', { name: 'Values' }).focus();
      await page.keyboard.press('ArrowRight');
      await page.getByText('What changes', { exact: true }).waitFor();
    },
  },
  {
    name: 'content-test-pick',
    path: `${content}/mapping`,
    act: async (page) => {
      await press(/^4 /)(page);
      await open('Pick in the text…')(page);
    },
  },
  {
    name: 'content-test-seen',
    path: `${content}/mapping`,
    act: async (page) => {
      await press(/^4 /)(page);
      await open(/^Edit text/)(page);
    },
  },
  {
    name: 'content-mapping-json',
    path: `${content}/mapping`,
    act: async (page) => {
      await page.getByText('JSON', { exact: true }).first().click();
      await page.getByRole('textbox', { name: 'Targeting' }).waitFor();
    },
  },
  { name: 'content-values', path: `${content}/values` },
  { name: 'content-preview', path: `${content}/preview` },
  {
    name: 'content-preview-sample',
    path: `${content}/preview`,
    act: async (page) => {
      await page.getByRole('combobox', { name: 'Sample user' }).click();
      // Until it has come, the result of before is shown, dimmed.
      const result = page.waitForResponse((response) => response.url().endsWith('/evaluate'));
      await page.getByRole('option').first().click();
      await result;
    },
  },
  {
    name: 'content-preview-many',
    path: `${content}/preview`,
    act: async (page) => {
      await page.getByText('Many users', { exact: true }).click();
      await press('Make up users', 'Make them', /^Count /)(page);
      await page.getByRole('table').first().waitFor();
    },
  },
  { name: 'content-history', path: `${content}/history` },
  { name: 'content-rollback', path: `${content}/history`, act: open('Roll back to r5') },
  { name: 'content-settings', path: `${content}/settings` },
  { name: 'content-guard', path: `${content}/settings`, act: press('Add a guard') },
  { name: 'content-flags', path: '/env/staging/contents/features/settings' },
  { name: 'content-missing', path: '/env/staging/contents/no-such-content' },
  { name: 'segments', path: '/env/staging/segments' },
  { name: 'segment', path: '/env/staging/segments/whales' },
  { name: 'segment-history', path: '/env/staging/segments/whales/history' },
  { name: 'segment-new', path: '/env/staging/segments', act: open('New segment') },
  { name: 'groups', path: '/env/staging/groups' },
  { name: 'experiments', path: '/env/production/experiments' },
  { name: 'experiments-none', path: '/env/staging/experiments' },
  { name: 'experiment-won', path: '/env/production/experiments/level-12-moves' },
  { name: 'experiment-open', path: '/env/production/experiments/navigator-price' },
  {
    name: 'experiment-broken',
    path: '/env/production/experiments/push-hour',
    act: press('Show them all the same'),
  },
  { name: 'experiment-draft', path: '/env/production/experiments/hero-first' },
  {
    name: 'experiment-decide',
    path: '/env/production/experiments/level-12-moves',
    act: open('Decide…'),
  },
  {
    name: 'experiment-new',
    path: '/env/production/new-experiment?content=economy&rule=starting-gift',
    act: press('Continue'),
  },
  { name: 'experiment-unknown', path: '/env/production/experiments/no-such-experiment' },
  { name: 'metrics', path: '/env/production/metrics' },
  { name: 'metric-new', path: '/env/production/metrics', act: open('New metric') },
  { name: 'releases', path: '/env/staging/releases' },
  { name: 'release-new', path: '/env/staging/releases', act: open('New release') },
  { name: 'release-unknown', path: '/env/staging/releases/1' },
  { name: 'content-to-release', path: draft, act: open('Add to release…') },
  {
    name: 'content-rule-local',
    path: '/env/staging/contents/events/mapping',
    act: press(/^3 treasure-weekend/),
  },
  { name: 'players', path: '/env/staging/players' },
  {
    name: 'players-looked-up',
    path: '/env/staging/players#u=player-1&at=now',
    act: async (page) => {
      await press('Details of shop')(page);
      await page.getByRole('region', { name: 'Delivered data of shop' }).waitFor();
    },
  },
  {
    name: 'players-compared',
    path: '/env/staging/players#u=player-1&at=2020-01-01T00:00:00Z&with=now',
    act: async (page) => {
      await press('Details of shop')(page);
      await page.getByRole('region', { name: 'Delivered data of shop' }).waitFor();
    },
  },
  { name: 'calendar', path: '/env/staging/calendar' },
  {
    name: 'calendar-window',
    path: '/env/staging/calendar',
    act: open(/^treasure-weekend, /),
  },
  {
    name: 'calendar-move',
    path: '/env/staging/calendar',
    act: async (page) => {
      await open(/^treasure-weekend, /)(page);
      await page.getByRole('dialog').getByRole('button', { name: '1 week later' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Save draft' }).waitFor();
    },
  },
  { name: 'sync', path: '/env/production/sync' },
  { name: 'sync-difference', path: '/env/production/sync', act: press(/^Differences of shop/) },
  { name: 'sync-confirm', path: '/env/production/sync', act: open(/^Review and sync/) },
  { name: 'activity', path: '/activity' },
  { name: 'activity-details', path: '/activity', act: press(/^Details: .* (published|saved)/) },
  { name: 'webhooks', path: '/webhooks' },
  { name: 'webhook-new', path: '/webhooks', act: open('New webhook') },
  {
    name: 'webhook',
    path: '/webhooks',
    act: async (page) => page.getByRole('table').getByRole('link').first().click(),
  },
  { name: 'people', path: '/people' },
  { name: 'person-new', path: '/people', act: open('New user') },
  {
    name: 'health',
    path: '/health',
    // A chart has a line to show once it was watched for some seconds.
    act: async (page) => page.waitForTimeout(8_000),
  },
  { name: 'nothing-here', path: '/no/such/page' },
];

/** Resolves when the screen has its heading and nothing in it still loads. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  const loading = page.locator(
    '.mantine-Loader-root, .mantine-Skeleton-root[data-visible], [aria-busy="true"]',
  );
  await eventually('nothing loads', 15_000, async () => (await loading.count()) === 0);
}
