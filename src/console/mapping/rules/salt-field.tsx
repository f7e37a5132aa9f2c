/** The salt of a test, which assigns players to buckets. An independent test needs its own. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import styles from '../../content/content.module.css';
import { useDraft } from '../../draft/draft-context.js';
import { IconAlertTriangle } from '../../icons/icons.js';
import { proposeSalt } from './rule-edits.js';
import { useFieldError, useRule } from './rule-handle.js';
import { TextField } from './text-field.js';

const saltReason =
  'Without a seed of its own, a test shares its buckets with others: the same players are in the first half of each.';

export function SaltField() {
  const { rule, readOnly, set, saved } = useRule();
  const { saved: content } = useDraft();
  const error = useFieldError('salt');
  const propose = (): void =>
    set('salt', JSON.stringify(proposeSalt(content.id, rule.segment || 'test')));
  // Before the first publish, no player is in a variant.
  const wasTest = content.live !== null && saved !== null && saved.variants !== null;
  return (
    <Stack gap={6}>
      <Group gap="xs" align="flex-end" wrap="wrap">
        <TextField
          label="Assignment seed"
          description={
            rule.salt === null
              ? saltReason
              : 'Assigns players to the buckets of this test alone; salt in the JSON.'
          }
          value={rule.salt ?? ''}
          onText={(text) => set('salt', text === '' ? null : JSON.stringify(text))}
          error={error}
          placeholder="None: the bucket is meta.mod"
          readOnly={readOnly}
          maxLength={256}
          classNames={{ input: 'mono' }}
          flex="1 1 300px"
          maw={620}
        />
        {!readOnly && (
          <Button variant="default" onClick={propose}>
            {rule.salt === null ? 'Give it a seed' : 'Re-shuffle players'}
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
            Players will be reshuffled between variants. This spoils a running test.
          </Text>
          {!readOnly && (
            <Button
              mt={6}
              size="compact-sm"
              variant="default"
              onClick={() => set('salt', saved.salt === null ? null : JSON.stringify(saved.salt))}
            >
              Keep the saved seed
            </Button>
          )}
        </Alert>
      )}
    </Stack>
  );
}
