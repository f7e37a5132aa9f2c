/** For a path that leads nowhere. */
import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { IconMap2 } from '../icons/icons.js';
import { EmptyState } from '../parts/empty-state.js';
import { Page } from '../parts/page.js';

export function UnknownScreen() {
  return (
    <Page title="Nothing here">
      <EmptyState
        icon={<IconMap2 />}
        title="Page not found"
        action={
          <Button component={Link} href="/">
            Go to the content
          </Button>
        }
      >
        The address may be mistyped, or the environment may be gone.
      </EmptyState>
    </Page>
  );
}
