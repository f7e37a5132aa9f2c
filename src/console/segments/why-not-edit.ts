/** Why somebody may not change what is in an environment. */
import type { Environment } from '../generated/admin-client.js';

export function whyNotEdit(environment: Pick<Environment, 'protected'> | undefined): string {
  return environment?.protected === true
    ? 'Only owners may edit a protected environment.'
    : 'You are a viewer: you see everything and change nothing.';
}
