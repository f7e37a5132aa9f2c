/** A self-signed certificate for 127.0.0.1, made by openssl: what the TLS tests trust. */
import { execFileSync } from 'node:child_process';

/** Writes both PEM files; every call makes another key pair. */
export function makeCertificate(certPath: string, keyPath: string): void {
  const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2'];
  const subject = [
    '-subj',
    '/CN=localhost',
    '-addext',
    'subjectAltName=IP:127.0.0.1,DNS:localhost',
  ];
  execFileSync('openssl', ['req', ...kind, ...subject, '-keyout', keyPath, '-out', certPath], {
    stdio: 'pipe',
  });
}
