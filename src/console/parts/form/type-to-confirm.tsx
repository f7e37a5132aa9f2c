/** Asks for confirmation of something hard to undo; if it is dangerous, by typing a name. */
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { FormDialog } from './form-dialog.js';
import { useTypedName } from './typed-name.js';

export interface TypeToConfirmProps {
  readonly title: string;
  /** What happens, and whether it can be undone. */
  readonly children: ReactNode;
  /** What is to be typed; null: a click confirms. */
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
  const submit = (event: { preventDefault: () => void }): void => {
    event.preventDefault();
    if (isRight) onConfirm();
  };
  return (
    <FormDialog
      {...{ title, confirm, color, onClose }}
      form={{ submit, isPending, error }}
      isDisabled={!isRight}
      focus={name === null ? 'cancel' : undefined}
    >
      <Text size="sm" component="div">
        {children}
      </Text>
      {field}
    </FormDialog>
  );
}
