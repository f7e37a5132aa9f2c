/** A part of the plan of a release: what is planned, and the button that changes it. */
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Release } from '../../../contract/schemas/release.js';
import { useReleaseReadOnlyReason } from '../../releases/release-rights.js';
import { isEditable } from '../../releases/words/release-states.js';

export interface PlanCardProps {
  readonly title: string;
  readonly release: Release;
  readonly sentences: readonly string[];
  /** The dialog that changes it. */
  readonly editor: (close: () => void) => ReactNode;
}

export function PlanCard({ title, release, sentences, editor }: PlanCardProps) {
  const [isOpen, setIsOpen] = useState(false);
  const mayEdit = useReleaseReadOnlyReason() === null && isEditable(release.state);
  return (
    <Stack gap="xs" component="section" aria-label={title}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Title order={2} size="h4">
          {title}
        </Title>
        {mayEdit && (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Change: ${title}`}
            onClick={() => setIsOpen(true)}
          >
            Change…
          </Button>
        )}
      </Group>
      {sentences.map((sentence) => (
        <Text key={sentence} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {sentence}
        </Text>
      ))}
      {isOpen && editor(() => setIsOpen(false))}
    </Stack>
  );
}
