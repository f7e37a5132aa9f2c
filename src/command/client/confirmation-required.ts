/** The server wants findings confirmed: what they are, and the digest that confirms them. */

import type { Finding } from '../../contract/schemas/guard.js';
import { CommandFailure } from '../terminal/failure.js';

export class ConfirmationRequired extends CommandFailure {
  readonly digest: string;
  readonly findings: readonly Finding[];

  constructor(message: string, digest: string, findings: readonly Finding[]) {
    super(message);
    this.name = 'ConfirmationRequired';
    this.digest = digest;
    this.findings = findings;
  }
}
