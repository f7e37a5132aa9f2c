/** Links between the screens about experiments: the list, the buckets that their tests use, and the metrics. */
import { Group } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { pathOf } from '../parts/environments.js';
import classes from './experiment-tabs.module.css';

export function ExperimentTabs({ env }: { readonly env: string }) {
  const [here] = useLocation();
  const tabs = [
    ['Experiments', pathOf.experiments(env)],
    ['Buckets', pathOf.groups(env)],
    ['Metrics', pathOf.metrics(env)],
  ] as const;
  return (
    <Group component="nav" aria-label="Experiments" gap={0} className={classes['tabs']}>
      {tabs.map(([label, path]) => (
        <Link
          key={path}
          href={path}
          className={classes['tab']}
          aria-current={here === path ? 'page' : undefined}
        >
          {label}
        </Link>
      ))}
    </Group>
  );
}
