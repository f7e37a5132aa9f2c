/** The certificate that the options of `serve` name, if they name one. */
import { rmSync } from 'node:fs';
import type { Logger } from 'pino';
import { ServeRejected } from '../serve-rejected.js';
import type { DataFolder } from '../store/data-folder.js';
import { CertificateUnusable, type PairFiles } from './certificate-pair.js';
import { DeliveryCertificate } from './delivery-certificate.js';
import { readPair } from './read-pair.js';

/** Paths; both or neither. */
interface CertificateOptions {
  readonly tlsCert: string | null;
  readonly tlsKey: string | null;
}

/** @throws ServeRejected when there is a pair, and it cannot be used */
export function checkCertificate(options: CertificateOptions): void {
  const files = pairFiles(options);
  try {
    if (files !== null) readPair(files);
  } catch (error) {
    if (!(error instanceof CertificateUnusable)) throw error;
    throw new ServeRejected(error.message, { cause: error });
  }
}

/**
 * Null: the delivery port speaks plain HTTP, and no key of an earlier start stays behind.
 * @throws ServeRejected
 */
export function openCertificate(
  options: CertificateOptions,
  folder: DataFolder,
  log: Logger,
): DeliveryCertificate | null {
  const files = pairFiles(options);
  if (files !== null) return new DeliveryCertificate({ files, folder, log, now: Date.now });
  rmSync(folder.certificatePath, { force: true });
  return null;
}

function pairFiles({ tlsCert, tlsKey }: CertificateOptions): PairFiles | null {
  return tlsCert === null || tlsKey === null ? null : { cert: tlsCert, key: tlsKey };
}
