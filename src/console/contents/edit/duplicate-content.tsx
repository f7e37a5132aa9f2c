/** Asks where a copy of a content shall go and what it shall be called, and makes it. */
import { Alert, Button, Group, List, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { ContentSummary } from '../../../contract/operations/contents.js';
import type { Environment } from '../../../contract/operations/environments.js';
import { ApiProblem } from '../../api/call.js';
import { pathOf } from '../../parts/environments.js';
import { notifyDone } from '../../parts/notify.js';
import { ProblemAlert } from '../../parts/problem-alert.js';
import { fetchContents } from '../contents-query.js';
import { contentIdFault, copyIdOf } from './content-id-fault.js';
import { CopyTaken, copyContent } from './copy-content.js';

export interface DuplicateContentProps {
  readonly env: string;
  readonly content: ContentSummary;
  /** Where the one who asks may edit. */
  readonly targets: readonly Environment[];
  readonly onClose: () => void;
}

export function DuplicateContent({ env, content, targets, onClose }: DuplicateContentProps) {
  const [, go] = useLocation();
  const queries = useQueryClient();
  const [toEnv, setToEnv] = useState(
    targets.find(({ id }) => id === env)?.id ?? targets[0]?.id ?? env,
  );
  const [typed, setTyped] = useState<string | null>(null);
  const present = useQuery({
    queryKey: ['environments', toEnv, 'contents', { all: 'present' }],
    queryFn: ({ signal }) => fetchContents(toEnv, false, signal),
  });
  const taken = useMemo(
    () => new Set(present.data?.map(({ id }) => id.toLowerCase())),
    [present.data],
  );
  const isFree = !taken.has(content.id.toLowerCase());
  const toId = typed ?? (toEnv !== env && isFree ? content.id : copyIdOf(content.id, taken));
  const copying = useMutation({
    mutationFn: () => copyContent({ env, id: content.id, toEnv, toId }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['environments', toEnv, 'contents'] });
      notifyDone(`${toId} is saved as a draft in ${toEnv}. Publish it when it is ready.`);
      go(pathOf.content(toEnv, toId));
      window.scrollTo(0, 0);
    },
  });
  const { error } = copying;
  const isTaken = error instanceof CopyTaken;
  const idFault = isTaken ? error.message : contentIdFault(toId, taken);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (contentIdFault(toId, taken) === null) copying.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={`Duplicate ${content.id}`}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm">
            Copies the newest revision, r{content.newest}: texts of all lines, mapping, description,
            tags and schema. The copy is a draft, with a history of its own.
          </Text>
          <Select
            label="Into"
            data={targets.map(({ id, name }) => ({
              value: id,
              label: id === env ? `${name} (here)` : name,
            }))}
            value={toEnv}
            allowDeselect={false}
            searchable={targets.length > 8}
            onChange={(chosen) => {
              if (chosen !== null) setToEnv(chosen);
              copying.reset();
            }}
          />
          <TextInput
            data-autofocus
            label="Id of the copy"
            classNames={{ input: 'mono' }}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={toId}
            error={idFault}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              copying.reset();
            }}
          />
          {error !== null && !isTaken && <Refused error={error} toEnv={toEnv} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={copying.isPending} disabled={idFault !== null}>
              Duplicate
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

// A copy goes in as an import, and nobody here has seen the file of one.
const ofFile = ', which neither the file nor the environment has';

/** Most refusals are for what the other environment lacks, and a sync brings that along. */
function Refused({ error, toEnv }: { readonly error: unknown; readonly toEnv: string }) {
  if (!(error instanceof ApiProblem) || error.code !== 'invalid_import') {
    return <ProblemAlert error={error} />;
  }
  return (
    <Alert color="red" variant="light" role="alert" title={`${toEnv} does not take it as it is`}>
      <List size="sm">
        {error.errors.map(({ path, message }) => (
          <List.Item key={`${path} ${message}`}>
            <span className="mono">{path}</span>{' '}
            {message.replace(ofFile, `, which ${toEnv} does not have`)}
          </List.Item>
        ))}
      </List>
      <Text size="sm" mt="xs">
        Saved segments are made under Segments there; Sync brings a content over together with its
        own.
      </Text>
    </Alert>
  );
}
