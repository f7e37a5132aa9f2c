/** The wrapped response, byte for byte as delivery sends it. */
import { Button, Collapse, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronRight } from '../../icons/icons.js';
import { CopyButton } from '../../parts/copy-button.js';
import styles from './delivered-response.module.css';

/** Longer responses are shown in part; the button copies everything. */
const shownCharsMax = 20_000;

export function DeliveredResponse({ wrapped }: { readonly wrapped: string }) {
  const [isOpen, { toggle }] = useDisclosure(false);
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Button
          size="compact-sm"
          variant="subtle"
          aria-expanded={isOpen}
          onClick={toggle}
          leftSection={
            <IconChevronRight
              size={14}
              aria-hidden
              style={{ transform: isOpen ? 'rotate(90deg)' : 'none' }}
            />
          }
        >
          Wrapped response, byte for byte
        </Button>
        <CopyButton value={wrapped} label="Copy response" />
      </Group>
      <Collapse expanded={isOpen}>
        {isOpen && (
          <pre className={styles['response']}>
            {wrapped.length > shownCharsMax
              ? `${wrapped.slice(0, shownCharsMax)}… (${wrapped.length - shownCharsMax} more characters: copy it to see all)`
              : wrapped}
          </pre>
        )}
      </Collapse>
    </Stack>
  );
}
