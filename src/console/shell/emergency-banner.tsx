/** For a day after an owner went live without approvals: all screens of the environment say so. */
import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { IconAlertTriangle } from '../icons/icons.js';
import { pathOf, useEnvironment, useEnvironmentOfScreen } from '../parts/environments.js';
import { When } from '../parts/time/when.js';
import { TitledAlert } from '../parts/titled-alert.js';

export function EmergencyBanner() {
  const environment = useEnvironment(useEnvironmentOfScreen() ?? '');
  const emergency = environment?.emergency ?? null;
  if (environment === undefined || emergency === null) return null;
  const { release, by, at, reason } = emergency;
  return (
    <TitledAlert
      color="red"
      mb="md"
      icon={<IconAlertTriangle aria-hidden />}
      title={`${by} changed ${environment.name} without approval`}
    >
      <Anchor component={Link} href={pathOf.release(environment.id, release)} size="sm">
        Release #{release}
      </Anchor>
      , <When at={at} span inherit />: {reason}
    </TitledAlert>
  );
}
