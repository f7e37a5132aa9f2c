/** Which path shows which screen. */
import { lazy, type ReactNode, useState } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { Boundary } from './parts/boundary.js';
import { StartScreen } from './shell/start-screen.js';
import { UnknownScreen } from './shell/unknown-screen.js';

interface LoadedScreen {
  (): ReactNode;
  /** Loads its code; whoever goes there after that sees it at once. */
  preload(): Promise<unknown>;
}

/**
 * Loaded when it is first gone to, or before. `lazy` alone shows its fallback for 300 ms even for code that is there
 * already: React holds back what follows a fallback.
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
    // The same for as long as it is shown, or it would begin anew.
    const [Shown] = useState(() => loaded ?? Lazy);
    return <Shown />;
  };
  return Object.assign(Screen, { preload });
}

const Environments = screen(
  () => import('./environments/environments-screen.js'),
  'EnvironmentsScreen',
);
const Environment = screen(
  () => import('./environments/environment-screen.js'),
  'EnvironmentScreen',
);
const Contents = screen(() => import('./contents/contents-screen.js'), 'ContentsScreen');
const Content = screen(() => import('./content/content-screen.js'), 'ContentScreen');
const Segments = screen(() => import('./segments/segments-screen.js'), 'SegmentsScreen');
const Segment = screen(() => import('./segments/segment-screen.js'), 'SegmentScreen');
const Groups = screen(() => import('./mapping/buckets/tests-screen.js'), 'TestsScreen');
const Sync = screen(() => import('./sync/sync-screen.js'), 'SyncScreen');
const Activity = screen(() => import('./activity/activity-screen.js'), 'ActivityScreen');
const Webhooks = screen(() => import('./webhooks/webhooks-screen.js'), 'WebhooksScreen');
const Webhook = screen(() => import('./webhooks/webhook-screen.js'), 'WebhookScreen');
const People = screen(() => import('./people/people-screen.js'), 'PeopleScreen');
const Health = screen(() => import('./health/health-screen.js'), 'HealthScreen');

/** Where nearly everybody goes next: loaded before they do, once the page has nothing else to do. */
export function preloadScreens(): void {
  const load = (): void => {
    // Without them now, they are loaded when they are gone to.
    void Promise.all([Contents.preload(), Content.preload()]).catch(() => {});
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
        <Route path="/environments" component={Environments} />
        <Route path="/environments/:env" component={Environment} />
        <Route path="/env/:env">
          {({ env }) => <Redirect to={`/env/${env}/contents`} replace />}
        </Route>
        <Route path="/env/:env/contents" component={Contents} />
        <Route path="/env/:env/contents/:id" component={Content} />
        <Route path="/env/:env/contents/:id/:tab" component={Content} />
        <Route path="/env/:env/segments" component={Segments} />
        <Route path="/env/:env/segments/:name" component={Segment} />
        <Route path="/env/:env/segments/:name/:tab" component={Segment} />
        <Route path="/env/:env/groups" component={Groups} />
        <Route path="/env/:env/sync" component={Sync} />
        <Route path="/activity" component={Activity} />
        <Route path="/webhooks" component={Webhooks} />
        <Route path="/webhooks/:id" component={Webhook} />
        <Route path="/people" component={People} />
        <Route path="/health" component={Health} />
        <Route component={UnknownScreen} />
      </Switch>
    </Boundary>
  );
}
