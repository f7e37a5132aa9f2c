/** The colour of the environment below the header, hatched where it is protected; the chip of each title says it in words. */
import { useEnvironment, useEnvironmentOfScreen } from '../parts/environments.js';
import { useEnvironmentColour } from '../parts/guard.js';
import classes from './environment-stripe.module.css';

export function EnvironmentStripe() {
  const environment = useEnvironment(useEnvironmentOfScreen() ?? '');
  const colour = useEnvironmentColour(environment?.id ?? '');
  if (environment === undefined) return null;
  return (
    <div
      className={classes['stripe']}
      data-protected={environment.protected || undefined}
      data-environment-colour={colour ?? undefined}
      data-stripe={environment.id}
      aria-hidden="true"
    />
  );
}
