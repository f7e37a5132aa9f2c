/** Drivers that are pages in one Chromium. Each storage is the `localStorage` of a browser context, which outlives its pages. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { chromiumFlags, chromiumPath } from '../../../test/support/browser/chromium.js';
import {
  type Command,
  CommandFailed,
  type Driver,
  type DriverSource,
} from '../../conformance/driver.js';

const responseMillisMax = 60_000;
/** Of those without a page, which a game that is killed leaves for a moment, and a scenario that is over for good. */
const contextsMax = 16;

/** @param script the file of the bundled driver */
export function pagesOf(script: string): DriverSource {
  const pages = new DriverPages(readFileSync(script, 'utf8'));
  return { start: async () => new DriverPage(pages), end: () => pages.end() };
}

class DriverPages {
  readonly #script: string;
  #place: Promise<{ browser: Browser; server: Server; url: string }> | null = null;
  readonly #contexts = new Map<string, BrowserContext>();

  constructor(script: string) {
    this.#script = script;
  }

  /** @param storage names the context; undefined: one of its own */
  async open(storage: string | undefined): Promise<Page> {
    this.#place ??= this.#launch();
    const { browser, url } = await this.#place;
    const known = storage === undefined ? undefined : this.#contexts.get(storage);
    const context = known ?? (await browser.newContext());
    if (storage !== undefined) await this.#keep(storage, context);
    const page = await context.newPage();
    await page.goto(url);
    await page.addScriptTag({ content: this.#script, type: 'module' });
    await page.waitForFunction('typeof obey === "function"');
    return page;
  }

  async #keep(storage: string, context: BrowserContext): Promise<void> {
    this.#contexts.delete(storage);
    this.#contexts.set(storage, context);
    const left = [...this.#contexts].filter(([, its]) => its.pages().length === 0);
    for (const [name, its] of left.slice(0, -contextsMax)) {
      this.#contexts.delete(name);
      await its.close();
    }
  }

  async end(): Promise<void> {
    const place = await this.#place;
    await place?.browser.close();
    place?.server.close();
  }

  /** The page is of an origin that is not the server's: what a browser asks of other origins counts. */
  async #launch(): Promise<{ browser: Browser; server: Server; url: string }> {
    if (chromiumPath === null) throw new Error('There is no Chromium.');
    const server = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8').end('<!doctype html>');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const browser = await chromium.launch({
      executablePath: chromiumPath,
      args: [...chromiumFlags],
    });
    return { browser, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }
}

class DriverPage implements Driver {
  readonly #pages: DriverPages;
  #opened: { readonly page: Page; readonly storage: string | undefined } | null = null;
  isAlive = true;

  constructor(pages: DriverPages) {
    this.#pages = pages;
  }

  async send(command: Command): Promise<unknown> {
    if (command.command === 'create') await this.#open(command);
    const page = this.#opened?.page;
    if (page === undefined || !this.isAlive) throw new Error('There is no page.');
    const response = await page.evaluate(
      async ([call, millisMax]) => {
        const { obey } = globalThis as unknown as { obey(command: unknown): Promise<unknown> };
        const late = new Promise<never>((_, reject) => {
          setTimeout(() => reject(new Error('no response in time')), millisMax);
        });
        try {
          return { ok: (await Promise.race([obey(call), late])) ?? null };
        } catch (error) {
          return { error: String(error) };
        }
      },
      [command, responseMillisMax] as const,
    );
    if ('error' in response) throw new CommandFailed(response.error);
    return response.ok;
  }

  /** The game is gone, and its storage stays. */
  async kill(): Promise<void> {
    this.isAlive = false;
    await this.#opened?.page.close();
  }

  async #open(command: Command): Promise<void> {
    const { storage } = command['options'] as { storage?: string };
    if (this.#opened !== null && this.#opened.storage === storage) return;
    await this.#opened?.page.close();
    this.#opened = { page: await this.#pages.open(storage), storage };
  }
}
