/** Many user contexts: pasted, from a file, or made up. */
import {
  Button,
  FileButton,
  Group,
  NumberInput,
  Popover,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { IconFileUpload, IconUsersPlus } from '../../icons/icons.js';
import { CodeEditor } from '../../parts/code/code-editor.js';
import { notifyFailed } from '../../parts/notify.js';
import { useSampleUsers } from './sample-users.js';
import { contextsMax, makeContexts } from './typed-contexts.js';

export interface GivenContexts {
  readonly text: string;
  /** Of a large file, or of many made-up users: only the name is shown. */
  readonly name: string | null;
}

export const noContexts: GivenContexts = { text: '', name: null };

export interface ContextsInputProps {
  readonly env: string;
  readonly value: GivenContexts;
  readonly onChange: (value: GivenContexts) => void;
}

/** The server takes previews of up to 16 MB. */
const fileBytesMax = 16 * 1024 * 1024;
/** Longer texts are not put into the editor. */
const editedCharsMax = 100_000;

export function ContextsInput({ env, value, onChange }: ContextsInputProps) {
  const take = async (file: File | null): Promise<void> => {
    if (file === null) return;
    if (file.size > fileBytesMax) {
      notifyFailed(new Error(`${file.name} is larger than 16 MB. Take a part of it.`));
      return;
    }
    const text = await file.text();
    onChange({ text, name: text.length > editedCharsMax ? file.name : null });
  };
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <FileButton onChange={(file) => void take(file)} accept=".ndjson,.jsonl,.json,.txt,.csv">
          {(props) => (
            <Button
              {...props}
              size="compact-sm"
              variant="default"
              leftSection={<IconFileUpload size={14} aria-hidden />}
            >
              Choose a file
            </Button>
          )}
        </FileButton>
        <MakeUp env={env} onMake={onChange} />
        {value.text !== '' && (
          <Button size="compact-sm" variant="subtle" onClick={() => onChange(noContexts)}>
            Clear
          </Button>
        )}
      </Group>
      {value.name === null ? (
        <CodeEditor
          value={value.text}
          onChange={(text) => onChange({ text, name: null })}
          label="User contexts"
          language="text"
          minRows={6}
          maxRows={14}
          placeholder={'{"u":"player-1","p":{"country":"DE"},"v":"1.4.0"}\nplayer-2'}
        />
      ) : (
        <Text size="sm">
          From <b>{value.name}</b>.
        </Text>
      )}
      <Text size="xs">
        One user context or user id per line, or a JSON list of them; up to{' '}
        {contextsMax.toLocaleString('en')}. The request body of your game is one.
      </Text>
    </Stack>
  );
}

interface MakeUpProps {
  readonly env: string;
  readonly onMake: (made: GivenContexts) => void;
}

function MakeUp({ env, onMake }: MakeUpProps) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const users = useSampleUsers(env).data ?? [];
  const [count, setCount] = useState(1_000);
  const [prefix, setPrefix] = useState('player-');
  const [like, setLike] = useState<string | null>(null);
  const make = (): void => {
    const context = users.find(({ name }) => name === like)?.context ?? '{}';
    const text = makeContexts(count, prefix, context);
    const name = `${count.toLocaleString('en')} made-up users${like === null ? '' : ` like ${like}`}`;
    onMake({ text, name: text.length > editedCharsMax ? name : null });
    close();
  };
  return (
    <Popover opened={isOpen} onClose={close} withArrow trapFocus position="bottom-start">
      <Popover.Target>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconUsersPlus size={14} aria-hidden />}
          onClick={toggle}
        >
          Make up users
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            make();
          }}
        >
          <Stack gap="xs" maw={260}>
            <NumberInput
              label="How many"
              min={1}
              max={contextsMax}
              clampBehavior="strict"
              thousandSeparator=","
              value={count}
              onChange={(next) => setCount(typeof next === 'number' ? next : 1)}
            />
            <TextInput
              label="User ids begin with"
              value={prefix}
              onChange={(event) => setPrefix(event.currentTarget.value)}
            />
            <Select
              label="Attributes and version of"
              placeholder="none: ids alone"
              clearable
              data={users.map(({ name }) => name)}
              value={like}
              onChange={setLike}
              comboboxProps={{ withinPortal: false }}
            />
            <Button type="submit" size="xs">
              Make them
            </Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
