/** What helps an operator whose database has a certificate that is not trusted, which is so after each installation of PostgreSQL. */
import { codeOf } from '../store-errors.js';

/** Of Node's TLS: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const untrusted = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/**
 * @param error what the driver says
 * @returns a sentence without its full stop, in the place of the driver's words; null: the error is another one
 */
export function certificateHint(error: unknown): string | null {
  const code = codeOf(error);
  if (untrusted.has(code)) {
    return 'its certificate is of an authority that is not known here: name the file with the certificate of the authority in the address, sslrootcert=FILE';
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return 'its certificate is for another name than the address has';
  }
  return null;
}
