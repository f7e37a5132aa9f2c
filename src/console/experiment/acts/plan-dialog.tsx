/** Changes the plan of an experiment. While it runs, the log marks a change of what decides it. */
import type { Experiment } from '../../../contract/schemas/experiment.js';
import { request } from '../../api/call.js';
import { useExperimentAct, useMetrics } from '../../experiments/experiment-queries.js';
import { FormDialog } from '../../parts/form/form-dialog.js';
import { useServerForm } from '../../parts/form/use-server-form.js';
import { TitledAlert } from '../../parts/titled-alert.js';
import { LengthFields } from '../setup/length-fields.js';
import { MetricFields } from '../setup/metric-fields.js';
import { NameFields } from '../setup/name-fields.js';
import { type PlanValues, planOf, valuesOf } from '../setup/plan-values.js';
import type { ExperimentDialogProps } from './start-dialog.js';

export function PlanDialog({ env, experiment, onClose }: ExperimentDialogProps) {
  const { id, state, variants } = experiment;
  const metrics = useMetrics(env).data?.metrics ?? [];
  const saving = useExperimentAct<Experiment>(env, onClose);
  const form = useServerForm<PlanValues, Experiment>({
    initialValues: valuesOf(experiment),
    send: (values) =>
      saving.mutateAsync(() =>
        request('PATCH /environments/:env/experiments/:id', {
          params: { env, id },
          body: planOf(values),
        }),
      ),
    onSent: () => {},
  });
  return (
    <FormDialog form={form} title="Plan" size="lg" onClose={onClose} confirm="Save">
      {state === 'running' && (
        <TitledAlert color="yellow" title="The experiment is running" p="xs">
          The log marks a change of the primary metric or of the smallest effect: what decides is
          best chosen before the result is seen.
        </TitledAlert>
      )}
      <NameFields form={form} variants={variants.map(({ name }) => name)} />
      <MetricFields form={form} metrics={metrics} />
      <LengthFields form={form} />
    </FormDialog>
  );
}
