import { rolldown } from 'rolldown';
import { gzipSync } from 'node:zlib';
import {writeFileSync} from 'node:fs';
const b = await rolldown({ input: process.argv[2] ?? 'src/client.ts', transform: { target: 'es2020' } });
const { output } = await b.generate({ format: 'esm', minify: { compress: { target: 'es2020' }, mangle: { toplevel: true }, codegen: true } });
writeFileSync('/tmp/min.js', output[0].code);
console.log(output[0].code.length, gzipSync(output[0].code, {level:9}).length);
