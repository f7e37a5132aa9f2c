/** A certificate with its chain and its private key: parsed and checked before a delivery process reads them. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';

/** The message names the option, the file and the reason: it is for the operator. */
export class CertificateUnusable extends Error {
  readonly code = 'certificate_unusable';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CertificateUnusable';
  }
}

/** Paths as the operator gave them. */
export interface PairFiles {
  readonly cert: string;
  readonly key: string;
}

export const Validity = {
  Valid: 'valid',
  Expired: 'expired',
  NotYetValid: 'not_yet_valid',
} as const;
export type Validity = (typeof Validity)[keyof typeof Validity];

export interface CertificatePair {
  /** The key, the certificate and its chain in PEM, in one text: one file holds them, so no reader sees a half. */
  readonly pem: string;
  readonly facts: CertificateFacts;
}

/** What is remembered of a certificate: nothing secret. */
export interface CertificateFacts {
  readonly fingerprint256: string;
  /** Of the certificate itself, milliseconds since the epoch. */
  readonly validFromMs: number;
  readonly expiresAtMs: number;
  /** Whether each certificate of the chain was issued by the one after it. */
  readonly isChainOrdered: boolean;
}

const certificateBlock = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;
const keyBlock = /-----BEGIN ((?:[A-Z]+ )*)PRIVATE KEY-----[\s\S]+?-----END \1PRIVATE KEY-----/;
const encryptedMark = /BEGIN ENCRYPTED PRIVATE KEY|^Proc-Type: 4,ENCRYPTED/m;
/** Curves of ECDSA keys that the front end's TLS library (BoringSSL) takes, as OpenSSL names them. */
const curves: readonly (string | undefined)[] = ['prime256v1', 'secp384r1', 'secp521r1'];

/**
 * @param certText what is in `files.cert`; `files` is for the messages
 * @throws CertificateUnusable
 */
export function parsePair(certText: string, keyText: string, files: PairFiles): CertificatePair {
  const chain = parseChain(certText, files.cert);
  const key = parseKey(keyText, files.key);
  const [own] = chain;
  if (own === undefined) {
    throw certificateIssue(
      files.cert,
      'holds no PEM block BEGIN CERTIFICATE. A chain in PEM is needed.',
    );
  }
  const [validFromMs, expiresAtMs] = [Date.parse(own.validFrom), Date.parse(own.validTo)];
  if (Number.isNaN(validFromMs) || Number.isNaN(expiresAtMs)) {
    throw certificateIssue(files.cert, 'has no dates of validity that can be read.');
  }
  if (!own.checkPrivateKey(key)) throw keyIssue(files.key, mismatch(chain, key, files.cert));
  return {
    pem: `${key.export({ type: 'pkcs8', format: 'pem' })}${chain.join('')}`,
    facts: {
      fingerprint256: own.fingerprint256,
      validFromMs,
      expiresAtMs,
      isChainOrdered: chain.every((each, at) => {
        const issuer = chain[at + 1];
        return issuer === undefined || each.checkIssued(issuer);
      }),
    },
  };
}

export function validityOf(pair: CertificateFacts, nowMs: number): Validity {
  if (nowMs >= pair.expiresAtMs) return Validity.Expired;
  return nowMs < pair.validFromMs ? Validity.NotYetValid : Validity.Valid;
}

function parseChain(text: string, file: string): X509Certificate[] {
  return [...text.matchAll(certificateBlock)].map(([block], at) => {
    try {
      return new X509Certificate(block);
    } catch (cause) {
      throw certificateIssue(
        file,
        `cannot be parsed: certificate ${at + 1} of it is damaged.`,
        cause,
      );
    }
  });
}

function parseKey(text: string, file: string): KeyObject {
  const [block] = keyBlock.exec(text) ?? [];
  if (block === undefined) throw keyIssue(file, 'holds no PEM block BEGIN PRIVATE KEY.');
  if (encryptedMark.test(block)) {
    throw keyIssue(
      file,
      `is encrypted, and the server knows no passphrase. Decrypt it: openssl pkey -in ${file} -out FILE`,
    );
  }
  const key = decodeKey(block, file);
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  const isTaken =
    type === 'rsa' ||
    type === 'ed25519' ||
    (type === 'ec' && curves.includes(details?.namedCurve ?? ''));
  if (!isTaken) {
    const kind = [type, details?.namedCurve].filter((part) => part !== undefined).join(' ');
    throw keyIssue(
      file,
      `is of a kind that cannot be served (${kind}). Use ECDSA P-256, P-384 or P-521, RSA or Ed25519.`,
    );
  }
  return key;
}

function decodeKey(block: string, file: string): KeyObject {
  try {
    return createPrivateKey(block);
  } catch (cause) {
    throw keyIssue(file, 'cannot be parsed: it is damaged, or of an unknown kind.', cause);
  }
}

function mismatch(chain: readonly X509Certificate[], key: KeyObject, certFile: string): string {
  const at = chain.findIndex((each) => each.checkPrivateKey(key));
  if (at < 0) return `does not belong to the certificate in ${certFile}.`;
  return `belongs to certificate ${at + 1} of ${certFile}, which must be the first one of the file.`;
}

export function certificateIssue(
  file: string,
  reason: string,
  cause?: unknown,
): CertificateUnusable {
  return new CertificateUnusable(`--tls-cert ${file} ${reason}`, { cause });
}

export function keyIssue(file: string, reason: string, cause?: unknown): CertificateUnusable {
  return new CertificateUnusable(`--tls-key ${file} ${reason}`, { cause });
}
