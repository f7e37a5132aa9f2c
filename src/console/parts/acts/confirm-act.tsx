/** Asks before an act that a click carries out; in a protected environment by the one rule (D68). */
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { GuardedForm, type GuardedFormProps } from './guarded-form.js';

export interface ConfirmActProps
  extends Pick<
    GuardedFormProps,
    'env' | 'act' | 'isFelt' | 'title' | 'confirm' | 'color' | 'onClose'
  > {
  /** What happens, and whether it can be undone. */
  readonly children: ReactNode;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
}

export function ConfirmAct(props: ConfirmActProps) {
  const { children, isPending, error, onConfirm, ...form } = props;
  const submit = (event: { preventDefault: () => void }): void => {
    event.preventDefault();
    onConfirm();
  };
  return (
    <GuardedForm {...form} form={{ submit, isPending, error }} focusName="opening" focus="cancel">
      <Text size="sm" component="div">
        {children}
      </Text>
    </GuardedForm>
  );
}
