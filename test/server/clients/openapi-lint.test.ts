/** The OpenAPI documents of a real server, as linters and generators read them: nothing to remark, and no `default` to trip over. */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { describe, expect, it } from 'vitest';
import { sharedServer } from '../../support/server/server.js';
import { fetchDocument } from '../../support/specification/admin-operations.js';
import type { Schema } from '../../support/specification/openapi.js';

const server = sharedServer();

describe.each(['/openapi.json', '/openapi-delivery.json'])('%s', (path) => {
  it('has no error and no warning by the recommended rules of redocly', async () => {
    const { json } = await fetchDocument(server, path);
    const config = await createConfig({ extends: ['recommended'] });
    const source = JSON.stringify(json, null, 2);
    const problems = await lintFromString({ source, absoluteRef: `${path}.json`, config });
    expect(
      problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
    ).toEqual([]);
  });

  it('has no error and no warning by spectral:oas', async () => {
    const { json } = await fetchDocument(server, path);
    const spectral = new spectralCore.Spectral();
    spectral.setRuleset({ extends: oas as unknown as RulesetDefinition });
    const results = await spectral.run(json);
    expect(results.map(({ code, message, path: at }) => [code, message, at.join('/')])).toEqual([]);
  });

  it('says what is left out in words: a field with a default is one that generated clients must send', async () => {
    const { json, operations } = await fetchDocument(server, path);
    const taken = operations.flatMap(({ id, parameters, bodySchema }) => [
      ...parameters.map(({ name, schema }) => [`${id} ${name}`, schema] as const),
      ...(bodySchema === undefined ? [] : ([[`${id} body`, bodySchema]] as const)),
    ]);
    const components = Object.entries<Schema>(json.components.schemas);
    expect(taken.length).toBeGreaterThan(10);
    const places = [...taken, ...components].flatMap(([name, schema]) => defaultsIn(schema, name));
    expect(places).toEqual([]);
  });
});

it('the admin document says each of them in words', async () => {
  const { operations } = await fetchDocument(server, '/openapi.json');
  const by = (id: string) => operations.find((operation) => operation.id === id);
  const limit = by('listContents')?.parameters.find(({ name }) => name === 'limit');
  expect(limit?.description).toMatch(/ Left out, it is `10000`\.$/);
  const { enabled, environments } = by('createWebhook')?.bodySchema.properties ?? {};
  expect(enabled.description).toMatch(/ Left out, it is `true`\.$/);
  expect(environments.description).toMatch(/ Left out, it is `null`\.$/);
});

/** Where a schema has the keyword `default`; a property of that name is none. */
function defaultsIn(value: unknown, at: string, areNames = false): string[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => defaultsIn(item, `${at}/${index}`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'default' && !areNames) return [at];
    return defaultsIn(inner, `${at}/${key}`, key === 'properties' && !areNames);
  });
}
