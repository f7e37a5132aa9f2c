/** The look of an input for keys, ids and the like, as Mantine's `styles`. */

export const monoInput = {
  input: {
    fontFamily: 'var(--mantine-font-family-monospace)',
    // At 14 pixels Chromium cuts the underscores off in some fonts.
    fontSize: 'var(--mantine-font-size-sm)',
  },
} as const;
