/** The page of an event's subject, if it may still exist. */
import type { AuditEvent } from '../../contract/operations/audit.js';
import { pathOf } from '../parts/environments.js';

export interface KnownPlaces {
  /** Ids of the existing environments. */
  readonly environments: ReadonlySet<string>;
  /** Names of the existing webhooks, by id. */
  readonly webhooks: ReadonlyMap<string, string>;
}

/** Events know webhooks by their ids; people know them by their descriptions. */
export function nameOf(event: AuditEvent, thing: string, known: KnownPlaces): string {
  if (!event.action.startsWith('webhook.')) return thing;
  return known.webhooks.get(event.name) ?? thing;
}

/** Null: there is no page. A deleted content item has one, where it can be restored. */
export function placeOf(event: AuditEvent, known: KnownPlaces): string | null {
  const { action, environment, name } = event;
  const noun = action.split('.')[0];
  if (noun === 'webhook') return known.webhooks.has(name) ? `/webhooks/${name}` : null;
  if (!known.environments.has(environment)) return null;
  if (noun === 'content') return pathOf.content(environment, name);
  // The history of a deleted segment exists too, and can restore it.
  if (noun === 'release') return pathOf.release(environment, Number(name));
  if (noun === 'segment') return pathOf.segment(environment, name, 'history');
  if (action === 'environment.sync' || action === 'environment.import') {
    return pathOf.contents(environment);
  }
  return noun === 'environment' || noun === 'key' ? pathOf.environment(environment) : null;
}
