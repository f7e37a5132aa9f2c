/** Colours of variants, distinguishable with any colour vision, and never the only sign. styles.css has them for both schemes. */

export interface VariantColour {
  /** For CSS. */
  readonly fill: string;
  /** Of text on it, for CSS. */
  readonly ink: string;
}

const count = 8;

/** By the place of a variant in its rule. */
export function variantColour(index: number): VariantColour {
  const number = (index % count) + 1;
  return { fill: `var(--variant-${number})`, ink: `var(--variant-${number}-ink)` };
}
