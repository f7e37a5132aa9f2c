/** Where else a missing content item exists, and how it gets here: as a draft, or by a sync. */
import { Anchor, Button, Group, List, Stack, Text } from '@mantine/core';
import { useMutation, useQueries, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Environment } from '../../contract/operations/environments.js';
import { copyContent } from '../contents/edit/copy-content.js';
import { contentKeyOf, fetchContent, type LoadedContent } from '../draft/content-query.js';
import { pathOf, useEnvironment, useOtherEnvironments } from '../parts/environments.js';
import { notifyDone } from '../parts/notify.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { useEditableEnvironments } from '../session/edit-rights.js';

interface Found {
  readonly environment: Environment;
  readonly content: LoadedContent;
}

/** The other environments that have the item; empty until they have responded. */
function useElsewhere(env: string, id: string): readonly Found[] {
  const others = useOtherEnvironments(env);
  return useQueries({
    queries: others.map((other) => ({
      queryKey: contentKeyOf(other.id, id),
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => fetchContent(other.id, id, signal),
      retry: false,
    })),
    combine: (results) =>
      results.flatMap(({ data }, place) => {
        const environment = others[place];
        return data === undefined || environment === undefined
          ? []
          : [{ environment, content: data }];
      }),
  });
}

export function CopyHere({ env, id }: { readonly env: string; readonly id: string }) {
  const found = useElsewhere(env, id);
  const here = useEnvironment(env)?.name ?? env;
  const mayCopy = useEditableEnvironments().some((one) => one.id === env);
  const queries = useQueryClient();
  const copying = useMutation({
    mutationFn: (from: string) => copyContent({ env: from, id, toEnv: env, toId: id }),
    onSuccess: () => {
      notifyDone(`${id} is saved as a draft in ${here}. Publish it when it is ready.`);
      return queries.invalidateQueries({ queryKey: ['environments', env, 'contents'] });
    },
  });
  if (found.length === 0) return null;
  return (
    <Stack gap="xs" align="center" component="section" aria-label="In other environments">
      <List listStyleType="none" spacing="xs">
        {found.map(({ environment: { id: from, name }, content: { live, newest } }) => (
          <List.Item key={from}>
            <Group gap="xs" justify="center">
              <Text size="sm">
                <Anchor
                  component={Link}
                  href={pathOf.content(from, id)}
                  size="sm"
                  underline="always"
                >
                  {name}
                </Anchor>{' '}
                has it: {live === null ? `draft r${newest}` : `r${live} is live`}.
              </Text>
              {mayCopy && (
                <Button
                  size="xs"
                  variant="default"
                  loading={copying.isPending && copying.variables === from}
                  onClick={() => copying.mutate(from)}
                >
                  Copy from {name} as a draft
                </Button>
              )}
              {live !== null && (
                <Button
                  component={Link}
                  size="xs"
                  variant="default"
                  href={`${pathOf.sync(env)}?${new URLSearchParams({ from, q: id })}`}
                >
                  Sync from {name}…
                </Button>
              )}
            </Group>
          </List.Item>
        ))}
      </List>
      {copying.error !== null && <ProblemAlert error={copying.error} />}
    </Stack>
  );
}
