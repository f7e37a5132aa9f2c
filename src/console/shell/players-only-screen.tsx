/** What the role support sees at every address but that of Players. */
import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { IconLock } from '../icons/icons.js';
import { EmptyState } from '../parts/empty-state.js';
import { useEnvironments } from '../parts/environments.js';
import { Page } from '../parts/page.js';

export function PlayersOnlyScreen() {
  const { data: environments = [] } = useEnvironments();
  return (
    <Page title="Not for your role">
      <EmptyState
        icon={<IconLock />}
        title="The role support sees Players only"
        action={
          environments.length > 0 && (
            <Button component={Link} href="/">
              Go to Players
            </Button>
          )
        }
      >
        It looks up what players were given. For the other screens, ask an owner for another role
        {environments.length === 0 && ', and for an environment: yours has none yet'}.
      </EmptyState>
    </Page>
  );
}
