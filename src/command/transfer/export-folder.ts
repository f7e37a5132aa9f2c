/** Writes an exported environment as a folder: a file for each text, and one beside it for the rest. */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TransferLine } from '../../contract/schemas/transfer-line.js';
import { CommandFailure } from '../terminal/failure.js';
import { contentFileText, readMembers, segmentFileText } from './transfer-files.js';
import {
  aboutSuffix,
  contentStem,
  readTextFileName,
  segmentStem,
  segmentsFolder,
  textFileName,
} from './transfer-names.js';

export class ExportFolder {
  readonly #folder: string;
  /** Paths below the folder. */
  readonly #written = new Set<string>();
  readonly #stems = new Set<string>();
  contents = 0;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(join(folder, segmentsFolder), { recursive: true });
  }

  /** Drafts are not asked for, and have no place here. */
  add(line: TransferLine): void {
    if (line.kind === 'segment') {
      const file = join(segmentsFolder, `${segmentStem(line.name)}${aboutSuffix}`);
      this.#write(file, segmentFileText(line));
    } else if (line.kind === 'content') {
      const stem = contentStem(line.id);
      this.#stems.add(stem);
      for (const { appVersion, text } of line.lines) {
        this.#write(textFileName(stem, appVersion), text);
      }
      this.#write(`${stem}${aboutSuffix}`, contentFileText(line));
      this.contents += 1;
    }
  }

  /**
   * Removes the files of what the environment no longer has. Only what an export made: other files in the folder stay.
   * @returns texts without a file beside them, which an export never makes
   */
  removeOthers(): string[] {
    const foreign: string[] = [];
    const gone = new Set<string>();
    for (const file of readdirSync(this.#folder)) {
      if (!file.endsWith(aboutSuffix) || this.#written.has(file)) continue;
      if (!this.#isOurs(file, 'content')) continue;
      gone.add(file.slice(0, -aboutSuffix.length));
      rmSync(join(this.#folder, file));
    }
    for (const file of readdirSync(this.#folder)) {
      const text = readTextFileName(file);
      if (text === null || this.#written.has(file)) continue;
      if (gone.has(text.stem) || this.#stems.has(text.stem)) rmSync(join(this.#folder, file));
      else foreign.push(file);
    }
    for (const name of readdirSync(join(this.#folder, segmentsFolder))) {
      const file = join(segmentsFolder, name);
      if (!name.endsWith(aboutSuffix) || this.#written.has(file)) continue;
      if (this.#isOurs(file, 'segment')) rmSync(join(this.#folder, file));
    }
    return foreign;
  }

  #isOurs(file: string, kind: 'content' | 'segment'): boolean {
    try {
      return readMembers(readFileSync(join(this.#folder, file)), file, kind) !== null;
    } catch {
      return false;
    }
  }

  /** What is the same stays untouched, so that tools which look at times see only what changed. */
  #write(file: string, text: string): void {
    if (this.#written.has(file)) {
      throw new CommandFailure(`Two names map to the file ${file}: rename one of them.`);
    }
    this.#written.add(file);
    const path = join(this.#folder, file);
    const bytes = Buffer.from(text);
    if (existsSync(path) && readFileSync(path).equals(bytes)) return;
    writeFileSync(path, bytes);
  }
}
