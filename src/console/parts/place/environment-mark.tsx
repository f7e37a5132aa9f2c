/** Stands before the name of an environment: its colour, and a lock if it is protected. */
import { IconCircleFilled, IconLock } from '../../icons/icons.js';
import { useEnvironment } from '../environments.js';
import { useEnvironmentColour } from '../guard.js';
import classes from './environment-mark.module.css';

export function EnvironmentMark({ env }: { readonly env: string }) {
  const isProtected = useEnvironment(env)?.protected === true;
  const colour = useEnvironmentColour(env) ?? undefined;
  const mark = { className: classes['mark'], 'data-environment-colour': colour };
  return isProtected ? (
    <IconLock size={16} role="img" aria-label="protected" {...mark} />
  ) : (
    <IconCircleFilled size={12} aria-hidden {...mark} />
  );
}
