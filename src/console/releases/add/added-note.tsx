/** Says into which release a change went, with a link to it. */
import { Anchor, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Link } from 'wouter';
import type { Release } from '../../../contract/schemas/release.js';
import { pathOf } from '../../parts/environments.js';

const shownMs = 8_000;

export function notifyAdded(
  env: string,
  what: string,
  { release, title }: Pick<Release, 'release' | 'title'>,
): void {
  notifications.show({
    message: (
      <Text size="sm">
        Added {what} to{' '}
        <Anchor component={Link} href={pathOf.release(env, release)} size="sm">
          #{release} {title}
        </Anchor>
        .
      </Text>
    ),
    color: 'teal',
    autoClose: shownMs,
  });
}
