/** Finding things in an environment: names, and text in content. */
import { listNames } from '../../contract/operations/search/names.js';
import { searchContent } from '../../contract/operations/search/search-content.js';
import { Problem } from '../../contract/problems.js';
import { rawList } from '../http/body/raw-json.js';
import { goneSignal } from '../http/gone-signal.js';
import { type Handler, handle } from '../http/handlers.js';
import { Turns } from '../jobs/turns.js';
import { searchesAtOnceMax, searchesWaitingMax, searchWaitMsMax } from '../limits/experiments.js';
import { environmentUnknown } from '../store/edit-environment.js';
import { searchContent as search } from './content-search.js';
import { decodeCursor, searchBegin } from './search-cursor.js';

/** Handlers that share the turns of searches. */
export function searchHandlers(): readonly Handler[] {
  const turns = new Turns({
    atOnceMax: searchesAtOnceMax,
    waitingMax: searchesWaitingMax,
    waitMsMax: searchWaitMsMax,
  });
  return [
    handle(listNames, async ({ params: { env }, context }) => {
      const found = await context.names.list(env);
      if (found === null) return environmentUnknown(env);
      const { contents, ...others } = found;
      return rawList({ ...others }, 'contents', contents);
    }),

    handle(searchContent, async ({ params: { env }, query, context, reply }) => {
      const { q, after, limit } = query;
      const begin = after === undefined ? searchBegin : decodeCursor(after);
      if (begin === null) return new Problem('invalid_request', 'after: no search has given it.');
      const signal = goneSignal(reply);
      const request = { environment: env, query: q, begin, limit, signal };
      const found = await turns.run(
        async () => (await search(context.store, context.work, request)) ?? environmentUnknown(env),
        signal,
      );
      return found ?? new Problem('overloaded', 'Too many searches are under way; try again soon.');
    }),
  ];
}
