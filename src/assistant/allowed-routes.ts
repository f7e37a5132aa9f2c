/**
 * What an assistant may ask the admin API, and with which members of a body: this list and nothing else (D124). Absent from it is
 * what publishes, approves, starts, schedules, deletes, and what gives keys, tokens, users or addresses of webhooks away.
 */
import type { KnownRoute } from '../contract/client.js';

/** They change nothing, whatever their method. */
export const readRoutes = [
  'GET /me',
  'GET /environments',
  'GET /environments/:env',
  'GET /environments/:env/attributes',
  'GET /environments/:env/calendar',
  'GET /environments/:env/contents',
  'GET /environments/:env/contents/:id',
  'GET /environments/:env/contents/:id/diff',
  'GET /environments/:env/contents/:id/envelope',
  'GET /environments/:env/contents/:id/revisions',
  'GET /environments/:env/contents/:id/revisions/:revision',
  'GET /environments/:env/experiments',
  'GET /environments/:env/experiments/:id',
  'GET /environments/:env/experiments/:id/results',
  'GET /environments/:env/layers',
  'GET /environments/:env/metrics',
  'GET /environments/:env/releases',
  'GET /environments/:env/releases/:release',
  'GET /environments/:env/releases/:release/timeline',
  'GET /environments/:env/releases/:release/warnings',
  'GET /environments/:env/search',
  'GET /environments/:env/segments',
  'GET /environments/:env/segments/:name',
  'GET /audit',
  'POST /environments/:env/envelope',
  'POST /environments/:env/evaluate',
  'POST /environments/:env/experiments/sample-size',
  'POST /environments/:env/preview',
  'POST /environments/:env/segments/test',
] as const satisfies readonly KnownRoute[];

type Body = Readonly<Record<string, unknown>>;

/** They save drafts. Each makes the body that is sent of the members that it permits; other members are left out. */
export const draftRoutes = {
  // Description, tags, schema and guards of a content item apply at once, so none is here.
  'PUT /environments/:env/contents/:id': (body: Body) => ({
    ...pick(body, [
      'text',
      'appVersion',
      'lines',
      'mapping',
      'flags',
      'note',
      'ifRevision',
      'dryRun',
    ]),
    publish: false,
  }),
  'PUT /environments/:env/segments/:name': (body: Body) => ({
    ...pick(body, ['when', 'note', 'contexts', 'dryRun']),
    publish: false,
  }),
  'POST /environments/:env/releases': (body: Body) =>
    pick(body, ['title', 'description', 'steps', 'brake']),
  'PATCH /environments/:env/releases/:release': (body: Body) =>
    pick(body, ['title', 'description', 'steps', 'brake', 'ifVersion']),
  // Saved revisions only: other changes delete a content item, or weaken an environment.
  'POST /environments/:env/releases/:release/changes': ({
    put = [],
    drop = [],
    ...body
  }: Body) => ({
    put: (put as readonly Body[]).filter(isSavedRevision).map(named),
    drop: (drop as readonly Body[]).filter(isOfItem).map(named),
    ...pick(body, ['ifVersion']),
  }),
  'POST /environments/:env/experiments': (body: Body) =>
    pick(body, [
      ...['id', 'content', 'segment', 'control', 'name', 'hypothesis', 'owner'],
      ...['primaryMetric', 'guardMetrics', 'plannedDays', 'smallestEffect'],
    ]),
} as const satisfies Partial<Record<KnownRoute, (body: Body) => Body>>;

export type ReadRoute = (typeof readRoutes)[number];
export type DraftRoute = keyof typeof draftRoutes;

const named = (change: Body): Body => pick(change, ['kind', 'id', 'name', 'revision']);

function isOfItem({ kind }: Body): boolean {
  return kind === 'content' || kind === 'segment';
}

/** A revision that is null deletes the content item. */
function isSavedRevision(change: Body): boolean {
  return isOfItem(change) && Number.isInteger(change['revision']);
}

function pick(body: Body, names: readonly string[]): Body {
  return Object.fromEntries(
    names.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]),
  );
}
