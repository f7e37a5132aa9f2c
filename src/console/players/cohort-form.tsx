/** What is asked about a cohort: the value, the times and the list of players. */
import { Button, FileButton, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useMemo, useState } from 'react';
import { tokensOf } from '../../content/json/pointer-text.js';
import { parseInstant } from '../../content/mapping/instant.js';
import { type PlayerList, readPlayerList } from '../../contract/players/player-list.js';
import { isJson } from '../api/raw-json.js';
import { IconFileUpload, IconSearch } from '../icons/icons.js';
import { counted } from '../parts/counted.js';
import { SubmitButton } from '../parts/form/submit-button.js';
import { InstantInput } from '../parts/time/instant-input.js';
import { CohortPlace } from './cohort-place.js';
import type { CohortQuestion } from './cohort-query.js';

export interface CohortFormProps {
  readonly environment: string;
  readonly isRunning: boolean;
  readonly onFind: (question: CohortQuestion) => void;
}

/** Lines of a list that are named as faulty; the others are counted. */
const issuesShown = 3;
const hourMs = 3_600_000;
/** Longer lists are not put into the field. */
const editedCharsMax = 200_000;

export function CohortForm({ environment, isRunning, onFind }: CohortFormProps) {
  const [id, setId] = useState('');
  const [path, setPath] = useState('');
  const [value, setValue] = useState('');
  const [from, setFrom] = useState<string | null>(() => hourAgo());
  const [to, setTo] = useState<string | null>(null);
  const [list, setList] = useState('');
  const [file, setFile] = useState<string | null>(null);
  const [isSent, setIsSent] = useState(false);
  const read = useMemo(() => readPlayerList(list), [list]);
  const errors = {
    id: id.trim() === '' ? 'Enter the id of a content item.' : null,
    path: tokensOf(path) !== null ? null : 'A path begins with "/".',
    value: value.trim() === '' || isJson(value) ? null : 'Not JSON. Text needs "quotes".',
    from: from === null ? 'Choose a start.' : orderIssue(from, to),
    list: listIssue(read),
  };
  const shown = isSent ? errors : { id: null, path: null, value: null, from: null, list: null };
  const find = (event: FormEvent): void => {
    event.preventDefault();
    setIsSent(true);
    if (from === null || Object.values(errors).some((error) => error !== null)) return;
    const equals = value.trim() === '' ? null : value.trim();
    onFind({ environment, id: id.trim(), path, equals, from, to, players: read.players });
  };
  const take = async (taken: File | null): Promise<void> => {
    if (taken === null) return;
    const text = await taken.text();
    setList(text);
    setFile(text.length > editedCharsMax ? taken.name : null);
  };
  return (
    <form onSubmit={find} noValidate aria-label="Which players were given a value">
      <Stack gap="md">
        <CohortPlace {...{ environment, id, path, errors: shown, onId: setId, onPath: setPath }} />
        <TextInput
          label="Value"
          description="JSON, such as 4.99 or “text” in quotes. Leave it empty for any value at this place."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
          error={shown.value}
          spellCheck={false}
          maw={420}
        />
        <Group gap="sm" align="flex-start">
          <InstantInput
            label="From"
            value={from}
            onChange={setFrom}
            error={shown.from}
            flex="1 1 240px"
            maw={340}
          />
          <InstantInput
            label="To"
            value={to}
            onChange={setTo}
            whenEmpty="now"
            flex="1 1 240px"
            maw={340}
          />
        </Group>
        <Stack gap="xs">
          {file === null ? (
            <Textarea
              label="Players"
              required
              description="One user id per line, CSV with a header (id, version, attributes), or JSON Lines. Rules see only the attributes listed here."
              placeholder={'id,version,country\nplayer-1,1.4.0,DE'}
              value={list}
              onChange={(event) => setList(event.currentTarget.value)}
              error={shown.list}
              autosize
              minRows={4}
              maxRows={12}
              spellCheck={false}
              styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            />
          ) : (
            <Text>
              Players from <b>{file}</b>.
            </Text>
          )}
          <Group gap="xs">
            <FileButton
              onChange={(taken) => void take(taken)}
              accept=".csv,.tsv,.jsonl,.ndjson,.txt"
            >
              {(props) => (
                <Button
                  {...props}
                  variant="default"
                  leftSection={<IconFileUpload size={16} aria-hidden />}
                >
                  Choose a file
                </Button>
              )}
            </FileButton>
            {list !== '' && (
              <Button
                variant="subtle"
                onClick={() => {
                  setList('');
                  setFile(null);
                }}
              >
                Clear
              </Button>
            )}
            <Text size="xs" c="dimmed">
              {list === '' ? '' : counted(read.players.length, 'player')}
            </Text>
          </Group>
        </Stack>
        <Group justify="flex-end">
          <SubmitButton icon={IconSearch} loading={isRunning}>
            Find players
          </SubmitButton>
        </Group>
      </Stack>
    </form>
  );
}

function hourAgo(): string {
  return new Date(Math.floor((Date.now() - hourMs) / 1000) * 1000).toISOString();
}

function orderIssue(from: string, to: string | null): string | null {
  const endMs = to === null ? Date.now() : (parseInstant(to) ?? 0);
  return (parseInstant(from) ?? 0) < endMs ? null : 'The start must be before the end.';
}

function listIssue({ players, issues }: PlayerList): string | null {
  if (issues.length > 0) {
    const named = issues
      .slice(0, issuesShown)
      .map(({ line, message }) => `Line ${line}: ${message}.`);
    const more = issues.length - named.length;
    return [...named, ...(more > 0 ? [`${more} more.`] : [])].join(' ');
  }
  return players.length === 0 ? 'Paste at least one player, or choose a file.' : null;
}
