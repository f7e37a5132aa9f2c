/** The parts of Mantine's form that the fields of a plan need. */
import type { UseFormReturnType } from '@mantine/form';
import type { PlanValues } from './plan-values.js';

export type PlanForm = Pick<
  UseFormReturnType<PlanValues>,
  'getInputProps' | 'values' | 'setFieldValue'
>;
