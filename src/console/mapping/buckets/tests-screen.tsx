/** All A/B tests of an environment on the thousand buckets, and those that share buckets. */
import {
  Alert,
  Anchor,
  Button,
  Group,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import { Link, useLocation, useParams, useSearch } from 'wouter';
import { request } from '../../api/call.js';
import { ExperimentTabs } from '../../experiments/experiment-tabs.js';
import { IconArrowsSplit, IconSearch, IconUser } from '../../icons/icons.js';
import { Loaded } from '../../parts/data/loaded.js';
import { EmptyState } from '../../parts/empty-state.js';
import { pathOf } from '../../parts/environments.js';
import { Page } from '../../parts/page.js';
import { isOpenNow, matches } from './shared-tests.js';
import { TestMap } from './test-map.js';
import { TestTable } from './test-table.js';

const shows = [
  { value: 'live', label: 'Live' },
  { value: 'running', label: 'Running' },
  { value: 'drafts', label: 'With drafts' },
] as const;

type Show = (typeof shows)[number]['value'];

export function TestsScreen() {
  const { env = '' } = useParams<{ env: string }>();
  const { show, view, set } = useChoices(env);
  const [search, setSearch] = useState('');
  const [user, setUser] = useState('');
  const wanted = useDeferredValue(search);
  const player = useDeferredValue(user);
  const withDrafts = show === 'drafts';
  const tests = useQuery({
    queryKey: ['environments', env, 'tests', { drafts: withDrafts }],
    queryFn: ({ signal }) =>
      request(
        'GET /environments/:env/tests',
        { params: { env }, query: { drafts: withDrafts ? 'true' : 'false' } },
        signal,
      ),
    placeholderData: keepPreviousData,
  });
  const shown = useMemo(() => {
    const now = Date.now();
    return (tests.data?.tests ?? []).filter(
      (test) => (show !== 'running' || isOpenNow(test, now)) && matches(test, wanted),
    );
  }, [tests.data, show, wanted]);

  return (
    <Page
      title="A/B tests"
      description="Each test splits players into 1,000 buckets, computed of the user id and the test's seed."
    >
      <ExperimentTabs env={env} />
      <Loaded query={tests} label="Loading the tests" rowHeight={240}>
        {(data) => (
          <Stack gap="md">
            <Group gap="sm" align="flex-end">
              <SegmentedControl
                aria-label="Which tests"
                data={[...shows]}
                value={show}
                onChange={(value) => set({ show: value })}
              />
              <SegmentedControl
                aria-label="How they are shown"
                data={[
                  { value: 'map', label: 'Map' },
                  { value: 'table', label: 'Table' },
                ]}
                value={view}
                onChange={(value) => set({ view: value })}
              />
              <TextInput
                aria-label="Search tests"
                placeholder="Search tests"
                leftSection={<IconSearch size={16} aria-hidden />}
                value={search}
                onChange={(event) => setSearch(event.currentTarget.value)}
                flex="1 1 170px"
                maw={280}
              />
              <TextInput
                aria-label="User id of a player"
                placeholder="User id: where is this player?"
                leftSection={<IconUser size={16} aria-hidden />}
                value={user}
                onChange={(event) => setUser(event.currentTarget.value)}
                flex="1 1 220px"
                maw={320}
              />
            </Group>
            {data.cut && (
              <Alert color="yellow" variant="light">
                The list is cut: these are the first tests by content id.
              </Alert>
            )}
            {shown.length > 0 && view === 'map' && (
              <TestMap env={env} tests={shown} user={player} />
            )}
            {shown.length > 0 && view === 'table' && (
              <TestTable env={env} tests={shown} user={player} />
            )}
            {shown.length === 0 && (
              <NoTests
                env={env}
                isFiltered={data.tests.length > 0}
                show={show}
                onAll={() => {
                  setSearch('');
                  set({ show: 'drafts' });
                }}
              />
            )}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

/** Kept in the address, so that a link shows the same. */
function useChoices(env: string) {
  const [, go] = useLocation();
  const search = useSearch();
  const query = new URLSearchParams(search);
  const show: Show = shows.find(({ value }) => value === query.get('show'))?.value ?? 'live';
  const view = query.get('view') === 'table' ? 'table' : 'map';
  const set = (choice: Readonly<Record<string, string>>): void => {
    for (const [name, value] of Object.entries(choice)) query.set(name, value);
    go(`${pathOf.groups(env)}?${query}`, { replace: true });
  };
  return { show, view, set };
}

interface NoTestsProps {
  readonly env: string;
  readonly isFiltered: boolean;
  readonly show: Show;
  readonly onAll: () => void;
}

function NoTests({ env, isFiltered, show, onAll }: NoTestsProps) {
  if (isFiltered) {
    return (
      <EmptyState
        icon={<IconArrowsSplit aria-hidden />}
        title={show === 'running' ? 'No test is running' : 'No test matches'}
        action={
          <Button variant="default" onClick={onAll}>
            Show all tests
          </Button>
        }
      >
        Tests that ended or have not started, and drafts, are not shown here.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<IconArrowsSplit aria-hidden />}
      title={show === 'drafts' ? 'No A/B tests yet' : 'No A/B test is live'}
      action={
        <Button component={Link} href={pathOf.contents(env)}>
          Go to Content
        </Button>
      }
    >
      Open a content item, go to Targeting and add an A/B test. It appears here once it is
      published.
      {show !== 'drafts' && (
        <Text size="sm" mt="xs">
          <Anchor component="button" type="button" inherit onClick={onAll}>
            Include drafts
          </Anchor>
        </Text>
      )}
    </EmptyState>
  );
}
