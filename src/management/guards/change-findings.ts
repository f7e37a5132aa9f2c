/** What a sync or an import does to values of contents that go live: confirmed as a whole, as the gate is asked. */
import type { GuardFinding } from '../../content/guards/guard.js';
import { findingsPerWriteMax } from '../limits/work.js';
import { parseGuards } from '../store/contents/content-guards.js';
import type { Db } from '../store/dialect.js';
import type { ContentFindings } from './confirmation.js';
import type { Findings, GuardedState } from './findings.js';

/** A state that is about to go live. */
export interface StateToCompare {
  readonly idLower: string;
  readonly id: string;
  readonly state: Omit<GuardedState, 'guards'>;
  /** JSON array: those that the content has then. */
  readonly guards: string;
  /** Players receive the content now. */
  readonly isLive: boolean;
}

/** Findings of many contents, within a limit: beyond it, each content keeps the most severe one. */
export class ChangeFindings {
  readonly #findings: Findings;
  readonly #environment: string;
  readonly #found = new Map<string, ContentFindings>();
  #total = 0;

  constructor(findings: Findings, environment: string) {
    this.#findings = findings;
    this.#environment = environment;
  }

  /** @throws WorkFailed, WorkTooLong, WorkOverloaded: only where guards are to be checked */
  async add(db: Db, { idLower, id, state, guards, isLive }: StateToCompare): Promise<void> {
    const parsed = parseGuards(guards);
    if (!isLive && parsed.length === 0) return;
    const guarded = { ...state, guards: parsed };
    const found = await this.#findings.findingsOf(db, this.#environment, id, guarded);
    if (found.length === 0) return;
    const findings = this.#total < findingsPerWriteMax ? found : mostSevere(found);
    this.#total += findings.length;
    this.#found.set(idLower, { content: id, findings });
  }

  /** Of these contents. */
  of(idsLower: Iterable<string>): ContentFindings[] {
    return [...idsLower].flatMap((idLower) => this.#found.get(idLower) ?? []);
  }
}

function mostSevere(findings: readonly GuardFinding[]): readonly GuardFinding[] {
  const worst = ['approve', 'block'].flatMap((severity) =>
    findings.filter((finding) => finding.severity === severity),
  );
  return [...worst, ...findings].slice(0, 1);
}
