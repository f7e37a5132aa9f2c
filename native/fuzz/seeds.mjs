/** Writes the seeds of the fuzz target into a folder: node seeds.mjs <folder>. Small, and one of each thing there is. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2];
const levels = '\u0014';

const texts = [
  '{ "a": [1, 2.5e-3, -0, 1e400], // x\n "b": {"c": null, "d": true,}, /* y */ "é": "\\ud83d\\ude00\\"\\\\" }',
  '[true, false, null, "", [], {}, [[]], [{}], {"a": {}},]',
  `${' '.repeat(60)}{"key": "value", "other": [1, /* , ] " */ 2]} // end`,
  `["${'x'.repeat(120)}", "${'\\n'.repeat(40)}", "${'é'.repeat(40)}"]`,
  '[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]',
  `[${'12345678,'.repeat(30)}0]`,
];
mkdirSync(join(folder, 'strip'), { recursive: true });
texts.forEach((text, i) => writeFileSync(join(folder, 'strip', `${i}`), levels + text));
