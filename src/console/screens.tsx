/** Which path shows which screen. */
import type { ReactNode } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { Boundary } from './parts/boundary.js';
import { type LoadedLater, loadedLater, preloadWhenIdle } from './parts/navigation/loaded-later.js';
import { useSession } from './session/session.js';
import { PlayersOnlyScreen } from './shell/players-only-screen.js';
import { StartScreen } from './shell/start-screen.js';
import { UnknownScreen } from './shell/unknown-screen.js';

function screen<Name extends string>(
  load: () => Promise<{ readonly [name in Name]: () => ReactNode }>,
  name: Name,
): LoadedLater<object> {
  return loadedLater(async () => (await load())[name]);
}

const Overview = screen(() => import('./overview/overview-screen.js'), 'OverviewScreen');
const Contents = screen(() => import('./contents/contents-screen.js'), 'ContentsScreen');
const Content = screen(() => import('./content/content-screen.js'), 'ContentScreen');

/** The only screen that the role support may see. */
const playersPath = '/env/:env/players/:tab?';

const screens: Readonly<Record<string, LoadedLater<object>>> = {
  '/environments': screen(
    () => import('./environments/environments-screen.js'),
    'EnvironmentsScreen',
  ),
  '/environments/:env': screen(
    () => import('./environments/environment-screen.js'),
    'EnvironmentScreen',
  ),
  '/env/:env': Overview,
  '/env/:env/contents': Contents,
  '/env/:env/contents/:id/:tab?': Content,
  '/env/:env/segments': screen(() => import('./segments/segments-screen.js'), 'SegmentsScreen'),
  '/env/:env/segments/:name/:tab?': screen(
    () => import('./segments/segment-screen.js'),
    'SegmentScreen',
  ),
  '/env/:env/groups': screen(() => import('./mapping/buckets/tests-screen.js'), 'TestsScreen'),
  '/env/:env/experiments': screen(
    () => import('./experiments/experiments-screen.js'),
    'ExperimentsScreen',
  ),
  '/env/:env/experiments/:id': screen(
    () => import('./experiment/experiment-screen.js'),
    'ExperimentScreen',
  ),
  '/env/:env/new-experiment': screen(
    () => import('./experiment/setup/new-experiment-screen.js'),
    'NewExperimentScreen',
  ),
  '/env/:env/metrics': screen(
    () => import('./experiments/metrics/metrics-screen.js'),
    'MetricsScreen',
  ),
  '/env/:env/releases': screen(() => import('./releases/releases-screen.js'), 'ReleasesScreen'),
  '/env/:env/releases/:release': screen(
    () => import('./release/release-screen.js'),
    'ReleaseScreen',
  ),
  [playersPath]: screen(() => import('./players/players-screen.js'), 'PlayersScreen'),
  '/env/:env/calendar': screen(() => import('./calendar/calendar-screen.js'), 'CalendarScreen'),
  '/env/:env/search': screen(() => import('./search/search-screen.js'), 'SearchScreen'),
  '/env/:env/sync': screen(() => import('./sync/sync-screen.js'), 'SyncScreen'),
  '/activity': screen(() => import('./activity/activity-screen.js'), 'ActivityScreen'),
  '/webhooks': screen(() => import('./webhooks/webhooks-screen.js'), 'WebhooksScreen'),
  '/webhooks/:id': screen(() => import('./webhooks/webhook-screen.js'), 'WebhookScreen'),
  '/people': screen(() => import('./people/people-screen.js'), 'PeopleScreen'),
  '/health': screen(() => import('./health/health-screen.js'), 'HealthScreen'),
};

export function preloadScreens(): void {
  preloadWhenIdle(Overview, Contents, Content);
}

export function Screens() {
  const [path] = useLocation();
  const isSupport = useSession().role === 'support';
  const shown = Object.entries(screens).filter(
    ([pattern]) => !isSupport || pattern === playersPath,
  );
  return (
    <Boundary resetOn={path}>
      <Switch>
        <Route path="/" component={StartScreen} />
        {shown.map(([pattern, component]) => (
          <Route key={pattern} path={pattern} component={component} />
        ))}
        <Route component={isSupport ? PlayersOnlyScreen : UnknownScreen} />
      </Switch>
    </Boundary>
  );
}
