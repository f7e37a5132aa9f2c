/** Holds every answer that a test of the admin API gets against /openapi.json: what is not documented fails the test. */
import type { AdminApp } from '../../../src/management/api/context.js';
import { type Answered, OpenapiDocument } from '../../support/openapi.js';

/** By the routes there are: making one takes a good part of a second, and depends on nothing else. */
const byRoutes = new Map<string, Promise<OpenapiDocument>>();
const byApp = new WeakMap<AdminApp, Promise<OpenapiDocument>>();

/** Throws when the operation of the request is documented, and its document does not promise this answer. */
export async function expectDocumented(
  app: AdminApp,
  method: string,
  path: string,
  answer: Answered,
): Promise<void> {
  const known = byApp.get(app) ?? documentOf(app);
  byApp.set(app, known);
  const document = await known;
  const operation = document.findOperation(method, path);
  // Paths and methods that there are not are refused by what stands before all routes.
  if (operation !== null) document.expectDocumented(operation, answer);
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
