/** A dialog that names its environment, is open while it is rendered, and returns the focus to what opened it. */
import { Group, Modal, type ModalProps } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useEnvironmentOfScreen } from './environments.js';
import { findOpeners, giveFocusBack } from './focus-return.js';
import { EnvironmentChip } from './place/environment-chip.js';

export type DialogProps = Omit<ModalProps, 'opened'>;

export function Dialog({ title, ...props }: DialogProps) {
  const [openers] = useState(findOpeners);
  useEffect(() => () => giveFocusBack(openers), [openers]);
  const titled = title === undefined ? {} : { title: <DialogTitle>{title}</DialogTitle> };
  return <Modal opened {...titled} {...props} />;
}

/** The title of a dialog, which covers that of the screen: names the environment as well. */
function DialogTitle({ children }: { readonly children: ReactNode }) {
  const env = useEnvironmentOfScreen();
  return (
    <Group gap="xs" component="span">
      <span>{children}</span>
      {env !== null && <EnvironmentChip env={env} />}
    </Group>
  );
}
