/** The tabs of a content item: the name in the path, and the label. */
export const contentTabs = [
  ['text', 'Text'],
  ['mapping', 'Targeting'],
  ['values', 'Values'],
  ['preview', 'Preview'],
  ['history', 'History'],
  ['settings', 'Settings'],
] as const;
