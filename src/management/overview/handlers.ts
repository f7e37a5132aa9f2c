/** The overview of an environment: shown. */
import { strict as assert } from 'node:assert';
import { getOverview } from '../../contract/operations/overview.js';
import { type Handler, handle } from '../http/handlers.js';
import { environmentUnknown } from '../store/edit-environment.js';
import { findEnvironment } from '../store/environments.js';
import { readOverview } from './environment-overview.js';

export const overviewHandlers: readonly Handler[] = [
  handle(getOverview, async ({ params: { env }, user, context, request: { token } }) => {
    assert(token !== null, 'the operation names a role');
    const { store, leads, drift, now } = context;
    const facts = await store.read(async (db) => {
      const environment = await findEnvironment(db, env);
      if (environment === null) return null;
      return readOverview(db, environment, { user, token }, leads, now());
    });
    if (facts === null) return environmentUnknown(env);
    const found = await Promise.all(facts.directions.map((direction) => drift.find(direction)));
    return { ...facts.overview, drift: found.filter((one) => one !== null) };
  }),
];
