import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readText } from '../../../../src/command/terminal/text-file.js';

const folder = mkdtempSync(join(tmpdir(), 'loadout-text-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, bytes: Uint8Array | string): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

describe('readText', () => {
  it('keeps every character, line ends and a missing last one included', async () => {
    const text = '{\r\n  "ü": "🔥" // \t\n}';
    expect(await readText(file('plain.jsonc', text))).toBe(text);
    expect(await readText(file('empty.jsonc', ''))).toBe('');
  });

  it('drops one leading byte-order mark and no other', async () => {
    expect(await readText(file('bom.json', '\uFEFF{"a":"\uFEFF"}'))).toBe('{"a":"\uFEFF"}');
    expect(await readText(file('boms.json', '\uFEFF\uFEFF{}'))).toBe('\uFEFF{}');
  });

  it('refuses what is not UTF-8 and names the line', async () => {
    const latin = Buffer.concat([
      Buffer.from('{\n "a":\n "'),
      Buffer.from([0xe9]),
      Buffer.from('"}'),
    ]);
    await expect(readText(file('latin.json', latin))).rejects.toThrow(
      /is not UTF-8 \(line 3\)\. Save/,
    );
    const cut = Buffer.from('{}\n\n\u20ac').subarray(0, -1);
    await expect(readText(file('cut.json', cut))).rejects.toThrow(/is not UTF-8 \(line 3\)/);
  });

  it('guesses UTF-16', async () => {
    const wide = Buffer.from('\uFEFF{}', 'utf16le');
    await expect(readText(file('wide.json', wide))).rejects.toThrow(/looks like UTF-16/);
  });

  it('says why a file cannot be read', async () => {
    await expect(readText(join(folder, 'none'))).rejects.toThrow(/there is no such file/);
    await expect(readText(folder)).rejects.toThrow(/it is a folder/);
  });
});
