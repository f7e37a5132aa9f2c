/** The colour of "up to date" on its own tint; Mantine's darkest teal is a little too light for text of this size. */
export const upToDateColor =
  'light-dark(color-mix(in srgb, var(--mantine-color-teal-9) 80%, black), var(--mantine-color-teal-2))';
