/** A server of its own with as much in it as a question wants, and a browser to look at it with. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { chromiumFlags, chromiumPath } from '../../test/support/browser/chromium.js';
import type { Build } from '../build.js';
import { gameContent } from '../data/game-content.js';
import { keepAside, onEveryCore } from '../measure/child.js';
import { cpuTimeOf } from '../measure/cpu-time.js';
import { Serve } from '../serve.js';

const env = 'game';

export class ConsoleStage {
  readonly #serve: Serve;
  readonly #browser: Browser;
  readonly #folder: string;

  static async set(build: Build): Promise<ConsoleStage> {
    if (chromiumPath === null) throw new Error('There is no Chromium; LOADOUT_CHROMIUM names one.');
    const folder = mkdtempSync(join(tmpdir(), 'loadout-bench-'));
    const serve = await Serve.start(build, folder);
    await serve.ask('POST', '/admin/v1/environments', JSON.stringify({ id: env }));
    // It has several busy processes, and a person's machine several cores: on the one of the load generators they would wait for
    // each other.
    onEveryCore(process.pid);
    const browser = await chromium.launch({
      executablePath: chromiumPath,
      args: [...chromiumFlags],
    });
    return new ConsoleStage(serve, browser, folder);
  }

  private constructor(serve: Serve, browser: Browser, folder: string) {
    this.#serve = serve;
    this.#browser = browser;
    this.#folder = folder;
  }

  async putContents(count: number): Promise<void> {
    const lines = Array.from({ length: count }, (_, number) => {
      const id = `item-${String(number).padStart(4, '0')}`;
      const text = JSON.stringify(gameContent(number, 1024));
      return JSON.stringify({
        kind: 'content',
        id,
        tags: ['bench'],
        lines: [{ appVersion: '0.0.0', text }],
      });
    });
    const path = `/admin/v1/environments/${env}/import?mode=merge`;
    await this.#serve.ask('POST', path, `${lines.join('\n')}\n`, 'application/x-ndjson');
  }

  /** CPU of the control process so far, milliseconds. */
  get controlMs(): number {
    return cpuTimeOf(this.#serve.pid).process * 1000;
  }

  /** A call of the admin API that must succeed; returns its response. */
  async ask(method: string, path: string, body: object = {}): Promise<string> {
    return this.#serve.ask(method, `/admin/v1${path}`, JSON.stringify(body));
  }

  /** Reads below the environment; returns the time until the body was there, milliseconds. */
  async read(path: string): Promise<{ readonly ms: number; readonly body: string }> {
    const headers = { authorization: `Bearer ${this.#serve.token}` };
    const url = new URL(`/admin/v1/environments/${env}${path}`, this.#serve.url);
    const began = performance.now();
    const response = await fetch(url, { headers });
    const body = await response.text();
    const ms = performance.now() - began;
    if (!response.ok) throw new Error(`${path}: ${response.status} ${body}`);
    return { ms, body };
  }

  async putText(id: string, bytes: number): Promise<void> {
    const text = JSON.stringify(gameContent(1, bytes), null, 2);
    const path = `/admin/v1/environments/${env}/contents/${id}`;
    await this.#serve.ask('PUT', path, JSON.stringify({ text }));
  }

  /** A window that knows nothing yet. */
  async visit(): Promise<Visit> {
    const context = await this.#browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    const visit = new Visit(page, this.#serve.url, this.#serve.token);
    await visit.count();
    return visit;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.#serve.stop();
    rmSync(this.#folder, { recursive: true, force: true });
    keepAside();
  }
}

export class Visit {
  readonly page: Page;
  /** As they came over the wire: compressed, heads included. */
  bytesReceived = 0;
  readonly #url: string;
  readonly #token: string;

  constructor(page: Page, url: string, token: string) {
    this.page = page;
    this.#url = url;
    this.#token = token;
  }

  async count(): Promise<void> {
    const session = await this.page.context().newCDPSession(this.page);
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      this.bytesReceived += encodedDataLength;
    });
    await session.send('Network.enable');
  }

  async signIn(path: string): Promise<void> {
    await this.page.goto(new URL(path, this.#url).href);
    await this.page.getByRole('textbox', { name: 'Token' }).fill(this.#token);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    await this.page.getByRole('button', { name: /^Signed in as/ }).waitFor();
  }

  async end(): Promise<void> {
    await this.page.context().close();
  }
}
