/** What is wrong with this server: listed. */
import { listFindings } from '../../../contract/operations/health/findings.js';
import { type Handler, handle } from '../../http/handlers.js';
import type { HealthFacts } from './facts.js';
import { findWrong, stateOf } from './find.js';

export function findingHandlers(facts: () => Promise<HealthFacts>): readonly Handler[] {
  return [
    handle(listFindings, async ({ user }) => {
      const all = findWrong(await facts());
      // Only they see webhooks at all.
      const isOwner = user.role === 'owner' && user.environments === null;
      const findings = isOwner ? all : all.filter(({ code }) => code !== 'webhooks_failing');
      return { state: stateOf(findings), findings };
    }),
  ];
}
