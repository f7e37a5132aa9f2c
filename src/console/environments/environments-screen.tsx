/** The environments of the server: list, and the way to make one. On an empty server, the first steps. */
import { Anchor, Box, Button, Group, Modal, Skeleton, Stack, Table, Text } from '@mantine/core';
import { IconPlus, IconStack2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { Environment } from '../../contract/operations/environments.js';
import { request } from '../api/call.js';
import { EmptyState } from '../parts/empty-state.js';
import { pathOf, useEnvironments } from '../parts/environments.js';
import { notifyDone } from '../parts/notify.js';
import { Page } from '../parts/page.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { When } from '../parts/when.js';
import { useIsOwner, useSession } from '../session/session.js';
import { EnvironmentForm } from './environment-form.js';
import { EnvironmentMenu } from './environment-menu.js';
import { FirstSteps } from './first-steps.js';
import { keyState } from './key-state.js';
import { ProtectedBadge } from './protected-badge.js';

// One request for each environment: beyond this many, the column would cost more than it tells.
const keyCountsMax = 24;

export function EnvironmentsScreen() {
  const { data: environments, error, refetch } = useEnvironments();
  const isOwner = useIsOwner();
  const [, go] = useLocation();
  const [isNew, setIsNew] = useState(false);
  const opened = (environment: Environment): void => {
    setIsNew(false);
    notifyDone(`${environment.name} is there. A key for it comes next.`);
    go(pathOf.environment(environment.id));
  };
  return (
    <Page
      title="Environments"
      description="Each has its own contents, segments and keys; a sync brings what is live in one to another."
      actions={
        isOwner &&
        environments !== undefined &&
        environments.length > 0 && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsNew(true)}>
            New environment
          </Button>
        )
      }
    >
      {error !== null && environments === undefined && (
        <ProblemAlert error={error} onRetry={() => void refetch()} />
      )}
      {environments === undefined && error === null && (
        <Skeleton h={160} role="status" aria-label="Loading the environments" />
      )}
      {environments?.length === 0 && <FirstRun onCreated={opened} />}
      {environments !== undefined && environments.length > 0 && (
        <EnvironmentTable environments={environments} />
      )}
      {!isOwner && environments !== undefined && environments.length > 0 && (
        <Text size="sm" c="dimmed">
          Owners of the whole server create, protect and delete environments.
        </Text>
      )}
      <Modal opened={isNew} onClose={() => setIsNew(false)} title="New environment">
        <EnvironmentForm onCreated={opened} onCancel={() => setIsNew(false)} />
      </Modal>
    </Page>
  );
}

function FirstRun({ onCreated }: { readonly onCreated: (environment: Environment) => void }) {
  const isOwner = useIsOwner();
  if (!isOwner) {
    return (
      <EmptyState icon={<IconStack2 />} title="No environment for you yet">
        Ask an owner of this server to create one, or to add you to one that there is.
      </EmptyState>
    );
  }
  return (
    <FirstSteps
      title="Welcome to Loadout. Three steps to the first answer"
      steps={[
        {
          title: 'Create an environment',
          text: 'A place for contents, with keys of its own. Many teams have “staging” to try things and “production”, protected, for players.',
          isDone: false,
          action: (
            <Box w="100%" maw={460} mt="xs">
              <EnvironmentForm onCreated={onCreated} />
            </Box>
          ),
        },
        {
          title: 'Create an API key',
          text: 'Your game sends it with each request.',
          isDone: false,
        },
        {
          title: 'Create a content',
          text: 'JSON with comments, which is served as soon as you publish it.',
          isDone: false,
        },
      ]}
    />
  );
}

interface EnvironmentTableProps {
  readonly environments: readonly Environment[];
}

function EnvironmentTable({ environments }: EnvironmentTableProps) {
  // Owners of some environments only are owners of those all the same.
  const isOwner = useSession().role === 'owner';
  const hasKeyCounts = environments.length <= keyCountsMax;
  return (
    <Table aria-label="Environments" verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          {hasKeyCounts && <Table.Th visibleFrom="sm">Active keys</Table.Th>}
          <Table.Th visibleFrom="sm">Created</Table.Th>
          <Table.Th ta="right">Actions</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {environments.map((environment) => {
          const { id, name, protected: isProtected, createdAt } = environment;
          return (
            <Table.Tr key={id}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <Group gap="xs">
                  <Anchor component={Link} href={pathOf.environment(id)} fw={600}>
                    {name}
                  </Anchor>
                  {isProtected && <ProtectedBadge />}
                </Group>
                <Text size="sm" className="mono" c="dimmed">
                  {id}
                </Text>
              </Table.Td>
              {hasKeyCounts && (
                <Table.Td visibleFrom="sm">
                  <KeyCount env={id} />
                </Table.Td>
              )}
              <Table.Td visibleFrom="sm">
                <When at={createdAt} size="sm" />
              </Table.Td>
              <Table.Td>
                <Group gap="xs" justify="flex-end" wrap="nowrap">
                  <Stack gap={0} visibleFrom="xs">
                    <Button
                      component={Link}
                      href={pathOf.contents(id)}
                      variant="default"
                      aria-label={`Contents of ${name}`}
                    >
                      Contents
                    </Button>
                  </Stack>
                  {isOwner && <EnvironmentMenu environment={environment} />}
                </Group>
              </Table.Td>
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </Table>
  );
}

function KeyCount({ env }: { readonly env: string }) {
  const { data } = useQuery({
    queryKey: ['environments', env, 'keys'],
    queryFn: async () => (await request('GET /environments/:env/keys', { params: { env } })).keys,
  });
  if (data === undefined) return <Text size="sm">–</Text>;
  const now = Date.now();
  const active = data.filter((key) => keyState(key, now) === 'active').length;
  return (
    <Anchor component={Link} href={pathOf.environment(env)} size="sm">
      {active === 0 ? 'none yet' : active}
    </Anchor>
  );
}
