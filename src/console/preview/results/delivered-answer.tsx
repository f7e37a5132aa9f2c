/** The wrapped answer, byte for byte as delivery gives it. */
import { Button, Collapse, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronRight } from '@tabler/icons-react';
import { CopyButton } from '../../parts/copy-button.js';
import styles from './delivered-answer.module.css';

/** What is longer is copied whole, and shown in part. */
const shownCharsMax = 20_000;

export function DeliveredAnswer({ answer }: { readonly answer: string }) {
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
          Wrapped answer, byte for byte
        </Button>
        <CopyButton value={answer} label="Copy answer" />
      </Group>
      <Collapse expanded={isOpen}>
        {isOpen && (
          <pre className={styles['answer']}>
            {answer.length > shownCharsMax
              ? `${answer.slice(0, shownCharsMax)}… (${answer.length - shownCharsMax} more characters: copy it to see all)`
              : answer}
          </pre>
        )}
      </Collapse>
    </Stack>
  );
}
