/** Asks questions one after the other and prints what they find; one that fails does not take the others along. */
import type { Bench, Finding, Question } from './bench.js';
import { duration } from './help.mjs';
import { progressLine } from './report/progress.js';
import { textOf } from './report/text-table.js';

export interface Asked {
  readonly findings: readonly Finding[];
  readonly failed: readonly string[];
}

export async function ask(questions: readonly Question[], bench: Bench): Promise<Asked> {
  const findings: Finding[] = [];
  const failed: string[] = [];
  for (const question of questions) {
    const startedAt = performance.now();
    try {
      const finding = await question.answer(bench);
      findings.push(finding);
      progressLine('');
      console.log(textOf(finding));
      console.log(`  took ${duration((performance.now() - startedAt) / 1000)}`);
    } catch (error) {
      failed.push(question.name);
      progressLine('');
      console.error(`\n${question.name} failed: ${(error as Error).stack}`);
    }
  }
  return { findings, failed };
}
