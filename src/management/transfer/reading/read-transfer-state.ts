/** Reads the lines, the mapping and the flags of an imported content, checking them as a save would. */
import { digestOf } from '../../../content/hash.js';
import { compareVersionTexts } from '../../../content/version-text.js';
import { mappingBytesMax } from '../../../contract/limits.js';
import type { ValidationIssue } from '../../../contract/problems.js';
import type { ContentLine, DraftLine } from '../../../contract/schemas/transfer-line.js';
import type { SaltedUse } from '../../contents/validate/layer-issues.js';
import { encodeText, prepareText } from '../../contents/validate/prepare-text.js';
import { bounded, validateState } from '../../contents/validate/validate-state.js';
import { flagWarnings } from '../../contents/warnings/flag-warnings.js';
import { rawMembers } from '../../http/body/raw-members.js';
import { deliveredJson } from '../../store/contents/delivered-json.js';
import { writersStepOf } from '../../store/contents/mapping-writers.js';
import type { LineDraft } from '../../store/contents/revisions.js';

/** Lines, mapping and flags of a content or draft, with their texts by digest. */
export interface ReadState {
  /** Ascending by version. */
  readonly lines: readonly LineDraft[];
  readonly mapping: string | null;
  readonly flags: readonly string[];
  readonly segments: readonly string[];
  /** Its rules in layers. */
  readonly layers: readonly SaltedUse[];
  /** See `writersStepOf`. */
  readonly writersStep: number;
  readonly texts: readonly (readonly [digest: string, bytes: Uint8Array])[];
}

/** What a text must keep to, as an operator has set it. */
export interface TextLimits {
  readonly textBytesMax: number;
  readonly textLevelsMax: number;
}

export interface CheckedState {
  readonly state: ReadState;
  readonly issues: ValidationIssue[];
  readonly warnings: ValidationIssue[];
}

/**
 * The texts, the mapping, and each mutation on each line.
 * @param bytes the whole NDJSON line, for values whose bytes must survive
 */
export async function readState(
  line: ContentLine | DraftLine,
  bytes: Uint8Array,
  limits: TextLimits,
): Promise<CheckedState> {
  const issues: ValidationIssue[] = [];
  const warnings: ValidationIssue[] = [];
  const texts = new Map<string, Uint8Array>();
  const lines = readLines(line.lines, limits, texts, issues, warnings);
  const text = line.mapping === null ? null : valueText(line.mapping, bytes, 'mapping');
  const mapping = text === null ? noMapping : await readMapping(text, lines, texts, issues);
  const { flags = [] } = line;
  warnings.push(...mapping.warnings, ...ofFlags(flags, lines, texts));
  const { digest, segments, layers, writersStep } = mapping;
  const facts = { lines, mapping: digest, flags, segments, layers, writersStep };
  const state = { ...facts, texts: [...texts] };
  return { state, issues, warnings };
}

function readLines(
  given: ContentLine['lines'],
  limits: TextLimits,
  texts: Map<string, Uint8Array>,
  issues: ValidationIssue[],
  warnings: ValidationIssue[],
): LineDraft[] {
  const lines: LineDraft[] = [];
  for (const [index, { appVersion, text }] of given.entries()) {
    const path = `lines[${index}]`;
    if (lines.some(({ version }) => version === appVersion)) {
      issues.push({
        path: `${path}.appVersion`,
        appVersion,
        message: `${appVersion} stands twice`,
      });
    }
    const bytes = encodeText(text, limits.textBytesMax);
    if (typeof bytes === 'string') {
      issues.push({ path: `${path}.text`, appVersion, message: bytes });
      continue;
    }
    const prepared = prepareText({ bytes, levelsMax: limits.textLevelsMax });
    if (!prepared.ok) {
      const place = `line ${prepared.line}, column ${prepared.column} of the text`;
      issues.push({ path: `${path}.text`, appVersion, message: `${prepared.message} (${place})` });
      continue;
    }
    warnings.push(
      ...prepared.warnings.map(({ message }) => ({ path: `${path}.text`, appVersion, message })),
    );
    lines.push({ version: appVersion, ...prepared.line });
    texts.set(prepared.line.textDigest, bytes);
  }
  return lines.sort((a, b) => compareVersionTexts(a.version, b.version));
}

async function readMapping(
  text: string,
  lines: readonly LineDraft[],
  texts: Map<string, Uint8Array>,
  issues: ValidationIssue[],
): Promise<ReadMapping> {
  const bytes = encodeText(text, mappingBytesMax);
  if (typeof bytes === 'string') {
    issues.push({ path: 'mapping', message: bytes });
    return noMapping;
  }
  const rules = parseText(text);
  // Without comments, because responses contain it as JSON.
  if (!Array.isArray(rules)) {
    issues.push({ path: 'mapping', message: 'must be the JSON text of a list' });
    return noMapping;
  }
  // It can be tried only on lines that are whole.
  if (rules.length === 0 || issues.length > 0) return noMapping;
  const toValidate = lines.map(({ version, textDigest }) => ({
    version,
    text: texts.get(textDigest) ?? bytes,
  }));
  const { problem, warnings, segments, layers } = await validateState({
    lines: toValidate,
    mapping: bytes,
    schema: null,
    flags: [],
  });
  if (problem !== null) issues.push(...problem.errors);
  const digest = digestOf(bytes);
  texts.set(digest, bytes);
  const names = [...new Set(segments.map((use) => use.segment))];
  return { digest, segments: names, layers, warnings, writersStep: writersStepOf(bytes) };
}

/** As many as a save would show. */
function ofFlags(
  flags: readonly string[],
  lines: readonly LineDraft[],
  texts: ReadonlyMap<string, Uint8Array>,
): ValidationIssue[] {
  if (flags.length === 0) return [];
  const read = lines.map(({ version, textDigest }) => {
    return { version, json: deliveredJson(texts.get(textDigest) ?? new Uint8Array()) };
  });
  return bounded(flagWarnings(flags, read));
}

interface ReadMapping {
  readonly digest: string | null;
  readonly segments: readonly string[];
  readonly layers: readonly SaltedUse[];
  readonly warnings: readonly ValidationIssue[];
  readonly writersStep: number;
}

const noMapping: ReadMapping = {
  ...{ digest: null, segments: [], layers: [], warnings: [] },
  writersStep: 0,
};

const blankAround = /^[ \t\r\n]+|[ \t\r\n]+$/g;

/** A member that holds a text: itself when it is a string, else its JSON as it stands in the line. */
export function valueText(value: unknown, line: Uint8Array, name: string): string | null {
  // Without white space around it, as it would be cut out of JSON.
  if (typeof value === 'string') return value.replace(blankAround, '');
  const raw = rawMembers(line).get(name);
  return raw === undefined ? null : Buffer.from(raw).toString();
}

/** Undefined: it is not JSON. */
export function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
