/** Options that name another service and a file with its token, such as `--prometheus-url`. */
import { misuse } from '../terminal/failure.js';

/**
 * Checks the address of a service that the server calls. No error message repeats it: there may be a password in it.
 * @param text null: the option is not given
 * @param secretFlag the option that names a file with the service's token
 */
export function checkService(
  flag: string,
  text: string | null,
  secretFlag: string,
  secretFile: string | null,
): void {
  if (text === null) {
    if (secretFile === null) return;
    throw misuse(`${secretFlag} needs ${flag}.`);
  }
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw misuse(`${flag} must begin with http:// or https://.`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw misuse(`${flag} has no user, query or fragment: a token goes into ${secretFlag}.`);
  }
}
