/** The way from an empty server to the first response, step by step, with the next one marked. */
import { List, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconCheck } from '../icons/icons.js';

const steps = [
  {
    title: 'Create an environment',
    text: 'A place for content, with keys of its own. Many teams have “staging” to try things and “production”, protected, for players.',
  },
  { title: 'Create an API key', text: 'Your game sends it with each request.' },
  {
    title: 'Create a content item',
    text: 'JSON with comments, which is served as soon as you publish it.',
  },
];

export interface FirstStepsProps {
  readonly title: string;
  /** Steps that are done. */
  readonly done: number;
  /** Does the next step. */
  readonly action?: ReactNode;
}

export function FirstSteps({ title, done, action }: FirstStepsProps) {
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
        {steps.map(({ title: step, text }, at) => (
          <List.Item
            key={step}
            aria-current={at === done ? 'step' : undefined}
            icon={
              <ThemeIcon
                radius="xl"
                size={28}
                variant={at <= done ? 'filled' : 'default'}
                color={at < done ? 'teal' : undefined}
                aria-hidden
              >
                {at < done ? <IconCheck size={16} /> : <Text size="sm">{at + 1}</Text>}
              </ThemeIcon>
            }
          >
            <Stack gap={4} align="flex-start">
              <Text fw={600} lh="28px">
                {step}
                {at < done && (
                  <Text span c="dimmed" size="sm" fw={400}>
                    {' '}
                    (done)
                  </Text>
                )}
              </Text>
              {at >= done && (
                <Text size="sm" c="dimmed">
                  {text}
                </Text>
              )}
              {at === done && action}
            </Stack>
          </List.Item>
        ))}
      </List>
    </Paper>
  );
}
