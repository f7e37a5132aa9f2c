/** Shows the incident tab by itself, until the Players screen does. */
import { useParams } from 'wouter';
import { Page } from '../parts/page.js';
import { IncidentTab } from './incident-tab.js';

export function IncidentMount() {
  const { env = '' } = useParams<{ env: string }>();
  return (
    <Page title="Players">
      <IncidentTab key={env} environment={env} />
    </Page>
  );
}
