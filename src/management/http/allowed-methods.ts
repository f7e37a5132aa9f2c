/** Responds 405 with `Allow` where a path is known and the method is not. */
import type { HTTPMethods } from 'fastify';
import { Problem } from '../../contract/problems.js';
import type { AdminApp } from './context.js';
import { sendProblem } from './problem.js';

const methods: readonly HTTPMethods[] = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
];

/**
 * Records the routes that are added after this call.
 * @returns to be called after the last one: adds the missing methods of every path
 */
export function trackMethods(app: AdminApp): () => void {
  const known = new Map<string, Set<HTTPMethods>>();
  let tracking = true;
  app.addHook('onRoute', ({ url, method }) => {
    if (!tracking) return;
    const ofUrl = known.get(url) ?? new Set();
    for (const one of Array.isArray(method) ? method : [method]) ofUrl.add(one);
    known.set(url, ofUrl);
  });
  return () => {
    tracking = false;
    for (const [url, own] of known) {
      const allowed = new Set(own);
      for (const [pattern, others] of known) {
        if (pattern !== url && covers(pattern, url)) for (const other of others) allowed.add(other);
      }
      const allow = [...allowed].sort().join(', ');
      const problem = new Problem('method_not_allowed', `This path takes ${allow}.`);
      app.route({
        url,
        method: methods.filter((method) => !allowed.has(method)),
        config: { otherMethods: true },
        // Before the body is read: nothing in it matters.
        onRequest: async (_request, reply) => sendProblem(reply.header('allow', allow), problem),
        handler: (_request, reply) => sendProblem(reply, problem),
      });
    }
  };
}

/** Whether the pattern takes what the path is: `/segments/test` must not hide a segment of the name `test`. */
function covers(pattern: string, url: string): boolean {
  const steps = url.split('/');
  const parts = pattern.split('/');
  return (
    parts.length === steps.length &&
    parts.every((part, index) => part === steps[index] || part.startsWith(':'))
  );
}
