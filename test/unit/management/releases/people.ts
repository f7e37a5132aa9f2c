/** Users of an environment that asks for approvals: a lead who makes the others, and editors and owners by name. */
import type { Answer } from '../harness.js';
import { Releases } from './harness.js';

export interface Person {
  readonly id: string;
  readonly token: string;
}

export class ReviewedGame {
  readonly releases: Releases;
  readonly #people = new Map<string, Person>();

  private constructor(releases: Releases) {
    this.releases = releases;
  }

  /** `shop` is live; ann, bob and cy are editors, olga and otto owners; `review` approvals are asked for. */
  static async start(review = 1): Promise<ReviewedGame> {
    const game = new ReviewedGame(await Releases.start());
    await game.releases.put('shop', '{"gold":1}');
    for (const name of ['ann', 'bob', 'cy']) await game.add(name);
    for (const name of ['olga', 'otto']) await game.add(name, { role: 'owner' });
    await game.releases.api.dev('PATCH', '', { review });
    game.releases.pass(1);
    return game;
  }

  /** Makes a user. @param by who makes it; left out: the owner of the server */
  async add(name: string, more: object = {}, by?: string): Promise<Person> {
    const body = { name, role: 'editor', ...more };
    const made = await this.releases.api.call('POST', '/admin/v1/users', body, this.token(by));
    if (made.status !== 201) throw new Error(made.text);
    const person = { id: made.body.id as string, token: made.body.token as string };
    this.#people.set(name, person);
    return person;
  }

  person(name: string): Person {
    const person = this.#people.get(name);
    if (person === undefined) throw new Error(`there is no ${name}`);
    return person;
  }

  token(name: string | undefined): string | undefined {
    return name === undefined ? undefined : this.person(name).token;
  }

  /** Below the environment, as one of them. */
  as(name: string, method: string, path: string, body?: unknown): Promise<Answer> {
    return this.releases.api.dev(method, path, body, this.token(name));
  }

  /** A release of a new draft of `shop`, which `name` has saved, and submitted unless that is not wanted. */
  async submitted(name = 'ann', submit = true): Promise<number> {
    const draft = { text: `{"gold":${Math.random()}}`, publish: false };
    await this.as(name, 'PUT', '/contents/shop', draft);
    const body = { title: 'Sale', changes: [{ kind: 'content', id: 'shop' }] };
    const { release } = (await this.as(name, 'POST', '/releases', body)).body;
    this.releases.pass(1);
    if (submit) await this.as(name, 'POST', `/releases/${release}/submit`, {});
    this.releases.pass(1);
    return release as number;
  }

  /** Approves what the release is now. */
  async approve(name: string, release: number): Promise<Answer> {
    const { review } = await this.releases.show(release);
    this.releases.pass(1);
    const body = { digest: review.digest };
    return this.as(name, 'POST', `/releases/${release}/approve`, body);
  }
}
