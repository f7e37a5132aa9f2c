/** The file with headers for the collector, which has secrets. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { headersFileBytesMax } from '../../../../src/management/limits/tracing.js';
import { readHeaders } from '../../../../src/management/tracing/headers-file.js';
import { temporaryFolder } from '../harness.js';

function fileWith(text: string): string {
  const file = join(temporaryFolder(), 'headers');
  writeFileSync(file, text);
  return file;
}

it('has a header a line, comments and empty lines', async () => {
  const file = fileWith(
    '# of the collector\r\nAuthorization: Bearer s3cret:with:colons \n\nX-Scope-OrgID:\tshop\nx-empty:\n',
  );
  expect(await readHeaders(file)).toEqual({
    Authorization: 'Bearer s3cret:with:colons',
    'X-Scope-OrgID': 'shop',
    'x-empty': '',
  });
});

it.each(['s3cret', 'name s3cret: value', 'authorization: s3cret\u0001', ': s3cret'])(
  'is rejected without a word of its text: %j',
  async (text) => {
    const error: unknown = await readHeaders(fileWith(text)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).message).toBe('The headers file has a line that is no header.');
  },
);

it('is rejected when it is another, larger file', async () => {
  const file = fileWith(`x: ${'y'.repeat(headersFileBytesMax)}`);
  await expect(readHeaders(file)).rejects.toThrow('The headers file is too large.');
});
