export function listPackages(bundle: 'console' | 'server'): { readonly name: string };
export function listOf(bundle: 'console' | 'server'): string;
