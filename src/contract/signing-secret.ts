/** The form of the secrets that sign messages, as Standard Webhooks has it. */

/** 24 to 64 bytes in base64: 32 to 86 characters besides the padding. */
const form = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/;

/** Whether it can be a secret: `whsec_` and 24 to 64 bytes in base64. */
export function isSigningSecret(text: string): boolean {
  return form.test(text);
}
