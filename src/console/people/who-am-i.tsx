/** For users who do not manage people: their own account, and whom to ask for more. */
import { Alert, Paper, Stack, Table, Text } from '@mantine/core';
import { Page } from '../parts/page.js';
import { When } from '../parts/time/when.js';
import { useSession } from '../session/session.js';
import { RoleBadge, roleTexts } from './role.js';

export function WhoAmI() {
  const { name, role, environments, createdAt, token } = useSession();
  const facts = {
    Name: name,
    Role: (
      <Stack gap={4}>
        <RoleBadge role={role} />
        <Text size="sm" c="dimmed">
          {roleTexts[role]}
        </Text>
      </Stack>
    ),
    Environments: environments === null ? 'All' : environments.join(', ') || 'None',
    Since: <When at={createdAt} size="sm" />,
    ...(token.source === 'provider'
      ? { 'Signed in': 'With single sign-on, whose groups give the role' }
      : {
          Token: (
            <>
              <span className="mono">{token.prefix}…</span>{' '}
              {token.label === '' ? '' : `(${token.label})`}
            </>
          ),
        }),
  };
  return (
    <Page title="You" description="Your account on this server, and what you may do.">
      <Paper withBorder p="md" maw={640}>
        <Table variant="vertical" layout="auto" withRowBorders={false} aria-label="You">
          <Table.Tbody>
            {Object.entries(facts).map(([title, fact]) => (
              <Table.Tr key={title}>
                <Table.Th>{title}</Table.Th>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{fact}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
      <Alert color="gray" variant="light" maw={640}>
        Owners of the whole server manage people, roles and tokens. Ask one of them for another role
        or another token.
      </Alert>
    </Page>
  );
}
