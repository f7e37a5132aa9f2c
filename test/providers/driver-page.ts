/** A driver as a page in Chromium, of an origin that is not the server's: what a browser asks of other origins counts. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import { chromiumFlags, chromiumPath } from '../support/browser/chromium.js';
import type { Command, Place } from './driver.js';

const answerMillisMax = 60_000;

export class DriverPage implements Place {
  readonly #browser: Browser;
  readonly #server: Server;
  readonly #page: Page;

  /** @param module of the driver, in `folder` */
  static async open(module: string, folder: string): Promise<DriverPage> {
    const script = await bundle(join(folder, module));
    const server = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8').end('<!doctype html>');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const browser = await chromium.launch({
      args: [...chromiumFlags],
      ...(chromiumPath === null ? {} : { executablePath: chromiumPath }),
    });
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await page.addScriptTag({ content: script });
    return new DriverPage(browser, server, page);
  }

  private constructor(browser: Browser, server: Server, page: Page) {
    this.#browser = browser;
    this.#server = server;
    this.#page = page;
  }

  async obey(command: Command): Promise<unknown> {
    const late = `no answer to ${JSON.stringify(command)}`;
    return await this.#page.evaluate(
      async ([call, millisMax, why]) => {
        const page = globalThis as unknown as { obey(command: unknown): Promise<unknown> };
        const timeout = new Promise((_, reject) => {
          setTimeout(() => reject(new Error(why)), millisMax);
        });
        return await Promise.race([page.obey(call), timeout]);
      },
      [command, answerMillisMax, late] as const,
    );
  }

  async end(): Promise<void> {
    await this.#browser.close();
    this.#server.close();
  }
}

async function bundle(input: string): Promise<string> {
  const build = await rolldown({ input, platform: 'browser' });
  const { output } = await build.generate({ format: 'iife' });
  await build.close();
  return output[0].code;
}
