/** Which path shows which screen. */
import { lazy, type ReactNode, useState } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { Boundary } from './parts/boundary.js';
import { StartScreen } from './shell/start-screen.js';
import { UnknownScreen } from './shell/unknown-screen.js';

interface LoadedScreen {
  (): ReactNode;
  /** Loads its code, so that the screen then appears at once. */
  preload(): Promise<unknown>;
}

/**
 * A screen whose code is loaded when it is first shown, or before. `lazy` alone shows its fallback for 300 ms even if
 * the code is loaded: React delays what follows a fallback.
 */
function screen<Name extends string>(
  load: () => Promise<{ readonly [name in Name]: () => ReactNode }>,
  name: Name,
): LoadedScreen {
  let loaded: (() => ReactNode) | null = null;
  const preload = async () => {
    loaded = (await load())[name];
    return { default: loaded };
  };
  const Lazy = lazy(preload);
  const Screen = (): ReactNode => {
    // Stays the same while it is shown: another component would start with fresh state.
    const [Shown] = useState(() => loaded ?? Lazy);
    return <Shown />;
  };
  return Object.assign(Screen, { preload });
}

const Overview = screen(() => import('./overview/overview-screen.js'), 'OverviewScreen');
const Contents = screen(() => import('./contents/contents-screen.js'), 'ContentsScreen');
const Content = screen(() => import('./content/content-screen.js'), 'ContentScreen');

const screens: Readonly<Record<string, LoadedScreen>> = {
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
  '/env/:env/players': screen(() => import('./players/incident-mount.js'), 'IncidentMount'),
  '/env/:env/calendar': screen(() => import('./calendar/calendar-screen.js'), 'CalendarScreen'),
  '/env/:env/search': screen(() => import('./search/search-screen.js'), 'SearchScreen'),
  '/env/:env/sync': screen(() => import('./sync/sync-screen.js'), 'SyncScreen'),
  '/activity': screen(() => import('./activity/activity-screen.js'), 'ActivityScreen'),
  '/webhooks': screen(() => import('./webhooks/webhooks-screen.js'), 'WebhooksScreen'),
  '/webhooks/:id': screen(() => import('./webhooks/webhook-screen.js'), 'WebhookScreen'),
  '/people': screen(() => import('./people/people-screen.js'), 'PeopleScreen'),
  '/health': screen(() => import('./health/health-screen.js'), 'HealthScreen'),
};

/** Loads the screens that most people open next, once the page is idle. */
export function preloadScreens(): void {
  const load = (): void => {
    // After a failure they are loaded when they are shown.
    void Promise.all([Overview.preload(), Contents.preload(), Content.preload()]).catch(() => {});
  };
  if (typeof requestIdleCallback === 'function') requestIdleCallback(load, { timeout: 3_000 });
  else setTimeout(load, 1_000);
}

export function Screens() {
  const [path] = useLocation();
  return (
    <Boundary resetOn={path}>
      <Switch>
        <Route path="/" component={StartScreen} />
        {Object.entries(screens).map(([pattern, component]) => (
          <Route key={pattern} path={pattern} component={component} />
        ))}
        <Route component={UnknownScreen} />
      </Switch>
    </Boundary>
  );
}
