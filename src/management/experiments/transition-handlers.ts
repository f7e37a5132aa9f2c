/** What becomes of an experiment: each is one commit, since delivery counts from then on, or no longer. */
import {
  decideExperiment,
  startExperiment,
  stopExperiment,
} from '../../contract/operations/experiments/transitions.js';
import { Problem } from '../../contract/problems.js';
import { commit } from '../http/commit.js';
import { type Handler, handle, handleChange } from '../http/handlers.js';
import { findExperiment } from '../store/experiments/experiments.js';
import { decide, prepareDecision } from './decide.js';
import { experimentJson } from './experiment-json.js';
import { experimentUnknown } from './problems.js';
import { start, stop } from './transitions.js';

export const experimentTransitionHandlers: readonly Handler[] = [
  handleChange(startExperiment, async ({ params: { env, id } }, write) => {
    const found = await findExperiment(write.db, env, id);
    if (found === null) return experimentUnknown(env, id);
    const started = await start(write, found);
    return started instanceof Problem ? started : experimentJson(write.db, started);
  }),

  handleChange(stopExperiment, async ({ params: { env, id }, body: { note } }, write) => {
    const found = await findExperiment(write.db, env, id);
    if (found === null) return experimentUnknown(env, id);
    const stopped = await stop(write, found, note);
    return stopped instanceof Problem ? stopped : experimentJson(write.db, stopped);
  }),

  // The draft that the release takes is checked ahead of the transaction, as every save is.
  handle(decideExperiment, async ({ params: { env, id }, body, context, request }) => {
    const prepared = await prepareDecision(context, env, id, body);
    if (prepared instanceof Problem) return prepared;
    const { value, sequence } = await commit(context, request, (write) =>
      decide(write, context.checks, prepared, body),
    );
    return value instanceof Problem ? value : { ...value, sequence };
  }),
];
