/** Rejects paths and queries with U+0000 in them, whatever their schemas say: their values may be looked up in the store. */
import { Problem } from '../../contract/problems.js';
import { isStorable } from '../../contract/schemas/storable.js';
import type { AdminApp } from './context.js';
import { sendProblem } from './problem.js';

export function rejectUnstorable(app: AdminApp): void {
  app.addHook('preValidation', async (request, reply) => {
    const errors = [...unstorableNames(request.params), ...unstorableNames(request.query)].map(
      (path) => ({
        path,
        message: 'must not contain U+0000',
      }),
    );
    if (errors.length === 0) return undefined;
    const detail = 'The path or query of the request is not valid.';
    return sendProblem(reply, new Problem('invalid_request', detail, errors));
  });
}

function unstorableNames(values: unknown): string[] {
  const found: string[] = [];
  for (const [name, value] of Object.entries(values ?? {})) {
    // A parameter that is given twice is a list.
    const texts = [name, value].flat();
    if (!texts.every((text) => typeof text !== 'string' || isStorable(text))) found.push(name);
  }
  return found;
}
