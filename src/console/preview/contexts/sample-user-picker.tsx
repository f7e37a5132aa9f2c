/** Sample users: pick one, save the typed one, rename it, delete it. */
import { ActionIcon, Button, Group, Menu, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { sameTokens } from '../../conditions/same-tokens.js';
import { IconDeviceFloppy, IconDots } from '../../icons/icons.js';
import { Dialog } from '../../parts/dialog.js';
import { useEnvironment } from '../../parts/environments.js';
import { askToConfirm } from '../../parts/form/ask-to-confirm.js';
import { notifyDone, notifyFailed } from '../../parts/notify.js';
import { useMayEdit } from '../../session/session.js';
import {
  type SampleUser,
  useDeleteSampleUser,
  useSampleUsers,
  useSaveSampleUser,
} from './sample-users.js';
import {
  contextIssues,
  contextOf,
  contextSource,
  isInvalid,
  type UserContext,
} from './user-context.js';

export interface SampleUserPickerProps {
  readonly env: string;
  readonly user: UserContext;
  readonly onPick: (user: UserContext) => void;
}

export function SampleUserPicker({ env, user, onPick }: SampleUserPickerProps) {
  const mayEdit = useMayEdit(useEnvironment(env));
  const users = useSampleUsers(env).data ?? [];
  const [name, setName] = useState<string | null>(null);
  const [naming, setNaming] = useState<'save' | 'rename' | null>(null);
  const save = useSaveSampleUser(env);
  const remove = useDeleteSampleUser(env);
  const isValid = !isInvalid(contextIssues(user));
  const source = isValid ? contextSource(user) : '{}';
  const picked = users.find((one) => one.name === name) ?? null;
  const isChanged =
    picked !== null && isValid && !sameTokens(contextSource(contextOf(picked.context)), source);

  const askDelete = (goner: string): void =>
    askToConfirm({
      title: `Delete the sample user ${goner}?`,
      text: 'It is deleted for everyone in this environment. The form keeps its values, so it can be saved again.',
      confirm: 'Delete sample user',
      color: 'red',
      onConfirm: () =>
        remove.mutate(goner, { onError: notifyFailed, onSuccess: () => setName(null) }),
    });
  const saveChanges = (changed: string): void =>
    save.mutate(
      { name: changed, context: source },
      {
        onError: notifyFailed,
        onSuccess: () => notifyDone(`Saved the sample user ${changed}.`),
      },
    );
  return (
    <Stack gap={6}>
      <Group gap={6} align="flex-end" wrap="nowrap">
        <Select
          flex={1}
          miw={0}
          label="Sample user"
          placeholder={users.length === 0 ? 'none saved yet' : 'pick one'}
          searchable
          clearable
          nothingFoundMessage="No sample user of this name"
          data={users.map((one) => one.name)}
          value={picked?.name ?? null}
          onChange={(next) => {
            setName(next);
            const found = users.find((one) => one.name === next);
            if (found !== undefined) onPick(contextOf(found.context));
          }}
        />
        {mayEdit && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="default" size="input-sm" aria-label="Sample user actions">
                <IconDots size={16} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item disabled={!isValid} onClick={() => setNaming('save')}>
                Save as a new sample user…
              </Menu.Item>
              <Menu.Item disabled={picked === null} onClick={() => setNaming('rename')}>
                Rename…
              </Menu.Item>
              <Menu.Item
                color="red"
                disabled={picked === null}
                onClick={() => picked !== null && askDelete(picked.name)}
              >
                Delete…
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
      {picked !== null && isChanged && (
        <Group gap="xs">
          <Text size="xs">Changed here.</Text>
          {mayEdit && (
            <Button
              size="compact-xs"
              variant="light"
              loading={save.isPending}
              leftSection={<IconDeviceFloppy size={12} aria-hidden />}
              onClick={() => saveChanges(picked.name)}
            >
              Save changes
            </Button>
          )}
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={() => onPick(contextOf(picked.context))}
          >
            Back to saved
          </Button>
        </Group>
      )}
      {naming !== null && (
        <NameDialog
          env={env}
          renamed={naming === 'rename' ? picked : null}
          context={naming === 'rename' && picked !== null ? picked.context : source}
          taken={users.map((one) => one.name)}
          onClose={() => setNaming(null)}
          onNamed={setName}
        />
      )}
    </Stack>
  );
}

interface NameDialogProps {
  readonly env: string;
  /** Null: a new one is saved. */
  readonly renamed: SampleUser | null;
  readonly context: string;
  readonly taken: readonly string[];
  readonly onClose: () => void;
  readonly onNamed: (name: string) => void;
}

function NameDialog({ env, renamed, context, taken, onClose, onNamed }: NameDialogProps) {
  const save = useSaveSampleUser(env);
  const [typed, setTyped] = useState(renamed?.name ?? '');
  const name = typed.trim();
  const isTaken = taken.includes(name) && name !== renamed?.name;
  const submit = (): void =>
    save.mutate(
      { name, context, ...(renamed !== null && { renamedFrom: renamed.name }) },
      {
        onSuccess: () => {
          onNamed(name);
          onClose();
          notifyDone(renamed === null ? `Saved the sample user ${name}.` : `Renamed to ${name}.`);
        },
      },
    );
  return (
    <Dialog
      onClose={onClose}
      title={renamed === null ? 'Save as a sample user' : `Rename ${renamed.name}`}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (name !== '' && !isTaken) submit();
        }}
      >
        <Stack>
          <TextInput
            label="Name"
            description="Visible to everyone who works in this environment."
            placeholder="New player in Germany"
            data-autofocus
            maxLength={128}
            value={typed}
            error={isTaken ? 'A sample user of this name exists already.' : save.error?.message}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending} disabled={name === '' || isTaken}>
              {renamed === null ? 'Save' : 'Rename'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
