/** The colours of the console, from light to dark, in ten shades each. docs/console-style.md says when which is used. */
import type { MantineColorsTuple } from '@mantine/core';

/** The accent: links, the primary button, what is chosen, the focus. */
export const ink: MantineColorsTuple = [
  '#eef1ff',
  '#dfe5ff',
  '#c1ccff',
  '#9caeff',
  '#7d91fb',
  '#6479f3',
  '#4d62e8',
  '#3f51cf',
  '#3443ad',
  '#2b378b',
];

/** Neutral tones of the light scheme, with a little of the accent's blue. */
export const gray: MantineColorsTuple = [
  '#f7f8fa',
  '#f0f2f5',
  '#e3e6eb',
  '#d4d9e0',
  '#c0c7d1',
  '#9aa3b0',
  '#737d8c',
  '#4a5361',
  '#333a45',
  '#1b1f27',
];

/** Neutral tones of the dark scheme: 0 is text, 4 a border, 6 a control, 7 the page. */
export const dark: MantineColorsTuple = [
  '#e4e7ec',
  '#c4cad3',
  '#98a1ae',
  '#6c7684',
  '#3b424e',
  '#2b313b',
  '#20252d',
  '#15191f',
  '#101318',
  '#0b0d11',
];

/** The library's colours with darker shades for text and filled buttons: theirs are below 4.5 to 1. */
export const red: MantineColorsTuple = [
  '#fff5f5',
  '#ffe3e3',
  '#ffc9c9',
  '#ffa8a8',
  '#ff8787',
  '#ff6b6b',
  '#e03131',
  '#c92a2a',
  '#b02525',
  '#961f1f',
];
export const orange: MantineColorsTuple = [
  '#fff4e6',
  '#ffe8cc',
  '#ffd8a8',
  '#ffc078',
  '#ffa94d',
  '#ff922b',
  '#d9480f',
  '#b83d0a',
  '#9f3409',
  '#862c07',
];
/** Orange whose filled buttons carry white text in both schemes: of what changes a protected environment. */
export const guard: MantineColorsTuple = [
  '#fff4e6',
  '#ffe8cc',
  '#ffd8a8',
  '#ffc078',
  '#ffa94d',
  '#ff922b',
  '#b83d0a',
  '#b83d0a',
  '#9f3409',
  '#862c07',
];
export const teal: MantineColorsTuple = [
  '#e6fcf5',
  '#c3fae8',
  '#96f2d7',
  '#63e6be',
  '#38d9a9',
  '#20c997',
  '#099268',
  '#087f5b',
  '#076b4d',
  '#055a40',
];
