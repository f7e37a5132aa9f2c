/** The certificate of the delivery port: checked at the start, kept as a private copy, renewed by SIGHUP (D72). */
import { existsSync, rmSync } from 'node:fs';
import type { Logger } from 'pino';
import { type Gauge, type Metric, metric, sample } from '../metrics/definition.js';
import type { Trial } from '../processes/supervisor.js';
import { ServeRejected } from '../serve-rejected.js';
import type { DataFolder } from '../store/data-folder.js';
import {
  type CertificateFacts,
  CertificateUnusable,
  type PairFiles,
  Validity,
  validityOf,
} from './certificate-pair.js';
import { KeptPair } from './kept-pair.js';
import { readPair, readSettledPair } from './read-pair.js';

interface CertificateDeps {
  readonly files: PairFiles;
  readonly folder: DataFolder;
  readonly log: Logger;
  readonly now: () => number;
}

const expiry = metric({
  name: 'loadout_tls_certificate_expiry_timestamp_seconds',
  help: 'When the certificate that is served expires, Unix time.',
  onlyIf: 'the delivery port has TLS',
});
const reloadFailed = metric({
  name: 'loadout_tls_reload_failed',
  help: '1 while the files of --tls-cert and --tls-key are not what is served, because they could not be used.',
  onlyIf: 'the delivery port has TLS',
});

export const certificateMetrics: readonly Metric[] = [expiry, reloadFailed];

/** As `/readyz` shows it. `reload_failed`: the operator's files are not those that are served. */
type CertificateState = Validity | 'reload_failed';

export class DeliveryCertificate {
  readonly #deps: CertificateDeps;
  readonly #kept: KeptPair;
  /** The one that is served, without its key. */
  #pair: CertificateFacts;
  #isStale = false;
  /** Whether a server that did not end in order has left a copy, which stays until this one serves. */
  #isCopyKept: boolean;

  /**
   * A pair that cannot be used ends the start, unless this server crashed while it served an earlier one: then it goes on
   * with that, as it would have without the crash.
   * @throws ServeRejected
   */
  constructor(deps: CertificateDeps) {
    this.#deps = deps;
    this.#kept = new KeptPair(deps.folder, deps.files);
    this.#isCopyKept = existsSync(this.#kept.path);
    this.#pair = this.#firstPair();
    this.#warn(this.#pair);
  }

  /** Where delivery processes read the certificate, its chain and the key. */
  get path(): string {
    return this.#kept.path;
  }

  get state(): CertificateState {
    const validity = validityOf(this.#pair, this.#deps.now());
    if (validity === Validity.Expired) return validity;
    return this.#isStale ? 'reload_failed' : validity;
  }

  /** ISO 8601. */
  get expiresAt(): string {
    return new Date(this.#pair.expiresAtMs).toISOString();
  }

  gauges(): Gauge[] {
    return [
      sample(expiry, this.#pair.expiresAtMs / 1_000),
      sample(reloadFailed, this.#isStale ? 1 : 0),
    ];
  }

  /** Reads the files again, and has the delivery processes replaced. What cannot be used leaves everything as it is. */
  async reload(replaceAll: (trial: Trial) => Promise<void>): Promise<void> {
    const { files, log } = this.#deps;
    const before = this.#pair;
    try {
      const { pem, facts: pair } = await readSettledPair(files);
      this.#rejectWorse(pair);
      const candidate = this.#kept.writeCandidate(pem);
      try {
        await replaceAll({ tlsFile: candidate, proven: () => this.#accept(candidate, pair) });
      } finally {
        rmSync(candidate, { force: true });
      }
      // Else the server was asked to stop meanwhile.
      if (this.#pair !== pair) return;
      this.#isStale = false;
      log.info({ event: 'tls_reloaded', ...shown(pair) }, 'the renewed certificate is served');
      this.#warn(pair);
    } catch (error) {
      const isPartly = this.#pair !== before;
      this.#isStale = !isPartly;
      const reason = error instanceof Error ? error.message : String(error);
      const cause = error instanceof CertificateUnusable ? {} : { err: error };
      log.error(
        { event: 'tls_reload_failed', reason, ...cause, serving: shown(this.#pair) },
        isPartly
          ? 'the reload is incomplete: the renewed certificate is served, but not every delivery process was replaced; reload again'
          : 'the reload failed; the certificate that was served stays',
      );
    }
  }

  /** The server has started. */
  serves(): void {
    this.#isCopyKept = false;
  }

  /** Removes the private copy: an operator who ended the server sees at its next start whether the files can be used. */
  close(): void {
    if (this.#isCopyKept) return;
    rmSync(this.#kept.path, { force: true });
  }

  #firstPair(): CertificateFacts {
    const { files, log } = this.#deps;
    try {
      const { pem, facts } = readPair(files);
      this.#kept.accept(this.#kept.writeCandidate(pem));
      return facts;
    } catch (error) {
      if (!(error instanceof CertificateUnusable)) throw error;
      const kept = this.#kept.read();
      if (kept === null) throw new ServeRejected(error.message, { cause: error });
      this.#isStale = true;
      log.error(
        { event: 'tls_last_good_served', reason: error.message, serving: shown(kept.facts) },
        'the certificate cannot be used; after a crash, the server goes on with the last good one',
      );
      return kept.facts;
    }
  }

  #accept(candidate: string, facts: CertificateFacts): void {
    this.#kept.accept(candidate);
    this.#pair = facts;
  }

  /** A start with an expired certificate is the operator's decision. A reload must not take a valid one from players. */
  #rejectWorse(pair: CertificateFacts): void {
    const nowMs = this.#deps.now();
    const validity = validityOf(pair, nowMs);
    if (validity === Validity.Valid || validityOf(this.#pair, nowMs) !== Validity.Valid) return;
    const when =
      validity === Validity.Expired
        ? `expired at ${new Date(pair.expiresAtMs).toISOString()}`
        : `is not valid before ${new Date(pair.validFromMs).toISOString()}`;
    const { cert } = this.#deps.files;
    throw new CertificateUnusable(`--tls-cert ${cert} ${when}; the one that is served is valid.`);
  }

  #warn(pair: CertificateFacts): void {
    const validity = validityOf(pair, this.#deps.now());
    const warn = (problem: string, text: string): void =>
      this.#deps.log.warn({ event: 'tls_certificate_warning', problem, ...shown(pair) }, text);
    if (validity !== Validity.Valid) {
      warn(validity, 'the certificate is not valid now: clients that check it will not connect');
    }
    if (!pair.isChainOrdered) {
      warn('chain_order', 'a certificate of the chain was not issued by the one after it');
    }
  }
}

/** What identifies a certificate, as openssl and browsers show it. */
function shown(pair: CertificateFacts): Readonly<Record<string, string>> {
  return {
    fingerprint256: pair.fingerprint256,
    expiresAt: new Date(pair.expiresAtMs).toISOString(),
  };
}
