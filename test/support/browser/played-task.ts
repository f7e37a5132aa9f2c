/** A task of a person in the console, played by a script: what they do is counted and timed, and each step leaves a picture. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

interface PlayedStep {
  readonly words: string;
  /** Until the console has done it. */
  readonly ms: number;
}

export class PlayedTask {
  readonly #name: string;
  readonly #folder: string | null;
  readonly #steps: PlayedStep[] = [];

  /** @param folder of its pictures; null: none are taken */
  constructor(name: string, folder: string | null) {
    this.#name = name;
    this.#folder = folder;
    if (folder !== null) mkdirSync(folder, { recursive: true });
  }

  /** One thing that a person does, such as a click or a text that is typed; it resolves when they see what came of it. */
  async do(page: Page, words: string, act: () => Promise<unknown>): Promise<void> {
    const startedAtMs = performance.now();
    await act();
    const ms = performance.now() - startedAtMs;
    this.#steps.push({ words, ms });
    if (this.#folder === null) return;
    const number = String(this.#steps.length).padStart(2, '0');
    await page.screenshot({ path: join(this.#folder, `${this.#name}-${number}.png`) });
  }

  get steps(): number {
    return this.#steps.length;
  }

  /** For a person to read: the steps, and the seconds that the console took for all of them. */
  toString(): string {
    const seconds = this.#steps.reduce((sum, { ms }) => sum + ms, 0) / 1_000;
    const lines = this.#steps.map(
      ({ words, ms }, at) => `  ${at + 1}. ${words} (${Math.round(ms)} ms)`,
    );
    return [`${this.#name}: ${this.#steps.length} steps, ${seconds.toFixed(1)} s`, ...lines].join(
      '\n',
    );
  }
}
