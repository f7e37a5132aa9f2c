/** For those who do not manage people: who they are here, and whom to ask for more. */
import { Alert, Paper, Stack, Table, Text } from '@mantine/core';
import { Page } from '../parts/page.js';
import { When } from '../parts/when.js';
import { useSession } from '../session/session.js';
import { RoleBadge } from './role-badge.js';
import { roleTexts } from './role-texts.js';

export function WhoAmI() {
  const { name, role, environments, createdAt, token } = useSession();
  return (
    <Page title="You" description="Who you are on this server, and what you may do.">
      <Paper withBorder p="md" maw={640}>
        <Table variant="vertical" layout="auto" withRowBorders={false} aria-label="You">
          <Table.Tbody>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{name}</Table.Td>
            </Table.Tr>
            <Table.Tr>
              <Table.Th>Role</Table.Th>
              <Table.Td>
                <Stack gap={4}>
                  <RoleBadge role={role} />
                  <Text size="sm" c="dimmed">
                    {roleTexts[role]}
                  </Text>
                </Stack>
              </Table.Td>
            </Table.Tr>
            <Table.Tr>
              <Table.Th>Environments</Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {environments === null ? 'All' : environments.join(', ') || 'None'}
              </Table.Td>
            </Table.Tr>
            <Table.Tr>
              <Table.Th>Since</Table.Th>
              <Table.Td>
                <When at={createdAt} size="sm" />
              </Table.Td>
            </Table.Tr>
            <Table.Tr>
              <Table.Th>Token</Table.Th>
              <Table.Td>
                <span className="mono">{token.prefix}…</span>{' '}
                {token.label === '' ? '' : `(${token.label})`}
              </Table.Td>
            </Table.Tr>
          </Table.Tbody>
        </Table>
      </Paper>
      <Alert color="gray" variant="light" maw={640}>
        Owners of the whole server manage people, roles and tokens. Ask one of them for another
        role, or for a further token.
      </Alert>
    </Page>
  );
}
