/** json-merge-patch ships no types. */
declare module 'json-merge-patch' {
  const jsonMergePatch: { apply(target: unknown, patch: unknown): unknown };
  // biome-ignore lint/style/noDefaultExport: a CommonJS module, seen from here.
  export default jsonMergePatch;
}
