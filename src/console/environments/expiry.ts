/** From when on a key is refused, as people choose it: never, after some days, or at a moment in their own time zone. */

export type ExpiryChoice =
  | { readonly kind: 'never' }
  | { readonly kind: 'days'; readonly days: number }
  /** `local` as an input of the type datetime-local has it: 2026-12-31T23:59. */
  | { readonly kind: 'moment'; readonly local: string };

const dayMs = 86_400_000;

/** RFC 3339; null: never; undefined: not a moment (yet). */
export function expiresAt(choice: ExpiryChoice, nowMs: number): string | null | undefined {
  switch (choice.kind) {
    case 'never':
      return null;
    case 'days':
      return new Date(nowMs + choice.days * dayMs).toISOString();
    case 'moment': {
      const ms = Date.parse(choice.local);
      return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
    }
  }
}

/** How a moment stands in an input of the type datetime-local. */
export function localMoment(at: string): string {
  const date = new Date(at);
  const two = (number: number): string => String(number).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}
