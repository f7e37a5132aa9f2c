/** Names an environment, in its colour; a protected one also has a lock. */
import { VisuallyHidden } from '@mantine/core';
import { IconLock, IconStack2 } from '../../icons/icons.js';
import { useEnvironmentColour, useGuard } from '../guard.js';
import classes from './environment-chip.module.css';

const iconSize = 13;

export function EnvironmentChip({ env }: { readonly env: string }) {
  const { name, isProtected } = useGuard(env);
  const colour = useEnvironmentColour(env);
  const Icon = isProtected ? IconLock : IconStack2;
  return (
    <span
      className={classes['chip']}
      data-protected={isProtected || undefined}
      data-environment={env}
      data-environment-colour={colour ?? undefined}
    >
      <Icon size={iconSize} aria-hidden />
      <VisuallyHidden>Environment </VisuallyHidden>
      <span className={classes['name']}>{name}</span>
      {isProtected && <VisuallyHidden>, protected</VisuallyHidden>}
    </span>
  );
}
