/** A form in a dialog: its fields, what went wrong, and the buttons that send or leave it. */
import { Button, Group, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { Dialog, type DialogProps } from '../dialog.js';
import { ProblemAlert } from '../problem-alert.js';

export interface FormDialogProps extends Omit<DialogProps, 'onSubmit'> {
  readonly form: {
    readonly submit: (event: FormEvent<HTMLFormElement>) => void;
    readonly isPending: boolean;
    /** What no field shows; null: nothing. */
    readonly error: unknown;
    readonly errors?: Readonly<Record<string, ReactNode>>;
  };
  /** On the button that sends it. */
  readonly confirm: string;
  readonly color?: string | undefined;
  readonly isDisabled?: boolean;
  readonly cancel?: string;
  /** Which button takes the focus when no field does. */
  readonly focus?: 'cancel' | 'confirm' | undefined;
}

export function FormDialog(props: FormDialogProps) {
  const { form, confirm, color, isDisabled, cancel = 'Cancel', focus, children, ...dialog } = props;
  const { submit, isPending, error, errors } = form;
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (errors === undefined || Object.keys(errors).length === 0) return;
    element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [errors]);
  return (
    <Dialog {...dialog}>
      <form ref={element} onSubmit={submit}>
        <Stack>
          {children}
          {error !== null && <ProblemAlert error={error} />}
          <Group justify="flex-end">
            <Button
              variant="default"
              onClick={dialog.onClose}
              disabled={isPending}
              data-autofocus={focus === 'cancel' || undefined}
            >
              {cancel}
            </Button>
            <Button
              type="submit"
              color={color}
              disabled={isDisabled}
              loading={isPending}
              data-autofocus={focus === 'confirm' || undefined}
            >
              {confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
