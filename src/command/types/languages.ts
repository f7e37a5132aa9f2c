/** The languages of types. Apart from the generator, which is large and loaded only when it is used. */

import { misuse } from '../terminal/failure.js';

export const languages = ['csharp', 'typescript', 'cpp'] as const;
export type Language = (typeof languages)[number];

const namespaceForm = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/;

/** @throws CommandFailure (wrong usage) when it is no namespace of the language */
export function checkNamespace(namespace: string, language: Language): void {
  if (language === 'typescript') return;
  const isOne =
    namespaceForm.test(namespace) && (language === 'csharp' || !namespace.includes('.'));
  if (!isOne) throw misuse(`${namespace} is no namespace of ${language}.`);
}
