/** The scenarios, as their files have them. An unknown member is an error: a step that is misspelt would hold nothing. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { contentsSchema, stepSchema } from './step.js';

const scenarioSchema = z.strictObject({
  name: z.string().min(1),
  contents: contentsSchema.default({}),
  /** By the name of a kit: why it is otherwise there. That kit does not run the scenario. */
  except: z.record(z.string(), z.string()).default({}),
  steps: z.array(stepSchema).min(1),
});

const fileSchema = z.strictObject({
  title: z.string().min(1),
  scenarios: z.array(scenarioSchema).min(1),
});

export type Scenario = z.output<typeof scenarioSchema>;

/** The scenarios of one file: what one part of clients/README.md promises. */
export interface ScenarioGroup {
  readonly title: string;
  readonly scenarios: readonly Scenario[];
}

const folder = join(import.meta.dirname, 'scenarios');

/** All of them, by file in the order of their names; throws with the place of what is wrong in one. */
export function readScenarios(): readonly ScenarioGroup[] {
  const groups = readdirSync(folder).sort().map(readGroup);
  const names = groups.flatMap(({ scenarios }) => scenarios.map(({ name }) => name));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`two scenarios are called "${twice}"`);
  return groups;
}

function readGroup(file: string): ScenarioGroup {
  try {
    const parsed = fileSchema.safeParse(JSON.parse(readFileSync(join(folder, file), 'utf8')));
    if (parsed.success) return parsed.data;
    throw new Error(z.prettifyError(parsed.error));
  } catch (fault) {
    throw new Error(`${file}: ${(fault as Error).message}`);
  }
}
