/** Colours of variants, distinguishable with any colour vision, and never the only sign. */

export interface VariantColour {
  readonly fill: string;
  /** Of text on it. */
  readonly ink: string;
}

const palette: readonly VariantColour[] = [
  { fill: '#8fb8de', ink: '#101113' },
  { fill: '#e69f00', ink: '#101113' },
  { fill: '#2bb58d', ink: '#101113' },
  { fill: '#d58ab4', ink: '#101113' },
  { fill: '#0072b2', ink: '#ffffff' },
  { fill: '#e8d94a', ink: '#101113' },
  { fill: '#e0703a', ink: '#101113' },
  { fill: '#a3a8b0', ink: '#101113' },
];

/** By the place of a variant in its rule. */
export function variantColour(index: number): VariantColour {
  return palette[index % palette.length] ?? { fill: '#a3a8b0', ink: '#101113' };
}
