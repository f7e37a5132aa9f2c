/** A release on its page: what happens next, what it changes, how it is ramped, and who has decided what. */
import { Anchor, Grid, Group, Stack, Text, Title } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Link } from 'wouter';
import type { Release } from '../../../contract/schemas/release.js';
import { pathOf } from '../../parts/environments.js';
import { Page } from '../../parts/page.js';
import { When } from '../../parts/time/when.js';
import { Waiting } from '../../parts/waiting.js';
import { StateBadge } from '../../releases/state-badge.js';
import { isEditable } from '../../releases/words/release-states.js';
import { BrakeCard } from '../plan/brake-card.js';
import { StepsCard } from '../plan/steps-card.js';
import { FindingsSection } from '../review/findings-section.js';
import { ReviewSection } from '../review/review-section.js';
import { ActionBar } from './action-bar.js';
import { EditTitle } from './edit-title.js';
import { RampPanel } from './ramp-panel.js';
import { ReachCard } from './reach-card.js';
import { ReleaseNotices } from './release-notices.js';
import { StageBar } from './stage-bar.js';
import { ReleaseTimeline } from './timeline.js';

const ChangesSection = lazy(async () => ({
  default: (await import('../changes/changes-section.js')).ChangesSection,
}));

const PreviewSection = lazy(async () => ({
  default: (await import('../preview/preview-section.js')).PreviewSection,
}));

export interface ReleasePageProps {
  readonly env: string;
  readonly release: Release;
}

export function ReleasePage({ env, release }: ReleasePageProps) {
  const { release: number, title, createdBy, createdAt, description, ramp } = release;
  return (
    <Page
      title={`#${number} ${title}`}
      heading={
        <Group gap="xs">
          <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
            #{number} {title}
          </Title>
          <StateBadge of={release} />
        </Group>
      }
      description={
        <Group gap={6}>
          <Anchor component={Link} href={pathOf.releases(env)} size="sm">
            Releases
          </Anchor>
          <span aria-hidden>·</span>
          <span>
            made by {createdBy} <When at={createdAt} span inherit />
          </span>
        </Group>
      }
      actions={<EditTitle env={env} release={release} />}
    >
      <StageBar release={release} />
      <ReleaseNotices env={env} release={release} />
      <ActionBar env={env} release={release} />
      {ramp !== null && <RampPanel release={release} ramp={ramp} />}
      {description !== '' && (
        <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
          {description}
        </Text>
      )}
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Stack gap="xl" miw={0}>
            <FindingsSection release={release} />
            <Suspense fallback={<Waiting label="Loading the changes" height={160} />}>
              <ChangesSection env={env} release={release} />
              {isEditable(release.state) && <PreviewSection env={env} release={release} />}
            </Suspense>
            <ReleaseTimeline env={env} release={release} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Stack gap="xl" miw={0}>
            <ReviewSection env={env} release={release} />
            <StepsCard env={env} release={release} />
            <BrakeCard env={env} release={release} />
            <ReachCard env={env} reach={release.reach} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}
