/** Asks for the id of a new content item and opens the editor, which saves it. */
import { Alert, Anchor, Button, FileButton, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { contentKey } from '../../../content/content-id.js';
import { IconFileUpload, IconTrash } from '../../icons/icons.js';
import { Dialog } from '../../parts/dialog.js';
import { pathOf } from '../../parts/environments.js';
import { useContents } from '../contents-query.js';
import { contentIdIssue } from './content-id-issue.js';
import { contentSlug, contentSlugOfFile } from './content-slug.js';
import { jsonFiles } from './text-of-file.js';

/** A file that becomes the first text. */
export interface ChosenFile {
  readonly name: string;
  readonly text: string;
}

export interface NewContentProps {
  readonly env: string;
  /** Existing ids, as `contentKey` writes them. */
  readonly taken: ReadonlySet<string>;
  /** A search without result, or the name of a file. */
  readonly proposed: string;
  readonly file: ChosenFile | null;
  readonly onFile: (file: File) => void;
  readonly onOpen: (id: string, file: ChosenFile | null) => void;
  readonly onClose: () => void;
}

export function NewContent(props: NewContentProps) {
  const { env, taken, proposed, file, onFile, onOpen, onClose } = props;
  const [own, setOwn] = useState<string | null>(null);
  const typed = own ?? (proposed === '' && file !== null ? contentSlugOfFile(file.name) : proposed);
  const [isTried, setIsTried] = useState(false);
  const deleted = useContents(env, true).contents;
  const id = contentSlug(typed);
  const found = contentIdIssue(id, taken);
  const isTaken = taken.has(contentKey(id));
  const issue = found !== null && (isTried || typed !== '') ? found : null;
  const old = useMemo(
    () => (id === '' ? undefined : deleted.find(({ key }) => key === contentKey(id))),
    [deleted, id],
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setIsTried(true);
    if (found === null) onOpen(id, file);
  };
  return (
    <Dialog onClose={onClose} title="New content item">
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            data-autofocus
            label="Id"
            description="Games request it by this name. It cannot be changed later."
            placeholder="season 10 offers"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={typed}
            error={issue}
            onChange={(event) => setOwn(event.currentTarget.value)}
          />
          <Text size="sm" role="status" mih={22} style={{ overflowWrap: 'anywhere' }}>
            {id !== '' && !isTaken && found === null && (
              <>
                It will be <strong className="mono">{id}</strong>
                {old !== undefined && ', which was deleted'}
              </>
            )}
            {isTaken && (
              <Anchor component={Link} href={pathOf.content(env, id)} size="sm">
                Open {id}
              </Anchor>
            )}
          </Text>
          {old !== undefined && !isTaken && (
            <Alert color="gray" icon={<IconTrash aria-hidden />} p="xs">
              A deleted content item has this id. A new one continues its history; or{' '}
              <Anchor component={Link} href={pathOf.content(env, old.content.id)} size="sm">
                restore the deleted one
              </Anchor>
              .
            </Alert>
          )}
          <Group justify="space-between">
            <FileButton accept={jsonFiles} onChange={(chosen) => chosen !== null && onFile(chosen)}>
              {(button) => (
                <Button
                  {...button}
                  variant="subtle"
                  leftSection={<IconFileUpload size={16} aria-hidden />}
                >
                  {file === null ? 'Start from a file…' : 'Another file…'}
                </Button>
              )}
            </FileButton>
            {file !== null && (
              <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                The text comes from {file.name}.
              </Text>
            )}
          </Group>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit">Open the editor</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
