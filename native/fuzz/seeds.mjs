/** Writes the seeds of the fuzz targets into a folder: node seeds.mjs <folder>. Small, and one of each thing there is. */

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
const splices = [
  ['{"a":[1,{"b":2}],"c":{"d":"x"},"a":{"e":1}}', '0{"a":{"b":null,"f":[1]},"c":null,"g":{"h":null}}'],
  ['{"a":[1,2,3],"b":"x"}', '1[{"op":"add","path":"/a/1","value":9},{"op":"move","from":"/a/0","path":"/b"},{"op":"test","path":"/a","value":[9,2.0,3]}]', '0{"b":{}}'],
  ['[[1],{"\\u0061":1}]', '1[{"op":"copy","from":"","path":"/0/-"},{"op":"remove","path":"/1/a"}]', '1[{"op":"replace","path":"/0/1/0","value":{"q":1e2}}]'],
  ['{}', '2[1,2]', '1[{"op":"test","path":"/0","value":10e-1}]', '0{"k0":1,"k1":1,"k2":1,"k3":1,"k4":1,"k5":1,"k6":1,"k7":1,"k8":{"a":null},"k9":1}'],
  ['{"k8":{"a":1,"a":2},"k1":0,"\\u006b2":0}', '0{"k0":1,"k1":null,"k2":1,"k3":1,"k4":1,"k5":1,"k6":1,"k7":1,"k8":{"a":null},"k9":1}'],
];

for (const name of ['strip', 'splice']) mkdirSync(join(folder, name), { recursive: true });
texts.forEach((text, i) => writeFileSync(join(folder, 'strip', `${i}`), levels + text));
splices.forEach((lines, i) => writeFileSync(join(folder, 'splice', `${i}`), lines.join('\n')));
