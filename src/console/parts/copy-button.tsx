/** Copies a text, and confirms it. */
import { Button, CopyButton as MantineCopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '../icons/icons.js';

export function CopyButton({ value, label = 'Copy' }: { value: string; label?: string }) {
  return (
    <MantineCopyButton value={value}>
      {({ copied, copy }) => (
        <Button
          size="xs"
          variant="default"
          onClick={copy}
          leftSection={
            copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />
          }
        >
          <span aria-live="polite">{copied ? 'Copied' : label}</span>
        </Button>
      )}
    </MantineCopyButton>
  );
}
