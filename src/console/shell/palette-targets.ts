/** Where the palette can go beside what there is in an environment: pages, and other environments. */
import { useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { Target } from '../palette/entry.js';
import { pathOf, useEnvironmentOfScreen, useEnvironments } from '../parts/environments.js';
import { useSession } from '../session/session.js';
import { lastEnvironment } from './last-environment.js';
import { ofEnvironment, ofServer } from './navigation.js';
import { sameScreenIn } from './same-screen.js';

export interface PaletteTargets {
  /** Of the screen, or else the one that was viewed last; null: there is none, or its names are not for the role. */
  readonly env: string | null;
  readonly targets: readonly Target[];
}

export function usePaletteTargets(): PaletteTargets {
  const [path] = useLocation();
  const search = useSearch();
  const ofScreen = useEnvironmentOfScreen();
  const { data: environments } = useEnvironments();
  const { role } = useSession();
  return useMemo(() => {
    const known = environments ?? [];
    const last = known.find(({ id }) => id === lastEnvironment()) ?? known[0];
    const env = ofScreen ?? last?.id ?? null;
    const nameOf = (id: string): string => known.find((one) => one.id === id)?.name ?? id;
    const page = (name: string, to: string, detail = ''): Target => {
      return { kind: 'page', name, detail, path: to };
    };
    const ofEnv = env === null ? [] : ofEnvironment(env, role);
    const more =
      env === null || role === 'support'
        ? []
        : [
            page('Search texts', pathOf.search(env, ''), nameOf(env)),
            page('Keys and settings', pathOf.environment(env), nameOf(env)),
            page('New experiment', pathOf.newExperiment(env), nameOf(env)),
            page('Metrics', pathOf.metrics(env), nameOf(env)),
            page('Buckets', pathOf.groups(env), nameOf(env)),
          ];
    const listOf = role === 'support' ? pathOf.players : pathOf.contents;
    const others = known
      .filter(({ id }) => id !== ofScreen)
      .map(({ id, name }): Target => {
        const to = ofScreen === null ? listOf(id) : sameScreenIn(id, path, search);
        return { kind: 'environment', name, detail: `Open in ${name}`, path: to };
      });
    const pages = ofEnv.map(([name, to]) => page(name, to, nameOf(env ?? '')));
    const server = ofServer(role).map(([name, to]) => page(name, to));
    // The role support may not ask what there is in an environment.
    return {
      env: role === 'support' ? null : env,
      targets: [...pages, ...more, ...server, ...others],
    };
  }, [environments, ofScreen, path, role, search]);
}
