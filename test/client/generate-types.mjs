/**
 * Writes the types that `openapi-typescript` makes of an OpenAPI document, for `openapi-fetch`.
 * `node generate-types.mjs <document.json> <types.ts>`
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';

// It works on the syntax trees of TypeScript 5, which 7 does not have; another generator here brings one.
const require = createRequire(createRequire(import.meta.url).resolve('oazapfts'));
const typescript = pathToFileURL(require.resolve('typescript')).href;
const hook = `export const resolve = (specifier, context, next) => specifier === 'typescript'
  ? { url: ${JSON.stringify(typescript)}, format: 'commonjs', shortCircuit: true }
  : next(specifier, context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);

const { default: openapiTypes, astToString } = await import('openapi-typescript');
const [, , document = '', types = ''] = process.argv;
writeFileSync(types, astToString(await openapiTypes(JSON.parse(readFileSync(document, 'utf8')))));
