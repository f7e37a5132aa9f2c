/** What players were given: the one screen that the role support sees. */
import { useParams } from 'wouter';
import { pathOf, useEnvironments } from '../parts/environments.js';
import { TabLinks } from '../parts/navigation/tab-links.js';
import { Page } from '../parts/page.js';
import { UnknownEnvironment } from '../parts/unknown-environment.js';
import { UnknownScreen } from '../shell/unknown-screen.js';
import { playerTabs } from './player-tabs.js';

export function PlayersScreen() {
  const { env = '', tab = '' } = useParams<{ env: string; tab?: string }>();
  const { data: environments } = useEnvironments();
  const shown = playerTabs.find(({ name }) => name === tab);
  if (shown === undefined) return <UnknownScreen />;
  const isUnknown = environments?.every(({ id }) => id !== env) === true;
  return (
    <Page title="Players" description="What a player was given at a moment, and why.">
      {isUnknown ? (
        <UnknownEnvironment env={env} />
      ) : (
        <>
          <TabLinks
            label="Players"
            tabs={playerTabs.map(({ name, label }) => [label, pathOf.players(env, name)] as const)}
          />
          <shown.Tab key={env} environment={env} />
        </>
      )}
    </Page>
  );
}
