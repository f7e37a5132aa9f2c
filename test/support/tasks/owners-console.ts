/** The console of a demo of its own, with an owner signed in, for one file of played tasks. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { Window } from '../browser/browser.js';
import { settled } from '../browser/screens.js';
import { Demo } from '../server/demo.js';

const environment = '/env/staging';

/** A step on a loaded machine takes long, and says so: it does not fail. */
const stepMsMax = 60_000;

export class OwnersConsole {
  #demo: Demo | undefined;
  #window: Window | undefined;
  #page: Page | undefined;

  /**
   * Opens the console before the tests of the file, and closes it after them.
   * @param path where the owner begins, from `/`
   */
  static before(path: string): OwnersConsole {
    const at = new OwnersConsole();
    beforeAll(() => at.#open(path));
    afterAll(() => at.#close());
    return at;
  }

  private constructor() {}

  get page(): Page {
    return opened(this.#page);
  }

  /** The same person's, such as for a link that was sent. */
  tab(url: string): Promise<Page> {
    return opened(this.#window).tab(url);
  }

  /** @param path in the environment, such as `contents/shop` */
  async go(path: string): Promise<void> {
    await this.page.goto(this.#url(`${environment}/${path}`));
    await settled(this.page);
  }

  /**
   * What another person does meanwhile, by the admin API.
   * @param path in the environment, such as `contents/shop`
   * @throws where the server rejects it
   */
  async admin(method: string, path: string, body?: object): Promise<Response> {
    const response = await fetch(this.#url(`/admin/v1/environments/staging/${path}`), {
      method,
      headers: {
        authorization: `Bearer ${opened(this.#demo).token}`,
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.ok) return response;
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  }

  /** A content item as the server has it, a draft before what is live. */
  async content(id: string): Promise<SavedContent> {
    return (await (await this.admin('GET', `contents/${id}`)).json()) as SavedContent;
  }

  /** Its text of the lowest version. */
  async textOf(id: string): Promise<string> {
    return (await this.content(id)).lines[0]?.text ?? '';
  }

  #url(path: string): string {
    return new URL(path, opened(this.#demo).consoleUrl).href;
  }

  async #open(path: string): Promise<void> {
    this.#demo = await Demo.start();
    this.#window = await Window.open(this.#demo.consoleUrl);
    this.#window.context.setDefaultTimeout(stepMsMax);
    this.#page = await this.#window.signIn(this.#demo.token, path);
    await settled(this.#page);
  }

  async #close(): Promise<void> {
    await this.#window?.close();
    await this.#demo?.stop();
  }
}

interface SavedContent {
  readonly lines: readonly { readonly text: string }[];
  readonly mapping: readonly { readonly when?: unknown }[];
}

function opened<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('The console opens before the tests, not before that.');
  return part;
}
