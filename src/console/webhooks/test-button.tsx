/** Sends a message of the type webhook.test, and says what became of it. */
import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconSend } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { request } from '../api/call.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { LocalHint } from './local-hint.js';
import { useRefreshWebhooks } from './use-webhooks.js';
import { outcomeWords } from './webhook-state.js';

export function TestButton({ id }: { readonly id: string }) {
  const refresh = useRefreshWebhooks();
  const test = useMutation({
    mutationFn: () => request('POST /webhooks/:id/test', { params: { id } }),
    onSettled: refresh,
  });
  const { data, error } = test;
  return (
    <div>
      <Group gap="sm">
        <Button
          variant="default"
          leftSection={<IconSend size={16} aria-hidden />}
          loading={test.isPending}
          onClick={() => test.mutate()}
        >
          Send a test message
        </Button>
        <Text size="sm" c="dimmed" flex={1} miw={220}>
          Once, now, also while it is off. It counts neither as success nor as failure.
        </Text>
      </Group>
      <div role="status">
        {data !== undefined && !test.isPending && (
          <Alert
            mt="sm"
            variant="light"
            color={data.status === 'delivered' ? 'teal' : 'red'}
            icon={
              data.status === 'delivered' ? (
                <IconCheck aria-hidden />
              ) : (
                <IconAlertTriangle aria-hidden />
              )
            }
            title={data.status === 'delivered' ? 'The test arrived' : 'The test did not arrive'}
          >
            <Text size="sm">
              {data.status === 'delivered' ? `It was ${outcomeWords(data)}.` : outcomeWords(data)}
            </Text>
            <LocalHint words={data.lastError} />
          </Alert>
        )}
      </div>
      {error !== null && <ProblemAlert error={error} onRetry={() => test.mutate()} />}
    </div>
  );
}
