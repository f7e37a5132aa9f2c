/** Shown for an environment that does not exist, or that the user may not see. */
import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { IconMap2 } from '../icons/icons.js';
import { EmptyState } from './empty-state.js';

export function UnknownEnvironment({ env }: { readonly env: string }) {
  return (
    <EmptyState
      icon={<IconMap2 />}
      title={`The environment “${env}” does not exist`}
      action={
        <Button component={Link} href="/environments" variant="default">
          All environments
        </Button>
      }
    >
      It was deleted, or you may not see it.
    </EmptyState>
  );
}
