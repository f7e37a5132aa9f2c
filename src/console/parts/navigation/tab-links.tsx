/** Links between screens that belong together, looking like tabs. */
import { Group } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import classes from './tab-links.module.css';

export interface TabLinksProps {
  /** Names the navigation to screen readers. */
  readonly label: string;
  readonly tabs: readonly (readonly [label: string, path: string])[];
}

export function TabLinks({ label, tabs }: TabLinksProps) {
  const [here] = useLocation();
  return (
    <Group component="nav" aria-label={label} gap={0} className={classes['tabs']}>
      {tabs.map(([name, path]) => (
        <Link
          key={path}
          href={path}
          className={classes['tab']}
          aria-current={here === path ? 'page' : undefined}
        >
          {name}
        </Link>
      ))}
    </Group>
  );
}
