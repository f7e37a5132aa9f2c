/** The plan of an experiment as its form holds it. Pure. */
import type { Experiment, ExperimentEdit } from '../../../contract/schemas/experiment.js';

export interface PlanValues {
  name: string;
  hypothesis: string;
  owner: string;
  control: string;
  primaryMetric: string | null;
  guardMetrics: string[];
  plannedDays: number | string;
  /** Percent, as people write it; the API has a part of 1. */
  smallestEffect: number | string;
}

export const emptyPlan: PlanValues = {
  name: '',
  hypothesis: '',
  owner: '',
  control: '',
  primaryMetric: null,
  guardMetrics: [],
  plannedDays: 14,
  smallestEffect: 5,
};

export function valuesOf(experiment: Experiment): PlanValues {
  const { name, hypothesis, owner, control, primaryMetric, guardMetrics } = experiment;
  const { plannedDays, smallestEffect } = experiment;
  return {
    ...{ name, hypothesis, owner, control, primaryMetric, plannedDays },
    guardMetrics: [...guardMetrics],
    smallestEffect: roundPercent(smallestEffect * 100),
  };
}

export function planOf(values: PlanValues): Required<ExperimentEdit> {
  const { name, hypothesis, owner, control, primaryMetric, guardMetrics } = values;
  return {
    name: name.trim(),
    hypothesis: hypothesis.trim(),
    owner: owner.trim(),
    control,
    primaryMetric,
    guardMetrics: guardMetrics.filter((metric) => metric !== primaryMetric),
    plannedDays: Number(values.plannedDays),
    smallestEffect: effectOf(values),
  };
}

/** Relative: 0.05 is 5 %. */
export function effectOf({ smallestEffect }: Pick<PlanValues, 'smallestEffect'>): number {
  return Math.round(Number(smallestEffect) * 1000) / 100_000;
}

/** To a thousandth of a percent, without the tails of binary fractions. */
function roundPercent(percent: number): number {
  return Math.round(percent * 1000) / 1000;
}

const notOfIds = /[^a-z0-9]+/g;
const edges = /^-+|-+$/g;
const idCharsMax = 64;

/** An id for a name: `Cheaper chest, take 2` becomes `cheaper-chest-take-2`. */
export function idOf(name: string): string {
  return name.toLowerCase().replace(notOfIds, '-').slice(0, idCharsMax).replace(edges, '');
}
