/** Holds every answer that a test of the admin API gets against /openapi.json: what is not documented fails the test. */
import type { AdminApp } from '../../../src/management/api/context.js';
import { type Answered, OpenapiDocument } from '../../support/openapi.js';

/** By the routes there are: making one takes a good part of a second, and depends on nothing else. */
const byRoutes = new Map<string, OpenapiDocument>();
const byApp = new WeakMap<AdminApp, OpenapiDocument>();

/** Throws when the operation of the request is documented, and its document does not promise this answer. */
export function expectDocumented(
  app: AdminApp,
  method: string,
  path: string,
  answer: Answered,
): void {
  const document = byApp.get(app) ?? documentOf(app);
  byApp.set(app, document);
  const operation = document.findOperation(method, path);
  // Paths and methods that there are not are refused by what stands before all routes.
  if (operation !== null) document.expectDocumented(operation, answer);
}

function documentOf(app: AdminApp): OpenapiDocument {
  const routes = app.printRoutes();
  const known = byRoutes.get(routes) ?? new OpenapiDocument(app.swagger());
  byRoutes.set(routes, known);
  return known;
}
