/** Every question there is, in the order in which they are asked. */
import type { Question } from './bench.js';
import { consoleQuestions } from './console/console.js';
import { results } from './experiments/results.js';
import { followers } from './fleet/followers.js';
import { tree } from './fleet/tree.js';
import { attacks } from './http/attacks.js';
import { coldVariants } from './http/cold-variants.js';
import { combine } from './http/combine.js';
import { events } from './http/events.js';
import { countedExperiments } from './http/experiments.js';
import { firstVariants } from './http/first-variants.js';
import { launchStorm } from './http/launch-storm.js';
import { listeners } from './http/listeners.js';
import { mixed } from './http/mixed.js';
import { ofrep } from './http/ofrep.js';
import { oneContent } from './http/one-content.js';
import { overload } from './http/overload.js';
import { ramp } from './http/ramp.js';
import { refresh } from './http/refresh.js';
import { rejected } from './http/rejected.js';
import { selections } from './http/selections.js';
import { soak } from './http/soak.js';
import { steady } from './http/steady.js';
import { tenThousandItems } from './http/ten-thousand-items.js';
import { keptTraffic } from './http/traffic.js';
import { worstRequests } from './http/worst-requests.js';
import { question as envelope } from './micro/envelope/question.js';
import { question as gzipTail } from './micro/gzip-tail/question.js';
import { question as index } from './micro/index/question.js';
import { microQuestions } from './micro/micro.js';
import { question as prepare } from './micro/prepare/question.js';
import { question as render } from './micro/render/question.js';
import { question as select } from './micro/select/question.js';
import { question as splice } from './micro/splice/question.js';
import { question as strip } from './micro/strip/question.js';
import { cohort } from './players/cohort.js';
import { search } from './search/search.js';
import { idle } from './streams/idle.js';
import { killedProcess } from './streams/killed-process.js';
import { many } from './streams/many.js';
import { precision } from './streams/precision.js';
import { wakes } from './streams/wakes.js';

/** Those of the names, which the catalogue has; a name that no question has is a mistake of ours. */
export function chosenQuestions(
  offered: readonly Question[],
  names: readonly string[],
): readonly Question[] {
  return names.map((name) => {
    const question = offered.find((each) => each.name === name);
    if (question === undefined) throw new Error(`catalogue.mjs lists ${name}; no question has it.`);
    return question;
  });
}

export const questions: readonly Question[] = [
  ...oneContent,
  ...combine,
  ...refresh,
  ...steady,
  ...ofrep,
  ...ramp,
  ...countedExperiments,
  ...keptTraffic,
  ...coldVariants,
  ...firstVariants,
  ...mixed,
  ...events,
  ...tenThousandItems,
  ...launchStorm,
  ...listeners,
  ...overload,
  ...rejected,
  ...worstRequests,
  ...selections,
  ...soak,
  ...attacks,
  ...consoleQuestions,
  ...followers,
  ...tree,
  ...results,
  ...cohort,
  ...search,
  ...idle,
  ...many,
  ...precision,
  ...wakes,
  ...killedProcess,
  ...microQuestions(strip),
  ...microQuestions(prepare),
  ...microQuestions(index),
  ...microQuestions(splice),
  ...microQuestions(envelope),
  ...microQuestions(select),
  ...microQuestions(render),
  ...microQuestions(gzipTail),
];
