/** A dialog that is there for as long as it is rendered, and gives the focus back to what opened it. */
import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';
import { findOpeners, giveFocusBack } from './focus-return.js';

export type DialogProps = Omit<ModalProps, 'opened'>;

export function Dialog(props: DialogProps) {
  const [openers] = useState(findOpeners);
  useEffect(() => () => giveFocusBack(openers), [openers]);
  return <Modal opened {...props} />;
}
