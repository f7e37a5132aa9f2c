/** Sample users: pick one, save the typed one, rename it, delete it. */
import {
  ActionIcon,
  Button,
  Group,
  Menu,
  Modal,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconDeviceFloppy, IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { sameTokens } from '../../conditions/same-tokens.js';
import { askToConfirm } from '../../parts/ask-to-confirm.js';
import { useEnvironment } from '../../parts/environments.js';
import { notifyDone, notifyFailed } from '../../parts/notify.js';
import { useMayEdit } from '../../session/session.js';
import { useDeleteSampleUser, useSampleUsers, useSaveSampleUser } from './sample-users.js';
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

type Naming = 'save' | 'rename';

export function SampleUserPicker({ env, user, onPick }: SampleUserPickerProps) {
  const mayEdit = useMayEdit(useEnvironment(env));
  const saved = useSampleUsers(env);
  const users = saved.data ?? [];
  const [name, setName] = useState<string | null>(null);
  const [naming, setNaming] = useState<Naming | null>(null);
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
              <ActionIcon variant="default" size={36} aria-label="Sample user actions">
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
              onClick={() =>
                save.mutate(
                  { name: picked.name, context: source },
                  {
                    onError: notifyFailed,
                    onSuccess: () => notifyDone(`Saved the sample user ${picked.name}.`),
                  },
                )
              }
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
      <NameModal
        key={naming}
        naming={naming}
        taken={users.map((one) => one.name)}
        current={picked?.name ?? null}
        isBusy={save.isPending}
        error={save.error}
        onClose={() => {
          setNaming(null);
          save.reset();
        }}
        onName={(chosen) => {
          const renamed = naming === 'rename' ? picked : null;
          save.mutate(
            {
              name: chosen,
              context: renamed?.context ?? source,
              ...(renamed !== null && { renamedFrom: renamed.name }),
            },
            {
              onSuccess: () => {
                setName(chosen);
                setNaming(null);
                notifyDone(renamed ? `Renamed to ${chosen}.` : `Saved the sample user ${chosen}.`);
              },
            },
          );
        }}
      />
    </Stack>
  );
}

interface NameModalProps {
  readonly naming: Naming | null;
  readonly taken: readonly string[];
  readonly current: string | null;
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onClose: () => void;
  readonly onName: (name: string) => void;
}

function NameModal({ naming, taken, current, isBusy, error, onClose, onName }: NameModalProps) {
  const [typed, setTyped] = useState(naming === 'rename' ? (current ?? '') : '');
  const name = typed.trim();
  const isTaken = taken.includes(name) && !(naming === 'rename' && name === current);
  const issue = isTaken ? 'A sample user of this name exists already.' : null;
  return (
    <Modal
      opened={naming !== null}
      onClose={onClose}
      title={naming === 'rename' ? `Rename ${current}` : 'Save as a sample user'}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (name !== '' && issue === null) onName(name);
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
            error={issue ?? error?.message}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isBusy} disabled={name === '' || issue !== null}>
              {naming === 'rename' ? 'Rename' : 'Save'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
