/** The releases that wait for the user's approval: how many, and which. */
import { ActionIcon, Indicator, Menu, Text } from '@mantine/core';
import { Link } from 'wouter';
import { IconBell } from '../icons/icons.js';
import { counted } from '../parts/counted.js';
import { pathOf, useEnvironments } from '../parts/environments.js';
import { timeAgo } from '../parts/time/time-ago.js';
import { useReviews } from './release-queries.js';

const shownMax = 20;

export function ReviewsBell() {
  const { data: releases = [] } = useReviews();
  const { data: environments = [] } = useEnvironments();
  const nameOf = (env: string): string => environments.find(({ id }) => id === env)?.name ?? env;
  const count = releases.length;
  return (
    <Menu position="bottom-end" withArrow width={320}>
      <Indicator
        label={count > 99 ? '99+' : count}
        size={16}
        offset={6}
        color="red"
        disabled={count === 0}
      >
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={
              count === 0
                ? 'Reviews: none waits for you'
                : `Reviews: ${counted(count, 'release')} to approve`
            }
          >
            <IconBell size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
      </Indicator>
      <Menu.Dropdown>
        <Menu.Label>{count === 0 ? 'No release waits for you' : 'Waiting for you'}</Menu.Label>
        {releases
          .slice(0, shownMax)
          .map(({ environment, release, title, createdBy, updatedAt }) => (
            <Menu.Item
              key={`${environment} ${release}`}
              component={Link}
              href={pathOf.release(environment, release)}
            >
              <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                #{release} {title}
              </Text>
              <Text size="xs">
                {nameOf(environment)} · by {createdBy}, {timeAgo(updatedAt, Date.now())}
              </Text>
            </Menu.Item>
          ))}
        {count > shownMax && <Menu.Label>and {count - shownMax} more</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  );
}
