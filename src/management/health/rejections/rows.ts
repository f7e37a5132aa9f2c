/** What the store knows of keys and contents that rejected requests name. */
import type { Db } from '../../store/dialect.js';

/** A key by its hash. */
export interface RejectedKey {
  readonly id: string;
  readonly environment: string;
  readonly label: string;
  readonly prefix: string;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
}

/** Keys by their SHA-256, lower-case hex; also revoked ones. */
export async function findKeysByHash(
  db: Db,
  hashes: readonly string[],
): Promise<Map<string, RejectedKey>> {
  if (hashes.length === 0) return new Map();
  const rows = await db
    .selectFrom('apiKeys')
    .select(['id', 'environment', 'label', 'prefix', 'hash', 'expiresAt', 'revokedAt'])
    .where('hash', 'in', hashes)
    .execute();
  return new Map(
    rows.map(({ hash, expiresAt: expiresAtMs, revokedAt: revokedAtMs, ...key }) => [
      hash,
      { ...key, expiresAtMs, revokedAtMs },
    ]),
  );
}

/** Which of the contents exist, live or not, as `environment/id` in lower case. */
export async function findContents(
  db: Db,
  wanted: readonly { readonly environment: string; readonly idLower: string }[],
): Promise<Set<string>> {
  const found = new Set<string>();
  const environments = new Set(wanted.map(({ environment }) => environment));
  for (const environment of environments) {
    const ids = wanted.filter((of) => of.environment === environment).map((of) => of.idLower);
    const rows = await db
      .selectFrom('contents')
      .select('idLower')
      .where('environment', '=', environment)
      .where('idLower', 'in', ids)
      .where('deletedAt', 'is', null)
      .execute();
    for (const { idLower } of rows) found.add(`${environment}/${idLower}`);
  }
  return found;
}
