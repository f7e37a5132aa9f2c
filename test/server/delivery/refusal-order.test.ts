/** The order of checks: route and method -> API key -> Content-Type -> body size -> body -> query -> content. */
import { beforeAll, describe, it } from 'vitest';
import { type Environment, makeEnvironment } from '../../support/server/environment.js';
import { sharedServer } from '../../support/server/server.js';
import { expectRefusal } from '../../support/wire/refusal.js';

// Every request below fails the check it is named after and every later one as well.
const badKey = { 'x-api-key': 'nobody' };
const badType = { 'content-type': 'text/plain' };
const bigBody = 'x'.repeat(70_000);
const badBody = 'x';
const badQuery = '?responseType=xml';

const server = sharedServer();
let game: Environment;

beforeAll(async () => {
  game = await makeEnvironment(server);
});

describe('of two things wrong with a request, the earlier check answers', () => {
  it('unknown path before API key', async () => {
    const answer = await game.ask('POST', '/api/v1/nothing', bigBody, { ...badKey, ...badType });
    expectRefusal(answer, 404, 'not_found');
  });

  it('wrong method before API key', async () => {
    const answer = await game.ask('PUT', `/api/v1/config/none/dynamic${badQuery}`, bigBody, {
      ...badKey,
      ...badType,
    });
    expectRefusal(answer, 405, 'method_not_allowed');
  });

  it('API key before Content-Type', async () => {
    const answer = await game.ask('POST', `/api/v1/config/none/dynamic${badQuery}`, bigBody, {
      ...badKey,
      ...badType,
    });
    expectRefusal(answer, 401, 'invalid_api_key');
  });

  it('API key before Content-Type on the catalog', async () => {
    const answer = await game.catalog({ ...badKey, ...badType });
    expectRefusal(answer, 401, 'invalid_api_key');
  });

  it('Content-Type before body size', async () => {
    const answer = await game.ask(
      'POST',
      `/api/v1/config/none/dynamic${badQuery}`,
      bigBody,
      badType,
    );
    expectRefusal(answer, 400, 'invalid_content_type');
  });

  it('body size before body', async () => {
    const answer = await game.ask('POST', `/api/v1/config/none/dynamic${badQuery}`, bigBody);
    expectRefusal(answer, 413, 'body_too_large');
  });

  it('body before query, on the wrapped endpoint', async () => {
    const answer = await game.ask('POST', `/api/v1/config/none/dynamic${badQuery}`, badBody);
    expectRefusal(answer, 400, 'invalid_body');
  });

  it('body before query, on combine', async () => {
    const answer = await game.ask('POST', '/api/v1/combine?c=nothing', badBody);
    expectRefusal(answer, 400, 'invalid_body');
  });

  it('body before query, on refresh', async () => {
    const answer = await game.refresh({ have: 1 }, badQuery, { 'x-min-sequence': 'x' });
    expectRefusal(answer, 400, 'invalid_body');
  });

  it('two spellings of an id, which are in the body, before query, on refresh', async () => {
    const answer = await game.refresh({ ids: ['a', 'A'] }, badQuery, { 'x-min-sequence': 'x' });
    expectRefusal(answer, 400, 'invalid_body');
  });

  it('query before sequence, on refresh', async () => {
    const answer = await game.refresh({}, badQuery, { 'x-min-sequence': 'x' });
    expectRefusal(answer, 400, 'invalid_query');
  });

  it('query before content', async () => {
    const answer = await game.ask('POST', `/api/v1/config/none/dynamic${badQuery}`, '{}');
    expectRefusal(answer, 400, 'invalid_query');
  });

  it('body before content, on plain delivery', async () => {
    const answer = await game.ask('POST', '/api/v1/config/none', badBody);
    expectRefusal(answer, 400, 'invalid_body');
  });
});
