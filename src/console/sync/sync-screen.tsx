/** Copies what is live in another environment into this one: from where, then what differs. */
import { ActionIcon, Box, Button, Group, Select, Text, Tooltip } from '@mantine/core';
import { Link, useLocation, useParams, useSearchParams } from 'wouter';
import type { Environment } from '../../contract/operations/environments.js';
import { IconArrowRight, IconArrowsExchange, IconLock } from '../icons/icons.js';
import { EmptyState } from '../parts/empty-state.js';
import { pathOf, useEnvironments } from '../parts/environments.js';
import { Page } from '../parts/page.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { UnknownEnvironment } from '../parts/unknown-environment.js';
import { useSession } from '../session/session.js';
import { SyncComparison } from './sync-comparison.js';
import { SyncSidesContext } from './sync-sides.js';

export function SyncScreen() {
  const { env = '' } = useParams<{ env: string }>();
  const { data: environments, error, refetch } = useEnvironments();
  const target = environments?.find(({ id }) => id === env);
  if (environments !== undefined && target !== undefined) {
    return <SyncInto target={target} environments={environments} />;
  }
  return (
    <Page title="Sync">
      {environments === undefined && error !== null && (
        <ProblemAlert error={error} onRetry={() => void refetch()} />
      )}
      {environments !== undefined && <UnknownEnvironment env={env} />}
    </Page>
  );
}

interface SyncIntoProps {
  readonly target: Environment;
  readonly environments: readonly Environment[];
}

function SyncInto({ target, environments }: SyncIntoProps) {
  const [search, setSearch] = useSearchParams();
  const { role } = useSession();
  const others = environments.filter(({ id }) => id !== target.id);
  const asked = search.get('from');
  // With two environments there is nothing to choose.
  const source =
    others.find(({ id }) => id === asked) ?? (others.length === 1 ? others[0] : undefined);
  return (
    <Page
      title={`Sync into ${target.name}`}
      description="Copies live content items and their segments from one environment to another. Nothing changes before you confirm."
    >
      {others.length === 0 ? (
        <EmptyState
          icon={<IconArrowsExchange />}
          title="A sync needs two environments"
          action={
            <Button component={Link} href="/environments">
              Environments
            </Button>
          }
        >
          There is only this one. With a second, such as “staging” beside “production”, you try
          things in one and sync what is good to the other.
        </EmptyState>
      ) : (
        <>
          <Direction
            target={target}
            others={others}
            source={source}
            onSource={(id) => setSearch({ from: id }, { replace: true })}
          />
          {role === 'viewer' && (
            <EmptyState icon={<IconLock />} title="You are a viewer">
              To compare and sync, you need the role of an editor. Ask an owner for it.
            </EmptyState>
          )}
          {role !== 'viewer' && source === undefined && (
            <EmptyState icon={<IconArrowsExchange />} title="Where from?">
              Choose the environment to sync from.
            </EmptyState>
          )}
          {role !== 'viewer' && source !== undefined && (
            <SyncSidesContext key={`${source.id}/${target.id}`} value={{ source, target }}>
              <SyncComparison />
            </SyncSidesContext>
          )}
        </>
      )}
    </Page>
  );
}

interface DirectionProps {
  readonly target: Environment;
  readonly others: readonly Environment[];
  readonly source: Environment | undefined;
  readonly onSource: (id: string) => void;
}

function Direction({ target, others, source, onSource }: DirectionProps) {
  const [, go] = useLocation();
  return (
    <Group gap="sm" align="flex-end">
      <Select
        label="From"
        placeholder="Choose an environment"
        data={others.map(({ id, name }) => ({ value: id, label: name }))}
        value={source?.id ?? null}
        allowDeselect={false}
        searchable={others.length > 8}
        w={{ base: '100%', xs: 240 }}
        onChange={(id) => {
          if (id !== null) onSource(id);
        }}
      />
      <Box pb={6} visibleFrom="xs" c="dimmed">
        <IconArrowRight size={20} aria-hidden />
      </Box>
      <Box>
        <Text size="sm" fw={600} component="div">
          Into
        </Text>
        <Group gap={6} h={36} wrap="nowrap">
          <Text fw={600}>{target.name}</Text>
          {target.protected && (
            <Tooltip label="Protected: only owners can sync into it.">
              <IconLock size={16} aria-label="protected" role="img" />
            </Tooltip>
          )}
        </Group>
      </Box>
      {source !== undefined && (
        <Tooltip label="Swap">
          <ActionIcon
            variant="default"
            size="input-sm"
            aria-label={`Swap: sync from ${target.name} into ${source.name}`}
            onClick={() => go(`${pathOf.sync(source.id)}?from=${encodeURIComponent(target.id)}`)}
          >
            <IconArrowsExchange size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    </Group>
  );
}
