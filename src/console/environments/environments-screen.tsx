/** The environments of the server: list, and the way to create one. On an empty server, the first steps. */
import { Anchor, Box, Button, Group, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { Environment } from '../../contract/operations/environments.js';
import { IconPlus, IconStack2 } from '../icons/icons.js';
import { type Column, DataTable } from '../parts/data/data-table.js';
import { Loaded } from '../parts/data/loaded.js';
import { Dialog } from '../parts/dialog.js';
import { EmptyState } from '../parts/empty-state.js';
import { pathOf, useEnvironments } from '../parts/environments.js';
import { notifyDone } from '../parts/notify.js';
import { Page } from '../parts/page.js';
import { EnvironmentMark } from '../parts/place/environment-mark.js';
import { When } from '../parts/time/when.js';
import { useIsOwner, useSession } from '../session/session.js';
import { EnvironmentForm } from './environment-form.js';
import { EnvironmentMenu } from './environment-menu.js';
import { useKeys } from './environment-queries.js';
import { FirstSteps } from './first-steps.js';
import { keyState } from './key-state.js';
import { ProtectedBadge } from './protected-badge.js';

// One request for each environment: beyond this many, the column costs more than it is worth.
const keyCountsMax = 24;

export function EnvironmentsScreen() {
  const environments = useEnvironments();
  const hasSome = environments.data !== undefined && environments.data.length > 0;
  const isOwner = useIsOwner();
  const [, go] = useLocation();
  const [isNew, setIsNew] = useState(false);
  const opened = (environment: Environment): void => {
    setIsNew(false);
    notifyDone(`${environment.name} created. Next: an API key.`);
    go(pathOf.environment(environment.id));
  };
  return (
    <Page
      title="Environments"
      description="Each has its own content, segments and keys; a sync copies what is live from one to another."
      actions={
        isOwner &&
        hasSome && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsNew(true)}>
            New environment
          </Button>
        )
      }
    >
      <Loaded query={environments} label="Loading the environments">
        {(known) =>
          known.length === 0 ? (
            <FirstRun onCreated={opened} />
          ) : (
            <EnvironmentTable environments={known} />
          )
        }
      </Loaded>
      {!isOwner && hasSome && (
        <Text size="sm" c="dimmed">
          Owners of the whole server create, protect and delete environments.
        </Text>
      )}
      {isNew && (
        <Dialog onClose={() => setIsNew(false)} title="New environment">
          <EnvironmentForm onCreated={opened} onCancel={() => setIsNew(false)} />
        </Dialog>
      )}
    </Page>
  );
}

function FirstRun({ onCreated }: { readonly onCreated: (environment: Environment) => void }) {
  const isOwner = useIsOwner();
  if (!isOwner) {
    return (
      <EmptyState icon={<IconStack2 />} title="No environment for you yet">
        Ask an owner of this server to create one, or to add you to an existing one.
      </EmptyState>
    );
  }
  return (
    <FirstSteps
      title="Welcome to Loadout. Three steps to the first response"
      done={0}
      action={
        <Box w="100%" maw={460} mt="xs">
          <EnvironmentForm onCreated={onCreated} />
        </Box>
      }
    />
  );
}

function EnvironmentTable({ environments }: { readonly environments: readonly Environment[] }) {
  // Including owners of some environments only.
  const isOwner = useSession().role === 'owner';
  const hasKeyCounts = environments.length <= keyCountsMax;
  const columns = useMemo(
    (): Column<Environment>[] => [
      { title: 'Name', cell: (environment) => <NameCell environment={environment} /> },
      ...(hasKeyCounts ? [keyColumn] : []),
      {
        title: 'Created',
        visibleFrom: 'sm',
        cell: ({ createdAt }) => <When at={createdAt} size="sm" />,
      },
      {
        title: 'Actions',
        ta: 'right',
        cell: (environment) => (
          <Group gap="xs" justify="flex-end" wrap="nowrap">
            <Button
              component={Link}
              href={pathOf.contents(environment.id)}
              variant="default"
              visibleFrom="xs"
              aria-label={`Content of ${environment.name}`}
            >
              Content
            </Button>
            {isOwner && <EnvironmentMenu environment={environment} />}
          </Group>
        ),
      },
    ],
    [hasKeyCounts, isOwner],
  );
  return (
    <DataTable
      aria-label="Environments"
      verticalSpacing="sm"
      columns={columns}
      rows={environments}
      keyOf={({ id }) => id}
    />
  );
}

const keyColumn: Column<Environment> = {
  title: 'Active keys',
  visibleFrom: 'sm',
  cell: ({ id }) => <KeyCount env={id} />,
};

function NameCell({
  environment: { id, name, protected: isProtected },
}: {
  readonly environment: Environment;
}) {
  return (
    <Box style={{ overflowWrap: 'anywhere' }}>
      <Group gap="xs">
        <EnvironmentMark env={id} />
        <Anchor component={Link} href={pathOf.environment(id)} fw={600}>
          {name}
        </Anchor>
        {isProtected && <ProtectedBadge />}
      </Group>
      <Text size="sm" className="mono" c="dimmed">
        {id}
      </Text>
    </Box>
  );
}

function KeyCount({ env }: { readonly env: string }) {
  const { data: keys } = useKeys(env);
  if (keys === undefined) return <Text size="sm">–</Text>;
  const now = Date.now();
  const active = keys.filter((key) => keyState(key, now) === 'active').length;
  return (
    <Anchor component={Link} href={pathOf.environment(env)} size="sm">
      {active === 0 ? 'none yet' : active}
    </Anchor>
  );
}
