/** Where else a missing segment exists, and how its condition gets here. */
import { Anchor, Button, Group, List, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { pathOf, useOtherEnvironments } from '../parts/environments.js';
import { useReadOnlyReason } from '../session/edit-rights.js';
import { useSession } from '../session/session.js';
import { fetchSegment, segmentKeys } from './segment-api.js';
import { startSegment } from './segment-draft.js';

export function CopySegmentHere({ env, name }: { readonly env: string; readonly name: string }) {
  const [, go] = useLocation();
  const { id: user } = useSession();
  const isReadOnly = useReadOnlyReason() !== null;
  const others = useOtherEnvironments(env);
  const found = useQueries({
    queries: others.map((other) => ({
      queryKey: segmentKeys.one(other.id, name),
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        fetchSegment(other.id, name, signal),
      retry: false,
    })),
  });
  return (
    <List
      listStyleType="none"
      spacing="xs"
      aria-label="In other environments"
      style={{ alignSelf: 'center' }}
    >
      {others.map(({ id, name: other }, place) => {
        const segment = found[place]?.data;
        if (segment === undefined) return null;
        return (
          <List.Item key={id}>
            <Group gap="xs" justify="center">
              <Text size="sm">
                <Anchor component={Link} href={pathOf.segment(id, name)} size="sm">
                  {other}
                </Anchor>{' '}
                has it.
              </Text>
              {!isReadOnly && (
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => {
                    const { when, description } = segment;
                    startSegment(user, env, name, { when, description });
                    go(`${pathOf.segment(env, name)}?new`);
                  }}
                >
                  Start from {other}’s condition
                </Button>
              )}
            </Group>
          </List.Item>
        );
      })}
    </List>
  );
}
