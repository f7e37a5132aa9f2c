/** What is typed to set a value in many items, and what is wrong with it. Pure. */
import { setValueBytesMax } from '../../../contract/limits.js';

export interface SetFields {
  /** JSON Pointer. */
  readonly path: string;
  /** JSON text. */
  readonly value: string;
  /** '': every version line that has the path. */
  readonly appVersion: string;
  readonly create: boolean;
}

type FieldIssues = Partial<Record<'path' | 'value' | 'appVersion', string>>;

const version = /^\d{1,9}\.\d{1,9}\.\d{1,9}$/;
const strayTilde = /~(?![01])/;

/** By field; none: the fields make an edit. */
export function setFieldIssues({ path, value, appVersion }: SetFields): FieldIssues {
  const issues: FieldIssues = {};
  const pathIssue = issueOfPath(path.trim());
  if (pathIssue !== null) issues.path = pathIssue;
  const valueIssue = issueOfValue(value.trim());
  if (valueIssue !== null) issues.value = valueIssue;
  if (appVersion.trim() !== '' && !version.test(appVersion.trim())) {
    issues.appVersion = 'Use the form X.Y.Z, such as 2.0.0.';
  }
  return issues;
}

function issueOfPath(path: string): string | null {
  if (path === '') return 'Name the path of the value, such as /price.';
  if (!path.startsWith('/')) return `Begin with a slash: /${path.replaceAll('.', '/')}`;
  return strayTilde.test(path) ? 'Write ~0 for "~" and ~1 for "/" in a name.' : null;
}

function issueOfValue(value: string): string | null {
  if (value === '') return 'Type the value.';
  if (new TextEncoder().encode(value).length > setValueBytesMax) {
    return `At most ${setValueBytesMax / 1024} KB.`;
  }
  try {
    JSON.parse(value);
    return null;
  } catch {
    return `This is not JSON. Text needs quotes: ${JSON.stringify(value.slice(0, 40))}`;
  }
}
