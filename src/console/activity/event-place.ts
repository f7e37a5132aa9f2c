/** Where in the console the thing of an event is, if it may still be there. */
import type { AuditEvent } from '../../contract/operations/audit.js';
import { pathOf } from '../parts/environments.js';

export interface KnownPlaces {
  /** Ids of the environments that there are. */
  readonly environments: ReadonlySet<string>;
  /** What the webhooks that there are go by, by their ids. */
  readonly webhooks: ReadonlyMap<string, string>;
}

/** Events of webhooks know them by their ids, which nobody remembers. */
export function nameOf(event: AuditEvent, thing: string, known: KnownPlaces): string {
  if (!event.action.startsWith('webhook.')) return thing;
  return known.webhooks.get(event.name) ?? thing;
}

/** Null: there is nothing to go to. A deleted content has its page: there it can be restored. */
export function placeOf(event: AuditEvent, known: KnownPlaces): string | null {
  const { action, environment, name } = event;
  const noun = action.split('.')[0];
  if (noun === 'webhook') return known.webhooks.has(name) ? `/webhooks/${name}` : null;
  if (!known.environments.has(environment)) return null;
  if (noun === 'content') return pathOf.content(environment, name);
  // That of a deleted segment is there, too, and brings it back.
  if (noun === 'segment') return pathOf.segment(environment, name, 'history');
  if (action === 'environment.sync' || action === 'environment.import') {
    return pathOf.contents(environment);
  }
  return noun === 'environment' || noun === 'key' ? pathOf.environment(environment) : null;
}
