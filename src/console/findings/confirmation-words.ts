/** What is confirmed, in words: values, changes of running experiments, or both. Pure. */
import type { Confirmation, Finding } from '../../contract/schemas/guard.js';
import { counted } from '../parts/counted.js';

type Findings = Pick<Confirmation, 'warnings'>;

/** The title of what was found. */
export function confirmationTitle({ warnings }: Findings): string {
  const changes = warnings.filter(changesExperiment).length;
  const values = warnings.length - changes;
  if (values === 0) {
    return changes === 1
      ? 'This changes a running experiment'
      : `This changes ${changes} running experiments`;
  }
  const found = [counted(values, 'value')];
  if (changes > 0) found.push(`${counted(changes, 'change')} of running experiments`);
  const them = warnings.length === 1 ? 'it' : 'them';
  return `Check ${found.join(' and ')} before players get ${them}`;
}

/**
 * The text of a button that confirms what was found as well.
 * @param action without findings, such as `Publish`
 * @param confirmation null: nothing is to be confirmed
 */
export function confirmLabel(action: string, confirmation: Findings | null): string {
  return action + confirmSuffix(confirmation);
}

/** What such a button says behind its action; '' without findings. */
export function confirmSuffix(confirmation: Findings | null): string {
  return confirmation === null ? '' : ` with ${nameConfirmed(confirmation.warnings)}`;
}

/** Such as `these values and this experiment change`. */
export function nameConfirmed(findings: readonly Finding[]): string {
  const changes = findings.filter(changesExperiment).length;
  const values = findings.length - changes;
  const named: string[] = [];
  if (values > 0) named.push('these values');
  if (changes > 0)
    named.push(changes === 1 ? 'this experiment change' : 'these experiment changes');
  return named.join(' and ');
}

function changesExperiment({ kind }: Finding): boolean {
  return kind === 'experiment_changed';
}
