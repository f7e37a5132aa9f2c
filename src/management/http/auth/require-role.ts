/** Checks that every route of the admin API says who may call it. */
import { strict as assert } from 'node:assert';
import type { AdminApp } from '../context.js';

/**
 * Stops the start of a server that has a route below `/admin/` without a role: left out by mistake, it would be open to
 * every client. Watches the routes that are added after this call.
 */
export function requireRoles(app: AdminApp): void {
  app.addHook('onRoute', ({ url, method, config }) => {
    if (!url.startsWith('/admin/') || config?.otherMethods === true) return;
    const isGuarded = config?.role !== undefined || config?.signsIn === true;
    assert(isGuarded, `${method} ${url} names no role`);
  });
}
