/** Tries the loaded uWebSockets.js build before the delivery port opens, on a front end of its own on loopback. */

import { slowHeadMsMax } from '../limits.js';
import {
  checkFrontEnd,
  checkSlowHead,
  type FrontEndFinding,
  frontEndRemedies,
  requiredChecks,
} from './front-end-check.js';

/** What a `FrontEnd` is to its trial. */
export interface TriedFrontEnd {
  readonly port: number;
  listen(): Promise<boolean>;
  close(): void;
}

export class FrontEndTrial {
  readonly #frontEnd: TriedFrontEnd;
  readonly #failed: (finding: FrontEndFinding, remedy: string) => void;
  /** What was found so far: the slow checks take as long as a client may. */
  readonly findings: FrontEndFinding[] = [];

  /**
   * @param frontEnd on loopback, on a port of the system's choice, without TLS; closed when the checks are done
   * @param failed called for each check that fails
   */
  constructor(frontEnd: TriedFrontEnd, failed: (finding: FrontEndFinding, remedy: string) => void) {
    this.#frontEnd = frontEnd;
    this.#failed = failed;
  }

  /** Resolves with why the server must not start, or with null. The slow checks go on behind it. */
  async run(): Promise<string | null> {
    if (!(await this.#frontEnd.listen())) return null;
    const { port } = this.#frontEnd;
    this.#keep(await checkFrontEnd(port));
    void checkSlowHead(port, slowHeadMsMax).then((finding) => {
      this.#keep([finding]);
      this.#frontEnd.close();
    });
    const fatal = this.findings.find(
      ({ check, passed }) => !passed && requiredChecks.includes(check),
    );
    if (fatal === undefined) return null;
    return `This build of uWebSockets.js fails the check ${fatal.check}: it would respond to ordinary requests wrongly. Remedy: ${frontEndRemedies[fatal.check]}.`;
  }

  #keep(findings: readonly FrontEndFinding[]): void {
    this.findings.push(...findings);
    for (const finding of findings) {
      if (!finding.passed) this.#failed(finding, frontEndRemedies[finding.check]);
    }
  }
}
