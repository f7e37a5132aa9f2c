/** Asks for the id of a new content, and opens the editor; nothing is saved before the editor does. */
import { Alert, Anchor, Button, FileButton, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconFileUpload, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { contentKey } from '../../../content/content-id.js';
import { Dialog } from '../../parts/dialog.js';
import { EnvironmentChip } from '../../parts/environment-chip.js';
import { pathOf } from '../../parts/environments.js';
import { useContents } from '../contents-query.js';
import { contentIdFault } from './content-id-fault.js';
import { contentSlug, contentSlugOfFile } from './content-slug.js';
import { jsonFiles } from './text-of-file.js';

/** A file that becomes the first text. */
export interface ChosenFile {
  readonly name: string;
  readonly text: string;
}

export interface NewContentProps {
  readonly env: string;
  /** Ids that are there, in the form in which they are matched. */
  readonly taken: ReadonlySet<string>;
  /** What was searched for and not found, or what a file is called. */
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
  const found = contentIdFault(id, taken);
  const isTaken = taken.has(contentKey(id));
  const fault = found !== null && (isTried || typed !== '') ? found : null;
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
    <Dialog onClose={onClose} title="New content">
      <form onSubmit={submit} noValidate>
        <Stack>
          <div>
            <EnvironmentChip env={env} />
          </div>
          <TextInput
            data-autofocus
            label="Id"
            description="Games ask for it by this name; it cannot be changed later."
            placeholder="season 10 offers"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={typed}
            error={fault}
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
              A deleted content has this id. A new one goes on with its history; or{' '}
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
                  {file === null ? 'Begin with a file…' : 'Another file…'}
                </Button>
              )}
            </FileButton>
            {file !== null && (
              <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                The text is that of {file.name}.
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
