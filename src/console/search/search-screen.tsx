/** Finds text in the live and draft texts of an environment, and in its targeting rules. */
import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { useParams, useSearchParams } from 'wouter';
import { IconSearch, IconSearchOff } from '../icons/icons.js';
import { counted } from '../parts/counted.js';
import { EmptyState } from '../parts/empty-state.js';
import { Page } from '../parts/page.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { Waiting } from '../parts/waiting.js';
import { groupHits } from './hit-groups.js';
import { HitList } from './hit-list.js';
import { useTextSearch } from './search-query.js';

const queryCharsMax = 200;
/** A pause in which a word ends. */
const searchAfterMs = 300;
/** One character is in everything: it is searched for when Enter asks for it. */
const searchCharsMin = 2;

export function SearchScreen() {
  const { env = '' } = useParams<{ env: string }>();
  const [params, setParams] = useSearchParams();
  const query = params.get('q') ?? '';
  const show = (wanted: string): void =>
    setParams(wanted === '' ? {} : { q: wanted }, { replace: true });
  return (
    <Page
      title="Search texts"
      description="Finds keys and values in live and draft texts, and in targeting rules. Upper and lower case are the same."
    >
      <SearchField key={env} query={query} onSearch={show} />
      <Results env={env} query={query} />
    </Page>
  );
}

interface SearchFieldProps {
  readonly query: string;
  readonly onSearch: (query: string) => void;
}

function SearchField({ query, onSearch }: SearchFieldProps) {
  const [typed, setTyped] = useState(query);
  const [shown, setShown] = useState(query);
  // Another search was opened, from the palette for instance.
  if (query !== shown) {
    setShown(query);
    setTyped(query);
  }
  const search = (wanted: string): void => {
    setShown(wanted);
    onSearch(wanted);
  };
  const searchSoon = useDebouncedCallback((wanted: string) => {
    if (wanted === '' || wanted.length >= searchCharsMin) search(wanted);
  }, searchAfterMs);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    search(typed);
  };
  return (
    <search>
      <form onSubmit={submit}>
        <TextInput
          type="search"
          label="Text"
          maw={520}
          maxLength={queryCharsMax}
          placeholder="A key, a word, a number"
          leftSection={<IconSearch size={16} aria-hidden />}
          autoComplete="off"
          spellCheck={false}
          autoFocus={query === ''}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            searchSoon(event.currentTarget.value);
          }}
        />
      </form>
    </search>
  );
}

interface ResultsProps {
  readonly env: string;
  readonly query: string;
}

function Results({ env, query }: ResultsProps) {
  const search = useTextSearch(env, query);
  const { data, error, hasNextPage, isFetchingNextPage, isFetching } = search;
  if (query === '') return null;
  if (error !== null && data === undefined) {
    return (
      <ProblemAlert
        title="The texts could not be searched"
        error={error}
        onRetry={() => void search.refetch()}
      />
    );
  }
  if (data === undefined) return <Waiting label="Searching" height={160} />;
  const hits = data.pages.flatMap((page) => page.hits);
  const groups = groupHits(hits);
  const isCut = data.pages.at(-1)?.timedOut === true;
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed" role="status">
        {isFetching && !isFetchingNextPage
          ? 'Searching…'
          : `${hasNextPage ? 'More than ' : ''}${counted(hits.length, 'hit')} in ${counted(groups.length, 'content item')}`}
      </Text>
      {isCut && (
        <Alert color="yellow" variant="light" title="Not everything was searched yet">
          There is more text than is searched in one go.
        </Alert>
      )}
      {hits.length === 0 && !hasNextPage ? (
        <EmptyState icon={<IconSearchOff />} title="No text contains it">
          Comments, deleted content items and earlier revisions are not searched.
        </EmptyState>
      ) : (
        <HitList env={env} groups={groups} />
      )}
      {hasNextPage && (
        <Group justify="center">
          <Button
            variant="default"
            loading={isFetchingNextPage}
            onClick={() => void search.fetchNextPage()}
          >
            {isCut ? 'Go on searching' : 'Show more'}
          </Button>
        </Group>
      )}
      {error !== null && <ProblemAlert error={error} onRetry={() => void search.refetch()} />}
    </Stack>
  );
}
