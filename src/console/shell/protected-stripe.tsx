/** Marks every screen of a protected environment below the header; the chip of each title says it in words. */
import { useEnvironment, useEnvironmentOfScreen } from '../parts/environments.js';
import classes from './protected-stripe.module.css';

export function ProtectedStripe() {
  const environment = useEnvironment(useEnvironmentOfScreen() ?? '');
  if (environment?.protected !== true) return null;
  return <div className={classes['stripe']} data-stripe={environment.id} aria-hidden="true" />;
}
