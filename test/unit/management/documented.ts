/**
 * Holds every response that a test of the admin API gets against /openapi.json, and every mapping and condition that the
 * API accepts: what is not documented fails the test.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import type { AdminApp } from '../../../src/management/http/context.js';
import {
  type Answered,
  OpenapiDocument,
  type Schema,
} from '../../support/specification/openapi.js';

/** By the routes there are: making one takes a good part of a second, and depends on nothing else. */
const byRoutes = new Map<string, Promise<OpenapiDocument>>();
const byApp = new WeakMap<AdminApp, Promise<OpenapiDocument>>();

/**
 * Throws when the operation of the request is documented, and its document does not promise this answer, or refuses a
 * component of a body that the server took.
 */
export async function expectDocumented(
  app: AdminApp,
  method: string,
  path: string,
  answer: Answered,
  body?: unknown,
): Promise<void> {
  const known = byApp.get(app) ?? documentOf(app);
  byApp.set(app, known);
  const document = await known;
  const operation = document.findOperation(method, path);
  // Paths and methods that there are not are refused by what stands before all routes.
  if (operation === null) return;
  document.expectDocumented(operation, answer);
  if (answer.status >= 300 || typeof body !== 'object' || body === null) return;
  const sent = JSON.parse(JSON.stringify(body));
  for (const [name, { $ref }] of Object.entries<Schema>(operation.bodySchema?.properties ?? {})) {
    if ($ref === undefined || sent[name] === undefined) continue;
    const validate = validatorOf(document, $ref);
    expect(validate(sent[name]), `${operation.id} ${JSON.stringify(sent[name])}`).toBe(true);
  }
}

const validators = new WeakMap<OpenapiDocument, Map<string, ValidateFunction>>();

/** Of a component, as it stands: mappings and conditions say themselves which members there are. */
function validatorOf(document: OpenapiDocument, reference: string): ValidateFunction {
  const known = validators.get(document) ?? new Map<string, ValidateFunction>();
  validators.set(document, known);
  let validate = known.get(reference);
  if (validate === undefined) {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ components: document.json.components }, 'document');
    validate = ajv.compile({ $ref: `document${reference}` });
    known.set(reference, validate);
  }
  return validate;
}

function documentOf(app: AdminApp): Promise<OpenapiDocument> {
  const routes = app.printRoutes();
  const known = byRoutes.get(routes) ?? readDocument(app);
  byRoutes.set(routes, known);
  return known;
}

async function readDocument(app: AdminApp): Promise<OpenapiDocument> {
  return new OpenapiDocument((await app.inject('/openapi.json')).json());
}
