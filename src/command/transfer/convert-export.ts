/** `loadout import --from`: another service's export becomes lines of an import, after a report of what cannot be carried over. */

import type { ImportReport } from '../../contract/operations/transfer.js';
import { type Conversion, ConversionIssue, exportBytesMax } from '../importers/conversion.js';
import { formatReport, leftOutText } from '../importers/format-report.js';
import { contentLines, segmentLines, transferLines } from '../importers/transfer-lines.js';
import { type Vendor, vendors } from '../importers/vendors.js';
import { CommandFailure, misuse } from '../terminal/failure.js';
import { io } from '../terminal/io.js';
import { print, printLine, printNote } from '../terminal/output.js';
import { readText } from '../terminal/text-file.js';
import { ExportFolder } from './export-folder.js';
import type { Source } from './import.js';

export interface VendorOptions {
  readonly from?: string;
  readonly toDir?: string;
  readonly as?: string;
  readonly fromEnv?: string;
  readonly allowLeftOut: boolean;
}

interface ConvertOptions extends VendorOptions {
  readonly env?: string;
  readonly json: boolean;
  readonly dryRun: boolean;
}

export interface ConvertedExport {
  readonly source: Source;
  /** Report of the conversion and, in it, that of the import: one JSON text. */
  json(report: ImportReport | null): string;
  /** What to do after it was imported. */
  nextStep(env: string): string;
}

/** Something would be left out, and nobody has agreed to that. */
const leftOutExitCode = 3;

/** Prints the report. @returns null: there is nothing to import, since it was only looked at, written to a folder, or stopped */
export async function convertExport(
  file: string,
  from: string,
  options: ConvertOptions,
): Promise<ConvertedExport | null> {
  const { toDir, env, dryRun, json, allowLeftOut } = options;
  if (toDir !== undefined && dryRun) throw misuse('Give --to-dir or --dry-run, not both.');
  const vendor = vendors[from];
  if (vendor === undefined) throw misuse(`There is no converter for ${from}.`);
  const conversion = convert(await readText(file), file, vendor, options);
  const { report } = conversion;
  const toJson = (imported: ImportReport | null): string =>
    JSON.stringify({ conversion: report, import: imported });
  const isStopped = report.counts['left-out'] > 0 && !allowLeftOut;
  const isOffline = toDir !== undefined || (dryRun && env === undefined);
  if (!json) print(formatReport(report, vendor.title));
  else if (isStopped || isOffline) printLine(toJson(null));
  if (isStopped) {
    printNote(`error: ${leftOutText(report)}`);
    io().exitCode = leftOutExitCode;
    return null;
  }
  if (toDir !== undefined) writeFolder(conversion, toDir);
  if (isOffline) return null;
  const bytes = [...transferLines(conversion)].reduce((sum, line) => sum + line.byteLength, 0);
  const open = async function* (): AsyncGenerator<Uint8Array> {
    yield* transferLines(conversion);
  };
  const source = { name: file, bytes, once: false, open, placeOf: placesOf(conversion) };
  const [first] = conversion.contents;
  const nextStep = (env: string): string =>
    `Look at what a player gets: loadout evaluate ${first?.id} --env ${env} --user ada`;
  return { source, json: toJson, nextStep };
}

function convert(text: string, file: string, vendor: Vendor, options: VendorOptions): Conversion {
  const { as = null, fromEnv = null } = options;
  if (Buffer.byteLength(text) > exportBytesMax) {
    throw new CommandFailure(`${file} is larger than ${exportBytesMax / 1024 / 1024} MiB.`);
  }
  try {
    return vendor.convert(text, { content: as, environment: fromEnv });
  } catch (error) {
    if (error instanceof ConversionIssue) throw new CommandFailure(`${file}: ${error.message}`);
    throw error;
  }
}

/** The content or segment behind a line of the import: the server rejects by line. */
function placesOf(conversion: Conversion): (line: number) => string | null {
  const places = [
    'environment',
    ...conversion.segments.map(({ name }) => `segment ${name}`),
    ...conversion.contents.map(({ id }) => `content ${id}`),
  ];
  return (line) => places[line - 1] ?? null;
}

/** Files of other contents that are there stay. */
function writeFolder(conversion: Conversion, dir: string): void {
  const folder = new ExportFolder(dir);
  for (const line of [...segmentLines(conversion), ...contentLines(conversion)]) folder.add(line);
  printNote(`Wrote ${dir}. Look at it, then: loadout import --dir ${dir}`);
}
