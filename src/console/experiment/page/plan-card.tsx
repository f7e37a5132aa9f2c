/** The plan of an experiment: hypothesis, what decides, for how long, and how its players are assigned. */
import { Anchor, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { formatPart } from '../../../contract/results/effect-words.js';
import type { Experiment } from '../../../contract/schemas/experiment.js';
import { formatShare, sizeOf } from '../../mapping/buckets/bucket-ranges.js';
import { BucketStrip, describeVariants } from '../../mapping/buckets/bucket-strip.js';
import { Facts } from '../../parts/data/facts.js';
import { pathOf } from '../../parts/environments.js';

export interface PlanCardProps {
  readonly env: string;
  readonly experiment: Experiment;
}

export function PlanCard({ env, experiment }: PlanCardProps) {
  const { hypothesis, owner, primaryMetric, guardMetrics, plannedDays, smallestEffect } =
    experiment;
  const { content, segment, control, salt, layer, slice, variants } = experiment;
  const dimmed = (text: string): ReactNode => (
    <Text span size="sm" c="dimmed">
      {text}
    </Text>
  );
  return (
    <Stack gap="sm" component="section" aria-labelledby="plan-title">
      <Title order={2} size="h4" id="plan-title">
        Plan
      </Title>
      {hypothesis === '' ? (
        dimmed('No hypothesis is written down.')
      ) : (
        <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
          {hypothesis}
        </Text>
      )}
      <Facts
        facts={{
          Owner: owner === '' ? dimmed('no one') : owner,
          'Primary metric': primaryMetric ?? dimmed('not chosen'),
          Guards: guardMetrics.length === 0 ? dimmed('none') : guardMetrics.join(', '),
          'Smallest effect': formatPart(smallestEffect),
          Days: plannedDays,
          Control: control,
          Rule: (
            <>
              <Anchor
                component={Link}
                href={pathOf.content(env, content, 'mapping')}
                size="sm"
                underline="always"
              >
                {content}
              </Anchor>
              , {segment}
            </>
          ),
          Seed: salt === null ? dimmed('none') : <span className="mono">{salt}</span>,
          Layer:
            layer === null
              ? null
              : `${layer}${slice === null ? '' : `, ${formatShare(sizeOf([slice[0], slice[1]]))} of it`}`,
        }}
      />
      <BucketStrip
        variants={variants.map(({ name, groups }) => ({ name, groups }))}
        height={30}
        label={describeVariants(variants.map(({ name, groups }) => ({ name, groups })))}
      />
    </Stack>
  );
}
