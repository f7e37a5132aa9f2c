/** Where the console opens: the overview of the environment that was viewed last, or the environments. */
import { Center, Loader } from '@mantine/core';
import { Redirect } from 'wouter';
import { pathOf, useEnvironments } from '../parts/environments.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { lastEnvironment } from './last-environment.js';

export function StartScreen() {
  const { data, error, refetch } = useEnvironments();
  if (error !== null) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (data === undefined) {
    return (
      <Center mih={240}>
        <Loader role="status" aria-label="Loading" />
      </Center>
    );
  }
  const found = data.find(({ id }) => id === lastEnvironment()) ?? data[0];
  return (
    <Redirect to={found === undefined ? '/environments' : pathOf.overview(found.id)} replace />
  );
}
