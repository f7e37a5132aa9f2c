/** What users see who may not see webhooks. */
import { IconLock } from '../icons/icons.js';
import { EmptyState } from '../parts/empty-state.js';
import { Page } from '../parts/page.js';
import { useSession } from '../session/session.js';

export function OwnersOnly() {
  const { role, environments } = useSession();
  return (
    <Page title="Webhooks">
      <EmptyState icon={<IconLock />} title="Only owners see webhooks">
        {role === 'owner' && environments !== null
          ? `You are an owner of ${environments.join(', ')}. Webhooks are about the whole server: ask an owner of all environments.`
          : `You are ${role === 'editor' ? 'an editor' : 'a viewer'}. Ask an owner to set up a webhook for you.`}
      </EmptyState>
    </Page>
  );
}
