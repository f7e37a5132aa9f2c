/** Asks to type a name before something is done that is hard to undo. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Dialog } from './dialog.js';
import { ProblemAlert } from './problem-alert.js';

export interface TypeToConfirmProps {
  readonly title: string;
  /** What happens, and whether it can be undone. */
  readonly children: ReactNode;
  /** What is to be typed. */
  readonly name: string;
  /** On the button that does it. */
  readonly confirm: string;
  readonly color?: string;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function TypeToConfirm(props: TypeToConfirmProps) {
  const { title, children, name, confirm, color = 'red', isPending, error } = props;
  const { onConfirm, onClose } = props;
  const [typed, setTyped] = useState('');
  const isRight = typed.trim() === name;
  return (
    <Dialog onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isRight) onConfirm();
        }}
      >
        <Stack>
          <Text size="sm" component="div">
            {children}
          </Text>
          <TextInput
            data-autofocus
            label={
              <>
                Type <span className="mono">{name}</span> to confirm
              </>
            }
            autoComplete="off"
            spellCheck={false}
            autoCapitalize="none"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          {error !== null && <ProblemAlert error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color={color} disabled={!isRight} loading={isPending}>
              {confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
