/** Names the environment of a screen; a protected one also has a lock and a colour. */
import { VisuallyHidden } from '@mantine/core';
import { IconLock, IconStack2 } from '@tabler/icons-react';
import classes from './environment-chip.module.css';
import { useGuard } from './guard.js';

const iconSize = 13;

export function EnvironmentChip({ env }: { readonly env: string }) {
  const { name, isProtected } = useGuard(env);
  const Icon = isProtected ? IconLock : IconStack2;
  return (
    <span className={classes['chip']} data-protected={isProtected || undefined}>
      <Icon size={iconSize} aria-hidden />
      <VisuallyHidden>Environment </VisuallyHidden>
      <span className={classes['name']}>{name}</span>
      {isProtected && <VisuallyHidden>, protected</VisuallyHidden>}
    </span>
  );
}
