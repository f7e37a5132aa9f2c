/** Whether the experiment is fair, before anything is said of its result: each check with a sentence. */
import { Group, Stack, Text, ThemeIcon, Title, Tooltip } from '@mantine/core';
import { formatPValue } from '../../../contract/results/effect-words.js';
import type {
  HealthCheck,
  HealthStatus,
  Results,
} from '../../../contract/schemas/experiment-results.js';
import { HealthBadge } from '../../experiments/health-badge.js';
import { healthColours, healthLabels } from '../../experiments/words/experiment-states.js';
import { IconAlertTriangle, IconCheck, IconMinus, IconX } from '../../icons/icons.js';
import { checkTitles, sortChecks } from '../words/health-words.js';
import classes from './health.module.css';

const icons: Readonly<Record<HealthStatus, typeof IconCheck>> = {
  ok: IconCheck,
  warning: IconAlertTriangle,
  broken: IconX,
  no_data: IconMinus,
};

export function HealthSection({ health }: Pick<Results, 'health'>) {
  return (
    <Stack gap="sm" component="section" aria-labelledby="health-title">
      <Group gap="xs">
        <Title order={2} size="h4" id="health-title">
          Health
        </Title>
        <HealthBadge status={health.status} />
      </Group>
      <ul className={classes['checks']}>
        {sortChecks(health.checks).map((check) => (
          <li key={check.name} data-wide={check.status === 'broken' || check.status === 'warning'}>
            <Check check={check} />
          </li>
        ))}
      </ul>
    </Stack>
  );
}

function Check({ check: { name, status, sentence, pValue } }: { readonly check: HealthCheck }) {
  const Icon = icons[status];
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <ThemeIcon
        size={22}
        radius="xl"
        variant="light"
        color={healthColours[status]}
        mt={1}
        role="img"
        aria-label={healthLabels[status]}
      >
        <Icon size={14} aria-hidden />
      </ThemeIcon>
      <div>
        <Text size="sm" fw={600}>
          {checkTitles[name]}
          {pValue !== null && (
            <Tooltip label="How often a fair split would look at least as uneven, looked at every day">
              <Text span size="xs" c="dimmed" fw={400}>
                {' '}
                <span className={classes['number']}>{formatPValue(pValue)}</span>
              </Text>
            </Tooltip>
          )}
        </Text>
        <Text size="sm">{sentence}</Text>
      </div>
    </Group>
  );
}
