/** Compresses the built console as far as it goes, once, so that no request has to: a `.br` and a `.gz` beside each file. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const folder = process.argv[2] ?? fileURLToPath(new URL('../../dist/console/', import.meta.url));

/** Fonts and pictures other than drawings are compressed already; the page gets a nonce for each answer. */
const compressible = /\.(?:css|js|json|map|mjs|svg|txt|webmanifest)$/;
/** Below it fits into the first packet anyway. */
const bytesMin = 1_024;

const forms = [
  {
    suffix: '.br',
    compress: (bytes) =>
      brotliCompressSync(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
        },
      }),
  },
  { suffix: '.gz', compress: (bytes) => gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }) },
];

for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !compressible.test(entry.name)) continue;
  const file = join(entry.parentPath, entry.name);
  const bytes = readFileSync(file);
  for (const { suffix, compress } of forms) {
    const compressed = bytes.byteLength < bytesMin ? bytes : compress(bytes);
    // One of an earlier build must not be sent for this one.
    if (compressed.byteLength < bytes.byteLength) writeFileSync(file + suffix, compressed);
    else rmSync(file + suffix, { force: true });
  }
}
