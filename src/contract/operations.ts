/** All operations of the admin API by route. Types only: a client needs no schema when it runs. */
import type { Operation } from './operation.js';

type Modules =
  | typeof import('./operations/attributes.js')
  | typeof import('./operations/audit.js')
  | typeof import('./operations/backup.js')
  | typeof import('./operations/history/blame.js')
  | typeof import('./operations/calendar.js')
  | typeof import('./operations/contents/content-edits.js')
  | typeof import('./operations/history/content-history.js')
  | typeof import('./operations/content-save.js')
  | typeof import('./operations/contents.js')
  | typeof import('./operations/documents.js')
  | typeof import('./operations/envelope.js')
  | typeof import('./operations/environments.js')
  | typeof import('./operations/evaluate.js')
  | typeof import('./operations/experiments/experiments.js')
  | typeof import('./operations/experiments/interference.js')
  | typeof import('./operations/experiments/layers.js')
  | typeof import('./operations/experiments/metrics.js')
  | typeof import('./operations/experiments/results.js')
  | typeof import('./operations/experiments/transitions.js')
  | typeof import('./operations/health.js')
  | typeof import('./operations/health/changes.js')
  | typeof import('./operations/health/findings.js')
  | typeof import('./operations/health/history.js')
  | typeof import('./operations/health/rejections.js')
  | typeof import('./operations/keys.js')
  | typeof import('./operations/events.js')
  | typeof import('./operations/nodes.js')
  | typeof import('./operations/overview.js')
  | typeof import('./operations/players/cohort.js')
  | typeof import('./operations/players/lookup.js')
  | typeof import('./operations/preview.js')
  | typeof import('./operations/releases/releases.js')
  | typeof import('./operations/releases/reviews.js')
  | typeof import('./operations/releases/transitions.js')
  | typeof import('./operations/retention.js')
  | typeof import('./operations/sample-users.js')
  | typeof import('./operations/search/names.js')
  | typeof import('./operations/search/search-content.js')
  | typeof import('./operations/history/segment-history.js')
  | typeof import('./operations/segments.js')
  | typeof import('./operations/people/session.js')
  | typeof import('./operations/sync.js')
  | typeof import('./operations/tests.js')
  | typeof import('./operations/people/tokens.js')
  | typeof import('./operations/transfer.js')
  | typeof import('./operations/people/users.js')
  | typeof import('./operations/webhook-deliveries.js')
  | typeof import('./operations/webhooks.js');

type ExportsOf<Module> = Module extends unknown ? Module[keyof Module] : never;

export type Operations = {
  readonly [O in Extract<ExportsOf<Modules>, Operation> as O['route']]: O;
};
