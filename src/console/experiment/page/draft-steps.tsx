/** What is still to do before an experiment is started, and what the game has to send. */
import { Anchor, List, Stack, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import type { Experiment } from '../../../contract/schemas/experiment.js';
import { pathOf } from '../../parts/environments.js';

export interface DraftStepsProps {
  readonly env: string;
  readonly experiment: Experiment;
}

export function DraftSteps({ env, experiment }: DraftStepsProps) {
  const { content, segment, primaryMetric } = experiment;
  return (
    <Stack gap="sm" component="section" aria-labelledby="before-title">
      <Title order={2} size="h4" id="before-title">
        Before you start
      </Title>
      <List size="sm" spacing={6} type="ordered">
        <List.Item>
          The rule <strong>{segment}</strong> of{' '}
          <Anchor
            component={Link}
            href={pathOf.content(env, content, 'mapping')}
            size="sm"
            underline="always"
          >
            {content}
          </Anchor>{' '}
          has to be live: players already get their variant.
        </List.Item>
        <List.Item>
          {primaryMetric === null ? (
            <>
              Choose a primary metric in the plan, or{' '}
              <Anchor component={Link} href={pathOf.metrics(env)} size="sm" underline="always">
                define one
              </Anchor>
              .
            </>
          ) : (
            <>
              The game has to send the events that <strong>{primaryMetric}</strong> counts.
            </>
          )}
        </List.Item>
        <List.Item>
          The game has to report when a player sees {content}: the client kits do so with one call.
        </List.Item>
      </List>
      <Text size="sm" c="dimmed">
        Results appear here a minute after the first exposure.
      </Text>
    </Stack>
  );
}
