/** What was decided, why, and the release that carries it out. */
import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import type { ExperimentDecision } from '../../../contract/schemas/experiment.js';
import { Facts } from '../../parts/data/facts.js';
import { pathOf } from '../../parts/environments.js';
import { When } from '../../parts/time/when.js';
import { stateLabels } from '../../releases/words/release-states.js';

export interface DecisionCardProps {
  readonly env: string;
  readonly decision: ExperimentDecision;
  readonly decidedAt: string | null;
}

export function DecisionCard({ env, decision, decidedAt }: DecisionCardProps) {
  const { variant, note, by, release, releaseState } = decision;
  return (
    <Stack gap="sm" component="section" aria-labelledby="decision-title">
      <Title order={2} size="h4" id="decision-title">
        Decision
      </Title>
      <Facts
        facts={{
          Winner: variant ?? 'none, the rule goes',
          By: by,
          When: <When at={decidedAt} size="sm" />,
          Release:
            release === null ? null : (
              <>
                <Anchor component={Link} href={pathOf.release(env, release)} size="sm">
                  #{release}
                </Anchor>
                {releaseState !== null && `, ${stateLabels[releaseState].toLowerCase()}`}
              </>
            ),
        }}
      />
      {note !== '' && (
        <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
          “{note}”
        </Text>
      )}
    </Stack>
  );
}
