/** What is taken for a pair of certificate and key, and what is said of everything else. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CertificateUnusable,
  parsePair,
  Validity,
  validityOf,
} from '../../../../src/management/tls/certificate-pair.js';

const files = { cert: '/etc/cert.pem', key: '/etc/key.pem' };
const dayMs = 24 * 3_600_000;
const keyKinds = {
  'RSA 2048': ['rsa:2048'],
  'ECDSA P-256': ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  'ECDSA P-384': ['ec', '-pkeyopt', 'ec_paramgen_curve:P-384'],
  Ed25519: ['ed25519'],
};

let folder: string;
/** A server's certificate, and the authority's that issued it. */
let own: { cert: string; key: string };
let authority: { cert: string; key: string };

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadout-pair-'));
  authority = selfSigned('authority', ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256']);
  own = selfSigned(
    'own',
    ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
    ['-CA', join(folder, 'authority.crt'), '-CAkey', join(folder, 'authority.key')],
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function selfSigned(name: string, kind: readonly string[], more: readonly string[] = []) {
  const [cert, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  const subject = ['-subj', `/CN=${name}`, '-days', '30'];
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', ...kind, '-nodes', ...subject, ...more],
      ...['-keyout', key, '-out', cert],
    ],
    { stdio: 'pipe' },
  );
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
}

function refusalOf(cert: string, key: string): string {
  try {
    parsePair(cert, key, files);
  } catch (error) {
    if (error instanceof CertificateUnusable) return error.message;
    throw error;
  }
  return '';
}

describe('a pair', () => {
  it.each(Object.entries(keyKinds))('may have a key of %s', (name, kind) => {
    const { cert, key } = selfSigned(name.replaceAll(' ', '-'), kind);
    const { pem } = parsePair(cert, key, files);
    expect(parsePair(pem, pem, files).facts).toEqual(parsePair(cert, key, files).facts);
  });

  it('keeps the chain in its order, whatever else is in the files', () => {
    const chain = `Bag Attributes\n${own.cert}\n# issuer\n${authority.cert}`;
    const parameters =
      '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n';
    const pair = parsePair(chain.replaceAll('\n', '\r\n'), parameters + own.key, files);
    expect(pair.facts.isChainOrdered).toBe(true);
    const blocks = [...pair.pem.matchAll(/-----BEGIN ([A-Z ]+)-----/g)].map(([, name]) => name);
    expect(blocks).toEqual(['PRIVATE KEY', 'CERTIFICATE', 'CERTIFICATE']);
    expect(pair.pem.replaceAll(/\s/g, '')).toContain(own.cert.replaceAll(/\s/g, ''));
  });

  it('is told from one whose chain is in disorder', () => {
    const stranger = selfSigned('stranger', keyKinds['ECDSA P-256']);
    expect(parsePair(own.cert + stranger.cert, own.key, files).facts.isChainOrdered).toBe(false);
    expect(parsePair(own.cert, own.key, files).facts.isChainOrdered).toBe(true);
  });

  it('is valid between its two dates', () => {
    const pair = parsePair(own.cert, own.key, files).facts;
    expect(pair.expiresAtMs - pair.validFromMs).toBe(30 * dayMs);
    expect(validityOf(pair, pair.validFromMs - 1)).toBe(Validity.NotYetValid);
    expect(validityOf(pair, pair.validFromMs)).toBe(Validity.Valid);
    expect(validityOf(pair, pair.expiresAtMs - 1)).toBe(Validity.Valid);
    expect(validityOf(pair, pair.expiresAtMs)).toBe(Validity.Expired);
  });
});

describe('what is no pair', () => {
  it('is named with its file and the reason', () => {
    expect(refusalOf('', own.key)).toBe(
      '--tls-cert /etc/cert.pem holds no PEM block BEGIN CERTIFICATE. A chain in PEM is needed.',
    );
    expect(refusalOf(own.cert, own.cert)).toBe(
      '--tls-key /etc/key.pem holds no PEM block BEGIN PRIVATE KEY.',
    );
    expect(refusalOf(own.cert, authority.key)).toBe(
      '--tls-key /etc/key.pem does not belong to the certificate in /etc/cert.pem.',
    );
    expect(refusalOf(own.cert, own.key.replace(/MIG.{20}/, 'MIG'))).toMatch(
      /^--tls-key \/etc\/key.pem cannot be parsed/,
    );
  });

  it('says so when the chain begins with the issuer', () => {
    expect(refusalOf(authority.cert + own.cert, own.key)).toBe(
      '--tls-key /etc/key.pem belongs to certificate 2 of /etc/cert.pem, which must be the first one of the file.',
    );
  });

  it.each([
    ['rsa-pss', ['rsa-pss', '-pkeyopt', 'rsa_keygen_bits:2048']],
    ['ec secp256k1', ['ec', '-pkeyopt', 'ec_paramgen_curve:secp256k1']],
  ])('is a key of a kind that the front end does not load: %s', (kind, options) => {
    const { cert, key } = selfSigned('unusual', options);
    expect(refusalOf(cert, key)).toContain(`of a kind that cannot be served (${kind})`);
  });
});
