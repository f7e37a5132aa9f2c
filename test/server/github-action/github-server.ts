/**
 * GitHub's comments of a pull request, on a real socket. What it takes and gives follows GitHub's own OpenAPI description
 * (issue-comments.json, of @octokit/openapi): a request or response of another form fails the test.
 */

import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';

interface Operation {
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, object>>;
}

const { paths } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'issue-comments.json'), 'utf8'),
) as { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };
const ajv = new Ajv({ strict: false });
formats.default(ajv);
const ofIssue = '/repos/{owner}/{repo}/issues/{issue_number}/comments';
const ofComment = '/repos/{owner}/{repo}/issues/comments/{comment_id}';
/** GitHub's own limit. */
const bodyCharsMax = 65_536;

export interface Comment {
  readonly id: number;
  body: string;
  readonly author: 'Bot' | 'User';
}

export class GithubServer {
  readonly comments: Comment[] = [];
  readonly requests: string[] = [];
  readonly faults: string[] = [];
  /** Responses to give before any other, with status and headers. */
  readonly failures: { readonly status: number; readonly headers?: Record<string, string> }[] = [];
  readonly #server = createServer((request, response) => {
    this.#respond(request, response).catch((error: unknown) => {
      this.faults.push(String(error));
      response.writeHead(500).end();
    });
  });

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
  }

  add(body: string, author: Comment['author']): Comment {
    const comment = { id: this.comments.length + 1, body, author };
    this.comments.push(comment);
    return comment;
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    this.requests.push(`${method} ${url}`);
    const sent = await text(request);
    const failure = this.failures.shift();
    if (failure !== undefined) {
      response.writeHead(failure.status, {
        'content-type': 'application/json',
        ...failure.headers,
      });
      response.end('{"message":"no"}');
      return;
    }
    if (request.headers.authorization !== 'Bearer github-token-1') throw new Error('no token');
    const { pathname, searchParams } = new URL(url, this.url);
    const body = sent === '' ? undefined : (JSON.parse(sent) as { readonly body: string });
    if (body !== undefined && body.body.length > bodyCharsMax) {
      this.#give(response, ofComment, 'patch', 422, { message: 'Validation Failed' });
    } else if (pathname === '/repos/studio/game/issues/7/comments' && method === 'GET') {
      const size = Number(searchParams.get('per_page') ?? 30);
      const start = (Number(searchParams.get('page') ?? 1) - 1) * size;
      const page = this.comments.slice(start, start + size).map((each) => this.#json(each));
      this.#give(response, ofIssue, 'get', 200, page);
    } else if (pathname === '/repos/studio/game/issues/7/comments' && method === 'POST') {
      this.#take(ofIssue, 'post', body);
      this.#give(response, ofIssue, 'post', 201, this.#json(this.add(body?.body ?? '', 'Bot')));
    } else if (method === 'PATCH') {
      this.#take(ofComment, 'patch', body);
      const comment = this.comments.find(({ id }) => pathname.endsWith(`/comments/${id}`));
      if (comment === undefined) throw new Error(`no comment ${pathname}`);
      comment.body = body?.body ?? '';
      this.#give(response, ofComment, 'patch', 200, this.#json(comment));
    } else {
      throw new Error(`${method} ${url} is none of GitHub's`);
    }
  }

  #take(path: string, method: string, body: unknown): void {
    const schema = paths[path]?.[method]?.requestBody;
    if (schema === undefined || !ajv.validate(schema, body)) this.faults.push(ajv.errorsText());
  }

  #give(response: ServerResponse, path: string, method: string, status: number, value: unknown) {
    const schema = paths[path]?.[method]?.responses[status];
    if (schema === undefined || !ajv.validate(schema, value)) {
      this.faults.push(`${method} ${status}: ${ajv.errorsText()}`);
    }
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value));
  }

  #json({ id, body, author }: Comment): object {
    const address = `${this.url}/users/x`;
    const links = [
      ...['avatar_url', 'url', 'html_url', 'followers_url', 'subscriptions_url'],
      ...['organizations_url', 'repos_url', 'received_events_url', 'following_url', 'gists_url'],
      ...['starred_url', 'events_url'],
    ].map((name) => [name, address]);
    const user = { login: 'x', id: 1, node_id: 'n', type: author, site_admin: false };
    const at = '2026-11-28T12:00:00Z';
    return {
      ...{ id, node_id: `n${id}`, url: address, html_url: address, issue_url: address, body },
      ...{ created_at: at, updated_at: at, author_association: 'NONE' },
      user: { ...user, gravatar_id: '', ...Object.fromEntries(links) },
    };
  }
}
