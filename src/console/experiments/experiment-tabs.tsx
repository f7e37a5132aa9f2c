/** Links between the screens about experiments: the list, the buckets that their tests use, and the metrics. */
import { pathOf } from '../parts/environments.js';
import { TabLinks } from '../parts/navigation/tab-links.js';

export function ExperimentTabs({ env }: { readonly env: string }) {
  return (
    <TabLinks
      label="Experiments"
      tabs={[
        ['Experiments', pathOf.experiments(env)],
        ['Buckets', pathOf.groups(env)],
        ['Metrics', pathOf.metrics(env)],
      ]}
    />
  );
}
