/** A real Chromium with the console in it, as a person has it before them. */
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, TestRunner } from 'vitest';

import { chromiumFlags, chromiumPath } from './chromium.js';

/**
 * Whether there is a browser; where there is none, tests of the console are skipped and say so. In CI its absence is a
 * failure: there nobody would read that they were skipped.
 */
export const hasBrowser = chromiumPath !== null || process.env['CI'] !== undefined;
if (!hasBrowser)
  console.warn('No Chromium found (LOADOUT_CHROMIUM names one): console tests skipped.');

export const wide = { width: 1280, height: 800 } as const;
export const narrow = { width: 390, height: 844 } as const;

export interface WindowOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: 'light' | 'dark';
}

/** What the server refuses is part of many a story; of violations of the policy, `tellViolations` says more. */
const expected = /^Failed to load resource|violates the following Content Security Policy/;

/**
 * Runs in the page. Where text is replaced in an editor, Chromium itself may try to keep the look of the old one by a
 * style attribute, which the policy forbids and the editor would remove.
 */
const tellViolations = `document.addEventListener('securitypolicyviolation', (event) => {
  const { effectiveDirective, blockedURI, target } = event;
  const isElement = target instanceof Element;
  const isTyped = !isElement || target.closest('[contenteditable]') !== null;
  if (effectiveDirective === 'style-src-attr' && isTyped) return;
  const where = isElement ? target.outerHTML.slice(0, 300) : '';
  console.error('policy ' + effectiveDirective + ': ' + blockedURI + ' ' + where);
})`;

const windows = new Set<Window>();

/** What somebody would look at first: the pages as they stand, when the test has failed. */
async function showFailed(window: Window): Promise<void> {
  const test = TestRunner.getCurrentTest();
  if (test?.result?.state !== 'fail') return;
  for (const [number, page] of window.context.pages().entries()) {
    const path = `screenshots/failed/${test.name.replaceAll(/\W+/g, '-')}-${number}.png`;
    await page.screenshot({ path });
    console.error(`${path}\n${await page.locator('body').ariaSnapshot()}`);
  }
}

// Of windows that stay open for the next test; the others are shown when they close.
afterEach(async () => {
  for (const window of windows) await showFailed(window);
});

let browser: Promise<Browser> | null = null;
afterAll(async () => {
  await (await browser)?.close();
  browser = null;
});

function launch(): Promise<Browser> {
  if (chromiumPath === null) throw new Error('There is no Chromium: .ci/run installs it.');
  browser ??= chromium.launch({ executablePath: chromiumPath, args: [...chromiumFlags] });
  return browser;
}

/** A window of its own, with cookies and storage of its own; what its pages complain of is kept. */
export class Window {
  readonly context: BrowserContext;
  readonly url: string;
  /** Errors of scripts, and whatever the page's policy forbade. */
  readonly complaints: string[] = [];

  static async open(url: string, options: WindowOptions = {}): Promise<Window> {
    const { viewport = wide, colorScheme = 'light' } = options;
    const context = await (await launch()).newContext({
      viewport,
      colorScheme,
      reducedMotion: 'reduce',
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
    });
    context.setDefaultTimeout(15_000);
    await context.addInitScript(tellViolations);
    return new Window(context, url);
  }

  private constructor(context: BrowserContext, url: string) {
    this.context = context;
    this.url = url;
    windows.add(this);
  }

  /** A further tab, at a path of the console. */
  async tab(path = '/'): Promise<Page> {
    const page = await this.context.newPage();
    page.on('pageerror', (error) => this.complaints.push(`error: ${error.message}`));
    page.on('console', (message) => {
      const text = message.text();
      if (message.type() === 'error' && !expected.test(text)) this.complaints.push(text);
    });
    await page.goto(new URL(path, this.url).href);
    return page;
  }

  /** Signs in as a person does, and ends up at the path. */
  async signIn(token: string, path = '/'): Promise<Page> {
    const page = await this.tab(path);
    await page.getByRole('textbox', { name: 'Token' }).fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: /^Signed in as/ }).waitFor();
    return page;
  }

  async close(): Promise<void> {
    await showFailed(this);
    windows.delete(this);
    await this.context.close();
  }
}
