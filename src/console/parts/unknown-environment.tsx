/** For an environment that is not there, or not for who asks. */
import { Button } from '@mantine/core';
import { IconMap2 } from '@tabler/icons-react';
import { Link } from 'wouter';
import { EmptyState } from './empty-state.js';

export function UnknownEnvironment({ env }: { readonly env: string }) {
  return (
    <EmptyState
      icon={<IconMap2 />}
      title={`There is no environment “${env}”`}
      action={
        <Button component={Link} href="/environments" variant="default">
          All environments
        </Button>
      }
    >
      It was deleted, or it is not for you.
    </EmptyState>
  );
}
