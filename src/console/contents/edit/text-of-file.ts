/** Reads a file that becomes the text of a new content item. */

/** The default limit of the server for one text. */
const bytesMax = 32 * 1024 * 1024;
const jsonName = /\.jsonc?$/i;

export const jsonFiles = '.json,.jsonc';

export class UnreadableFile extends Error {}

/** @throws UnreadableFile */
export async function textOfFile(file: File): Promise<string> {
  if (!jsonName.test(file.name)) {
    throw new UnreadableFile(`${file.name} is neither a .json nor a .jsonc file.`);
  }
  if (file.size > bytesMax) {
    throw new UnreadableFile(`${file.name} is larger than 32 MB, the limit for a text.`);
  }
  const bytes = await file.arrayBuffer().catch(() => {
    throw new UnreadableFile(`${file.name} cannot be read.`);
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableFile(`${file.name} is not UTF-8.`);
  }
}
