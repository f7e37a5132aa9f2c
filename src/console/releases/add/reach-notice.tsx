/** Says that a ramp reaches what the screen shows, or that a release waits to change it. */
import { Alert, Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { IconRocket } from '../../icons/icons.js';
import { pathOf } from '../../parts/environments.js';
import { useReachingRelease } from '../release-queries.js';
import { StateBadge } from '../state-badge.js';

export interface ReachNoticeProps {
  readonly env: string;
  readonly kind: 'content' | 'segment';
  /** Id or name. */
  readonly name: string;
}

export function ReachNotice({ env, kind, name }: ReachNoticeProps) {
  const release = useReachingRelease(env, kind, name);
  if (release === null) return null;
  return (
    <Alert color="gray" variant="light" p="xs" icon={<IconRocket aria-hidden />}>
      <Text size="sm" component="div">
        <Anchor component={Link} href={pathOf.release(env, release.release)} size="sm">
          #{release.release} {release.title}
        </Anchor>{' '}
        <StateBadge of={release} size="sm" /> reaches this {kind === 'content' ? 'item' : 'segment'}
        : it cannot be published before the release is live or stopped. Drafts can be saved.
      </Text>
    </Alert>
  );
}
