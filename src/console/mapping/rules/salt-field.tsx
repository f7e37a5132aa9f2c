/** The salt of a test: what its groups are drawn with. A test of its own wants a salt of its own. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import styles from '../../content/content.module.css';
import { useDraft } from '../../draft/draft-context.js';
import { proposeSalt } from './rule-edits.js';
import { useFieldError, useRule } from './rule-handle.js';
import { TextField } from './text-field.js';

export const saltReason =
  'Without a salt of its own every test splits players along the same line: who is in the first half of one is in the first half of all.';

export function SaltField() {
  const { rule, readOnly, set, saved } = useRule();
  const { saved: content } = useDraft();
  const error = useFieldError('salt');
  const propose = (): void =>
    set('salt', JSON.stringify(proposeSalt(content.id, rule.segment || 'test')));
  // Of what was never live, nobody is in a variant yet.
  const wasTest = content.live !== null && saved !== null && saved.variants !== null;
  return (
    <Stack gap={6}>
      <Group gap="xs" align="flex-end" wrap="wrap">
        <TextField
          label="Salt"
          description={
            rule.salt === null ? saltReason : 'Draws the groups of this test, and of no other.'
          }
          value={rule.salt ?? ''}
          onText={(text) => set('salt', text === '' ? null : JSON.stringify(text))}
          error={error}
          placeholder="None: the group is meta.mod"
          readOnly={readOnly}
          maxLength={256}
          classNames={{ input: 'mono' }}
          flex="1 1 300px"
          maw={620}
        />
        {!readOnly && (
          <Button variant="default" onClick={propose}>
            {rule.salt === null ? 'Give it a salt' : 'New salt'}
          </Button>
        )}
      </Group>
      {wasTest && saved.salt !== rule.salt && (
        <Alert
          color="yellow"
          variant="light"
          py="xs"
          icon={<IconAlertTriangle aria-hidden />}
          title="Players will change variants"
          classNames={{ title: styles['alertTitle'] ?? '' }}
          role="status"
        >
          <Text size="sm">
            The groups are drawn anew with another salt, which muddles what a running test measures.
          </Text>
          {!readOnly && (
            <Button
              mt={6}
              size="compact-sm"
              variant="default"
              onClick={() => set('salt', saved.salt === null ? null : JSON.stringify(saved.salt))}
            >
              Keep the saved salt
            </Button>
          )}
        </Alert>
      )}
    </Stack>
  );
}
