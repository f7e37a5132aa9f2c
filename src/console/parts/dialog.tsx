/** A dialog that is open while it is rendered, and returns the focus to what opened it. */
import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';
import { findOpeners, giveFocusBack } from './focus-return.js';

export type DialogProps = Omit<ModalProps, 'opened'>;

export function Dialog(props: DialogProps) {
  const [openers] = useState(findOpeners);
  useEffect(() => () => giveFocusBack(openers), [openers]);
  return <Modal opened {...props} />;
}
