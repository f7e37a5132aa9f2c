/** A self-signed certificate, made by openssl: what the TLS tests trust. */
import { execFileSync } from 'node:child_process';

/**
 * Writes both PEM files; every call makes another key pair.
 * @param names hosts, as openssl writes alternative names
 * @param days until it expires
 */
export function makeCertificate(
  certPath: string,
  keyPath: string,
  names: readonly string[] = ['IP:127.0.0.1', 'DNS:localhost'],
  days = 2,
): void {
  const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', String(days)];
  const subject = ['-subj', '/CN=localhost', '-addext', `subjectAltName=${names.join(',')}`];
  execFileSync('openssl', ['req', ...kind, ...subject, '-keyout', keyPath, '-out', certPath], {
    stdio: 'pipe',
  });
}
