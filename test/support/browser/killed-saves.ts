/**
 * Saves of the console while the server is killed: everything that was typed carries the number of its round, so that a save
 * that is half done shows as two numbers at once.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { eventually } from '../eventually.js';
import { type Environment, expectDone, makeEnvironment } from '../server/environment.js';
import { startServer } from '../server/server.js';
import { type LoadoutServer, ownerToken } from '../server/server-process.js';
import { Window } from './browser.js';

export interface KillCounts {
  /** Rounds after which the edit was there, and was not. */
  done: number;
  undone: number;
}

const versions = ['0.0.0', '2.0.0'] as const;
const awayText = 'The server does not answer';
const saveWaitMs = 30_000;

export class KilledSaves {
  readonly counts: KillCounts = { done: 0, undone: 0 };
  readonly #data: string;
  readonly #random: () => number;
  #server: LoadoutServer;
  readonly #staging: Environment;
  readonly #window: Window;
  readonly #page: Page;
  /** How long a save takes without a kill, milliseconds. */
  #usualMs = 0;
  #round = 0;

  private constructor(
    data: string,
    random: () => number,
    server: LoadoutServer,
    staging: Environment,
    window: Window,
    page: Page,
  ) {
    this.#data = data;
    this.#random = random;
    this.#server = server;
    this.#staging = staging;
    this.#window = window;
    this.#page = page;
  }

  /** @param random from 0 to 1: the moments of the kills come from it */
  static async start(data: string, random: () => number): Promise<KilledSaves> {
    const server = await startServer({ data });
    const staging = await makeEnvironment(server, 'staging');
    const path = `${staging.path}/contents/shop`;
    expectDone(await server.admin('PUT', path, stateOf(0)));
    const window = await Window.open(server.adminUrl);
    const page = await window.signIn(ownerToken, '/env/staging/contents/shop');
    const saves = new KilledSaves(data, random, server, staging, window, page);
    await saves.#type();
    const startedMs = performance.now();
    await page.keyboard.press('ControlOrMeta+s');
    await eventually('it is saved', saveWaitMs, async () => (await saves.#saved()) === 1);
    saves.#usualMs = performance.now() - startedMs;
    return saves;
  }

  /** One edit of both lines and the mapping, saved with one key, and a kill on its way. */
  async round(): Promise<void> {
    await this.#type();
    await this.#page.keyboard.press('ControlOrMeta+s');
    await pause(this.#random() * this.#usualMs * 1.3);
    const { adminPort, deliveryUrl } = this.#server;
    const port = Number(new URL(deliveryUrl).port);
    this.#server.signal('SIGKILL');
    await this.#server.exit;
    this.#server = await startServer({ data: this.#data, adminPort, port });
    const found = await this.#saved();
    expect([this.#round - 1, this.#round]).toContain(found);
    this.counts[found === this.#round ? 'done' : 'undone'] += 1;
    await this.#page.getByText(awayText, { exact: true }).waitFor({ state: 'detached' });
    expect(await this.#typed()).toBe(this.#round);
    // What a killed save did not do, the next one does: nothing has to be typed again.
    const save = this.#page.getByRole('button', { name: /^Save draft/ });
    if (found !== this.#round) await save.click();
    await eventually('it is saved', saveWaitMs, async () => (await this.#saved()) === this.#round);
  }

  async stop(): Promise<void> {
    await this.#window.close();
    await this.#server.stop();
  }

  async #type(): Promise<void> {
    this.#round += 1;
    const page = this.#page;
    const { lines, mapping } = stateOf(this.#round);
    await this.#open('text');
    for (const { appVersion, text } of lines) {
      await page.getByRole('tab', { name: new RegExp(`^${appVersion}`) }).click();
      await replace(page, `Text of line ${appVersion}`, text);
    }
    await this.#open('mapping');
    await replace(page, 'Mapping', JSON.stringify(mapping));
    await page.getByText('Unsaved changes', { exact: true }).waitFor();
  }

  /** The round of everything that is typed, or was and is saved now. */
  async #typed(): Promise<number> {
    const texts: string[] = [];
    await this.#open('text');
    for (const version of versions) {
      await this.#page.getByRole('tab', { name: new RegExp(`^${version}`) }).click();
      const editor = this.#page.getByRole('textbox', { name: `Text of line ${version}` });
      texts.push((await editor.textContent()) ?? '');
    }
    await this.#open('mapping');
    const rules = this.#page.getByRole('textbox', { name: 'Mapping' });
    texts.push((await rules.textContent()) ?? '');
    return roundOf(texts);
  }

  /** The round of everything that is saved. */
  async #saved(): Promise<number> {
    const path = `${this.#staging.path}/contents/shop`;
    const { json } = expectDone(await this.#server.admin('GET', path));
    const texts = json.lines.map(({ text }: { text: string }) => text);
    expect(texts).toHaveLength(versions.length);
    return roundOf([...texts, JSON.stringify(json.mapping)]);
  }

  async #open(tab: 'text' | 'mapping'): Promise<void> {
    const name = tab === 'text' ? 'Text' : 'Mapping';
    await this.#page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
    if (tab === 'mapping') {
      await this.#page.getByText('JSON', { exact: true }).first().click();
      await this.#page.getByRole('textbox', { name: 'Mapping' }).waitFor();
    }
  }
}

function stateOf(round: number) {
  return {
    lines: versions.map((appVersion) => ({ appVersion, text: `{"round": ${round}}` })),
    mapping: [{ segment: 'all', when: {}, merge: { round } }],
    publish: false,
  };
}

/** The one round that all texts are of. */
function roundOf(texts: readonly string[]): number {
  const rounds = texts.map((text) => Number(/"round": ?(\d+)/.exec(text)?.[1]));
  expect(new Set(rounds).size, texts.join(' | ')).toBe(1);
  return rounds[0] ?? Number.NaN;
}

async function replace(page: Page, name: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}
