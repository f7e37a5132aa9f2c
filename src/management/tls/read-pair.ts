/** Reads the certificate and the key that the operator named, also while a renewal tool is writing them. */
import { readFileSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import {
  certificateBytesMax,
  certificateSettleMsMax,
  certificateSettleRetryMs,
} from '../limits/processes.js';
import {
  type CertificatePair,
  CertificateUnusable,
  certificateIssue,
  keyIssue,
  type PairFiles,
  parsePair,
} from './certificate-pair.js';

type MakeIssue = typeof certificateIssue;

/** @throws CertificateUnusable */
export function readPair(files: PairFiles): CertificatePair {
  return parsePair(readText(files.cert, certificateIssue), readText(files.key, keyIssue), files);
}

/**
 * Renewal tools replace one file after the other: what does not fit is read again for a while.
 * @throws CertificateUnusable
 */
export async function readSettledPair(files: PairFiles): Promise<CertificatePair> {
  const until = performance.now() + certificateSettleMsMax;
  for (;;) {
    try {
      return readPair(files);
    } catch (error) {
      if (!(error instanceof CertificateUnusable) || performance.now() > until) throw error;
    }
    // It does not hold up the end of the server.
    await pause(certificateSettleRetryMs, undefined, { ref: false });
  }
}

function readText(path: string, issue: MakeIssue): string {
  try {
    // A pipe would hold up the process until somebody writes to it.
    const stat = statSync(path);
    if (!stat.isFile()) throw issue(path, 'is not a regular file.');
    if (stat.size > certificateBytesMax) {
      throw issue(path, `is larger than ${certificateBytesMax} bytes: it is another file.`);
    }
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof CertificateUnusable) throw error;
    throw issue(path, unreadable((error as NodeJS.ErrnoException).code), error);
  }
}

function unreadable(code: string | undefined): string {
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'cannot be read: there is no such file.';
  if (code !== 'EACCES' && code !== 'EPERM') return `cannot be read: ${code ?? 'unknown error'}.`;
  const uid = process.getuid?.();
  const user = uid === undefined ? "the server's user" : `the server's user (uid ${uid})`;
  return `cannot be read: ${user} has no permission for it, or for a folder above it.`;
}
