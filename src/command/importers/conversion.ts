/** What the conversion of another vendor's export yields. The converters are pure: text in, this out. */

import type { ConversionReport } from './conversion-report.js';

export interface ConvertedContent {
  readonly id: string;
  readonly description: string;
  /** JSONC. */
  readonly text: string;
  /** Targeting rules as JSON text; null: none. */
  readonly mapping: string | null;
}

export interface ConvertedSegment {
  readonly name: string;
  readonly description: string;
  /** The condition as JSON text. */
  readonly when: string;
}

export interface Conversion {
  readonly contents: readonly ConvertedContent[];
  readonly segments: readonly ConvertedSegment[];
  readonly report: ConversionReport;
}

/** What of an export is converted, and under which name. */
export interface ConversionOptions {
  /** Id of the content item for what belongs to no group; null: the vendor's usual one. */
  readonly content: string | null;
  /** Key of the environment in an export that has several; null: the only one. */
  readonly environment: string | null;
}

/** Bytes of an export. The largest template that Firebase takes is about 1 MiB; flags of a large project are tens. */
export const exportBytesMax: number = 32 * 1024 * 1024;

/** Why an export cannot be converted at all. */
export class ConversionIssue extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConversionIssue';
  }
}
