/** The sign of what an event was about. */
import { ThemeIcon } from '@mantine/core';
import {
  IconArrowsExchange,
  IconDatabase,
  IconFileCode,
  IconKey,
  IconLogin2,
  IconStack2,
  IconUser,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react';

type Icon = typeof IconKey;

const icons: Readonly<Record<string, Icon>> = {
  content: IconFileCode,
  segment: IconUsersGroup,
  'sample-user': IconUser,
  key: IconKey,
  environment: IconStack2,
  user: IconUser,
  token: IconKey,
  session: IconLogin2,
  webhook: IconWebhook,
};

export function EventIcon({ action, isHarsh }: { action: string; isHarsh: boolean }) {
  const isMove = action === 'environment.sync' || action === 'environment.import';
  const Shown = isMove ? IconArrowsExchange : (icons[action.split('.')[0] ?? ''] ?? IconDatabase);
  return (
    <ThemeIcon variant="light" size={30} radius="xl" color={isHarsh ? 'red' : 'ink'} aria-hidden>
      <Shown size={17} />
    </ThemeIcon>
  );
}
