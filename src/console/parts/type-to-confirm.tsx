/** Asks before something is done that is hard to undo; where it is dangerous, a name is typed. */
import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.js';
import { ProblemAlert } from './problem-alert.js';
import { useTypedName } from './typed-name.js';

export interface TypeToConfirmProps {
  readonly title: string;
  /** What happens, and whether it can be undone. */
  readonly children: ReactNode;
  /** What is to be typed; null: it is only asked. */
  readonly name: string | null;
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
  const { isRight, field } = useTypedName(name);
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
          {field}
          {error !== null && <ProblemAlert error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} data-autofocus={name === null || undefined}>
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
