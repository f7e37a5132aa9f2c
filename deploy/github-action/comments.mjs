/** One comment of a pull request, which is made once and then updated, by GitHub's REST API. */
import { setTimeout as pause } from 'node:timers/promises';
import { ActionFailure } from './workflow.mjs';

const pageSize = 100;
const pagesMax = 50;
const triesMax = 4;
const waitMillisMax = 60_000;
const requestMillisMax = 30_000;

/**
 * Updates the comment of a bot that begins with the marker, or makes one.
 * @param repository owner/name
 * @param number of the pull request
 * @returns {Promise<'created' | 'updated' | 'unchanged'>}
 */
export async function writeComment(repository, number, marker, body) {
  const path = `/repos/${repository}/issues/${number}/comments`;
  const found = await findComment(path, marker);
  if (found === null) {
    await request('POST', path, { body });
    return 'created';
  }
  if (found.body === body) return 'unchanged';
  await request('PATCH', `/repos/${repository}/issues/comments/${found.id}`, { body });
  return 'updated';
}

/** A person can write the marker too: only a bot's comment is ours. */
async function findComment(path, marker) {
  for (let page = 1; page <= pagesMax; page += 1) {
    const comments = await request('GET', `${path}?per_page=${pageSize}&page=${page}`);
    const found = comments.find(
      ({ body, user }) => user?.type === 'Bot' && (body ?? '').startsWith(marker),
    );
    if (found !== undefined) return found;
    if (comments.length < pageSize) return null;
  }
  return null;
}

async function request(method, path, body) {
  const url = `${process.env.GITHUB_API_URL || 'https://api.github.com'}${path}`;
  for (let attempt = 1; ; attempt += 1) {
    const response = await send(method, url, body);
    if (response instanceof Error) {
      if (attempt < triesMax && method !== 'POST') await pause(500 * 2 ** attempt);
      else throw new ActionFailure(`GitHub cannot be reached: ${response.message}.`);
    } else if (response.ok) {
      return response.json();
    } else {
      const wait = waitFor(response, attempt, method);
      if (wait === null || attempt === triesMax) throw failure(response, await response.text());
      await pause(wait);
    }
  }
}

function send(method, url, body) {
  return fetch(url, {
    method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${process.env.GITHUB_TOKEN ?? ''}`,
      'content-type': 'application/json',
      'user-agent': 'loadout-action',
      'x-github-api-version': '2022-11-28',
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(requestMillisMax),
  }).catch((error) => error);
}

/** Milliseconds until another trial; null: none. A POST that failed may have made the comment: it is not sent again. */
function waitFor({ status, headers }, attempt, method) {
  const isLimited =
    status === 429 || (status === 403 && headers.get('x-ratelimit-remaining') === '0');
  if (isLimited || (status === 403 && headers.has('retry-after'))) {
    const seconds = Number(headers.get('retry-after') ?? 2 ** attempt);
    const millis = seconds * 1000;
    return millis <= waitMillisMax ? millis : null;
  }
  return status >= 500 && method !== 'POST' ? 500 * 2 ** attempt : null;
}

function failure({ status, headers }, text) {
  if (
    status === 403 &&
    headers.get('x-ratelimit-remaining') !== '0' &&
    !headers.has('retry-after')
  ) {
    return new ActionFailure(
      'GitHub does not let this job write comments (403): give it `permissions: pull-requests: write`.',
    );
  }
  if (status === 403 || status === 429) {
    return new ActionFailure(
      `GitHub limits the requests of this token (${status}): run the job again later.`,
    );
  }
  return new ActionFailure(`GitHub responds with ${status} to the comment.\n${text.slice(0, 300)}`);
}
