/** Shows a secret that cannot be shown again. It does not close by accident before it is copied or stored. */
import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { useClipboard, useWindowEvent } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { IconCheck, IconCopy, IconInfoCircle } from '../icons/icons.js';
import { monoInput } from './code/mono-input.js';
import { Dialog } from './dialog.js';

export interface ShownOnceProps {
  readonly title: string;
  /** The name of the secret: "API key", "Token". */
  readonly label: string;
  readonly secret: string;
  /** Why it must be stored now; by default, because the server only keeps a hash. */
  readonly warning?: string;
  readonly onClose: () => void;
  /** How to use it. */
  readonly children?: ReactNode;
}

const keptAsHash =
  'This is shown only once, because Loadout keeps only a hash of it. Store it with your secrets.';

export function ShownOnce({
  title,
  label,
  secret,
  warning = keptAsHash,
  onClose,
  children,
}: ShownOnceProps) {
  const clipboard = useClipboard({ timeout: 4_000 });
  const [wasCopied, setWasCopied] = useState(false);
  useWindowEvent('beforeunload', (event) => {
    if (!wasCopied) event.preventDefault();
  });
  return (
    <Dialog
      onClose={onClose}
      title={title}
      size="xl"
      withCloseButton={wasCopied}
      closeOnEscape={wasCopied}
      closeOnClickOutside={false}
    >
      <Stack>
        <Alert icon={<IconInfoCircle aria-hidden />} color="orange" variant="light">
          {warning}
        </Alert>
        <Group align="flex-end" gap="xs">
          <TextInput
            label={label}
            value={secret}
            readOnly
            flex={1}
            miw={220}
            styles={monoInput}
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
            The browser allows copying only on pages served over https. Select the text and copy it
            by hand.
          </Alert>
        )}
        {children}
        <Group justify="flex-end">
          <Button variant={wasCopied ? 'filled' : 'default'} onClick={onClose}>
            {wasCopied ? 'Done' : 'I have stored it'}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
