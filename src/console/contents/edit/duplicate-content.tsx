/** Copies a content item, after asking for the environment and the id. */
import { Alert, Button, Group, List, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { ContentSummary } from '../../../contract/operations/contents.js';
import type { Environment } from '../../../contract/operations/environments.js';
import { ApiProblem } from '../../api/call.js';
import { Dialog } from '../../parts/dialog.js';
import { pathOf } from '../../parts/environments.js';
import { notifyDone } from '../../parts/notify.js';
import { ProblemAlert } from '../../parts/problem-alert.js';
import { useContents } from '../contents-query.js';
import { contentIdIssue, copyIdOf } from './content-id-issue.js';
import { CopyTaken, copyContent } from './copy-content.js';

export interface DuplicateContentProps {
  readonly env: string;
  readonly content: ContentSummary;
  /** Where the user may edit. */
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
  const { contents } = useContents(toEnv, false);
  const taken = useMemo(() => new Set(contents.map(({ key }) => key)), [contents]);
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
  const idIssue = isTaken ? error.message : contentIdIssue(toId, taken);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (contentIdIssue(toId, taken) === null) copying.mutate();
  };
  return (
    <Dialog onClose={onClose} title={`Duplicate ${content.id}`}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm">
            Copies the newest revision, r{content.newest}: the texts of all app versions, targeting,
            description, tags and schema. The copy is a draft with its own history.
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
            error={idIssue}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              copying.reset();
            }}
          />
          {error !== null && !isTaken && <CopyProblem error={error} toEnv={toEnv} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={copying.isPending} disabled={idIssue !== null}>
              Duplicate
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

// A copy is an import, whose messages mention a file.
const ofFile = ', which neither the file nor the environment has';

/** Mostly, the other environment lacks something that a sync would bring along. */
function CopyProblem({ error, toEnv }: { readonly error: unknown; readonly toEnv: string }) {
  if (!(error instanceof ApiProblem) || error.code !== 'invalid_import') {
    return <ProblemAlert error={error} />;
  }
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      title={`It cannot be copied to ${toEnv} as it is`}
    >
      <List size="sm">
        {error.errors.map(({ path, message }) => (
          <List.Item key={`${path} ${message}`}>
            <span className="mono">{path}</span>{' '}
            {message.replace(ofFile, `, which ${toEnv} does not have`)}
          </List.Item>
        ))}
      </List>
      <Text size="sm" mt="xs">
        Create the missing segments there, or use Sync, which copies a content item together with
        its segments.
      </Text>
    </Alert>
  );
}
