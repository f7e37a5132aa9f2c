/** Where the console opens: the first screen of the environment that was viewed last, or the environments. */
import { Center, Loader } from '@mantine/core';
import { Redirect } from 'wouter';
import { useEnvironments } from '../parts/environments.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { useSession } from '../session/session.js';
import { firstScreenOf } from './first-screen.js';
import { lastEnvironment } from './last-environment.js';

export function StartScreen() {
  const { data, error, refetch } = useEnvironments();
  const { role } = useSession();
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
    <Redirect to={found === undefined ? '/environments' : firstScreenOf(found.id, role)} replace />
  );
}
