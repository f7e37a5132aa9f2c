/** Sync: previewed or done. */
import { syncEnvironment } from '../../contract/operations/sync.js';
import { Problem } from '../../contract/problems.js';
import { confirmRequestOf } from '../guards/confirmation.js';
import { seesEnvironment } from '../http/auth/environment-scope.js';
import { commit } from '../http/commit.js';
import { type Handler, handle } from '../http/handlers.js';
import { environmentUnknown } from '../store/edit-environment.js';
import { previewSync, syncEnvironments } from '../transfer/sync-environments.js';

export const syncHandlers: readonly Handler[] = [
  handle(syncEnvironment, async ({ params, query, body, user, context, request }) => {
    const { from, ids, dryRun, plan, release } = body;
    const { store, checks } = context;
    // The environment of the path was checked with the token; this one is in the body.
    if (!seesEnvironment(user, from)) return environmentUnknown(from);
    const wish = { from, to: params.env, ids, release, ...confirmRequestOf(body, query) };
    const { value, sequence } = dryRun
      ? { value: await previewSync({ store, checks }, wish), sequence: await store.sequence() }
      : await syncEnvironments(
          { store, checks, commit: (work) => commit(context, request, work) },
          wish,
          plan ?? null,
        );
    if (value instanceof Problem) return value;
    // Without the serializer, which blocks the event loop for seconds with 10,000 contents.
    return Buffer.from(JSON.stringify({ ...value, dryRun, sequence }));
  }),
];
