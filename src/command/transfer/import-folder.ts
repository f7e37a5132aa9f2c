/** Reads a folder as the lines of an import: one that `loadout export --dir` wrote, or a hand-written one. */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { transferFormat } from '../../contract/transfer-format.js';
import { CommandFailure, unreadable } from '../terminal/failure.js';
import { decodeText } from '../terminal/text-file.js';
import { lineOfMembers, readMembers } from './transfer-files.js';
import { aboutSuffix, readTextFileName, segmentsFolder } from './transfer-names.js';

interface FoundContent {
  readonly stem: string;
  /** File beside the texts, or null: a text alone is a content too. */
  about: string | null;
  readonly texts: { readonly appVersion: string; readonly file: string }[];
}

export class ImportFolder {
  readonly #folder: string;
  readonly #contents: readonly FoundContent[];
  readonly #segments: readonly string[];
  /** File behind each line that was sent, from line 1. */
  readonly #places: string[] = [];
  /** Bytes of all files. */
  readonly bytes: number;

  /** @throws CommandFailure when the folder cannot be read, or a file's text is missing */
  constructor(folder: string) {
    this.#folder = folder;
    const files = listFiles(folder);
    this.#segments = listFiles(join(folder, segmentsFolder), true)
      .filter((file) => file.endsWith(aboutSuffix))
      .map((file) => join(segmentsFolder, file));
    this.#contents = findContents(folder, files);
    this.bytes = [...this.#files()].reduce(
      (sum, file) => sum + statSync(join(folder, file)).size,
      0,
    );
  }

  /** The file that a line of the import came from. */
  placeOf(line: number): string | null {
    return this.#places[line - 1] ?? null;
  }

  /** The same bytes each time, as long as no file changes. */
  async *lines(): AsyncGenerator<Uint8Array> {
    this.#places.length = 0;
    yield this.#line(this.#folder, `{"kind":"environment","format":${transferFormat},"id":""}\n`);
    let segments = 0;
    for (const file of this.#segments) {
      const members = readMembers(this.#read(file), file, 'segment');
      if (members === null) continue;
      segments += 1;
      yield this.#line(file, lineOfMembers(members, ['when'], {}));
    }
    for (const content of this.#contents) yield this.#contentLine(content);
    const counts = `"segments":${segments},"contents":${this.#contents.length}`;
    yield this.#line(this.#folder, `{"kind":"end",${counts}}\n`);
  }

  #contentLine({ stem, about, texts }: FoundContent): Uint8Array {
    const members =
      about === null
        ? new Map([
            ['kind', '"content"'],
            ['id', JSON.stringify(stem)],
          ])
        : (readMembers(this.#read(about), about, 'content') ?? new Map());
    const lines = texts.map(({ appVersion, file }) => {
      const text = decodeText(this.#read(file), file);
      // Editors on Windows put a mark there that JSON does not allow.
      return { appVersion, text: text.startsWith('\uFEFF') ? text.slice(1) : text };
    });
    const more = { lines: JSON.stringify(lines) };
    const first = about ?? texts[0]?.file ?? stem;
    return this.#line(first, lineOfMembers(members, ['mapping', 'schema'], more));
  }

  #line(place: string, text: string): Uint8Array {
    this.#places.push(place);
    return Buffer.from(text);
  }

  #read(file: string): Uint8Array {
    try {
      return readFileSync(join(this.#folder, file));
    } catch (error) {
      throw unreadable(file, error);
    }
  }

  *#files(): Generator<string> {
    yield* this.#segments;
    for (const { about, texts } of this.#contents) {
      if (about !== null) yield about;
      for (const { file } of texts) yield file;
    }
  }
}

function findContents(folder: string, files: readonly string[]): FoundContent[] {
  const found = new Map<string, FoundContent>();
  for (const file of files) {
    const text = readTextFileName(file);
    if (text === null) continue;
    const { stem, appVersion } = text;
    const content = found.get(stem) ?? { stem, about: null, texts: [] };
    found.set(stem, content);
    content.texts.push({ appVersion, file });
  }
  for (const file of files) {
    if (!file.endsWith(aboutSuffix)) continue;
    const content = found.get(file.slice(0, -aboutSuffix.length));
    if (readMembers(readFileSync(join(folder, file)), file, 'content') === null) continue;
    if (content === undefined) {
      throw new CommandFailure(
        `${file} has no text beside it: remove it too, or restore the text.`,
      );
    }
    content.about = file;
  }
  return [...found.values()].sort((a, b) => (a.stem.toLowerCase() < b.stem.toLowerCase() ? -1 : 1));
}

function listFiles(folder: string, mayBeMissing = false): string[] {
  if (mayBeMissing && !existsSync(folder)) return [];
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    throw unreadable(folder, error);
  }
}
