/** Shows the secret of a webhook, which is shown only once, and what a receiver does with it. */
import { Alert, Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy, IconInfoCircle } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { VerifyHelp } from './verify-help.js';

export interface SecretModalProps {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
  /** What else is to be known. */
  readonly children?: ReactNode;
}

export function SecretModal({ title, secret, onClose, children }: SecretModalProps) {
  const clipboard = useClipboard({ timeout: 4_000 });
  const [wasCopied, setWasCopied] = useState(false);
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size="xl"
      // It does not go away by accident.
      withCloseButton={wasCopied}
      closeOnEscape={wasCopied}
      closeOnClickOutside={false}
    >
      <Stack>
        <Alert icon={<IconInfoCircle aria-hidden />} color="orange" variant="light">
          This is the only time that the secret is shown. Give it to the receiver now. If it is
          lost, replace it.
        </Alert>
        {children}
        <Group align="flex-end" gap="xs">
          <TextInput
            label="Secret"
            value={secret}
            readOnly
            flex={1}
            miw={220}
            classNames={{ input: 'mono' }}
            onFocus={(event) => event.currentTarget.select()}
          />
          <Button
            data-autofocus
            leftSection={
              clipboard.copied ? (
                <IconCheck size={16} aria-hidden />
              ) : (
                <IconCopy size={16} aria-hidden />
              )
            }
            onClick={() => {
              clipboard.copy(secret);
              setWasCopied(true);
            }}
          >
            <span aria-live="polite">{clipboard.copied ? 'Copied' : 'Copy'}</span>
          </Button>
        </Group>
        {clipboard.error !== null && (
          <Alert color="red" variant="light" role="alert">
            The browser does not let this page copy, as it is not served over https. Select the
            secret and copy it by hand.
          </Alert>
        )}
        <VerifyHelp />
        <Group justify="flex-end">
          <Button variant={wasCopied ? 'filled' : 'default'} onClick={onClose}>
            {wasCopied ? 'Done' : 'I have stored it'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
