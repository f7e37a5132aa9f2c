/** The way from an empty server to a first answer, step by step, with the next one marked. */
import { List, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';

export interface Step {
  readonly title: string;
  readonly text: string;
  readonly isDone: boolean;
  /** What does it; shown when it is its turn. */
  readonly action?: ReactNode;
}

export interface FirstStepsProps {
  readonly title: string;
  readonly steps: readonly Step[];
}

export function FirstSteps({ title, steps }: FirstStepsProps) {
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="first-steps">
      <Title order={2} size="h4" id="first-steps" mb="md">
        {title}
      </Title>
      <List
        type="ordered"
        listStyleType="none"
        spacing="md"
        styles={{ itemWrapper: { alignItems: 'flex-start' } }}
      >
        {steps.map(({ title: step, text, isDone, action }, at) => (
          <List.Item
            key={step}
            aria-current={at === next ? 'step' : undefined}
            icon={
              <ThemeIcon
                radius="xl"
                size={28}
                variant={isDone || at === next ? 'filled' : 'default'}
                color={isDone ? 'teal' : undefined}
                aria-hidden
              >
                {isDone ? <IconCheck size={16} /> : <Text size="sm">{at + 1}</Text>}
              </ThemeIcon>
            }
          >
            <Stack gap={4} align="flex-start">
              <Text fw={600} lh="28px">
                {step}
                {isDone && (
                  <Text span c="dimmed" size="sm" fw={400}>
                    {' '}
                    (done)
                  </Text>
                )}
              </Text>
              {!isDone && (
                <Text size="sm" c="dimmed">
                  {text}
                </Text>
              )}
              {at === next && action}
            </Stack>
          </List.Item>
        ))}
      </List>
    </Paper>
  );
}
