/** Sees to it that every route of the admin API says who may call it, and that its documents show it. */
import { strict as assert } from 'node:assert';
import type { AdminApp } from '../context.js';

/**
 * Stops the start of a server that has a route below `/admin/` without a role: left out by mistake, it would be open to
 * everybody. Watches the routes that are added from now on.
 */
export function requireRoles(app: AdminApp): void {
  app.addHook('onRoute', ({ url, method, config, schema }) => {
    if (!url.startsWith('/admin/') || config?.refusesMethod === true) return;
    const isGuarded = config?.role !== undefined || config?.signsIn === true;
    assert(isGuarded, `${method} ${url} names no role`);
    assert(schema?.hide !== true, `${method} ${url} is hidden from the documents`);
  });
}
