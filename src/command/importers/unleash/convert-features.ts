/** Unleash's features of one environment: one content item, whose members are the features; its segments are saved segments. */

import { type Conversion, ConversionIssue, type ConversionOptions } from '../conversion.js';
import { ReportBuilder } from '../conversion-report.js';
import { flagContent } from '../flags/flag-content.js';
import { ContentIds } from '../names.js';
import { parseSource } from '../source.js';
import { FeaturePlans } from './feature-plans.js';
import { readUnleash } from './read-export.js';
import { Segments } from './segments.js';

const defaultContent = 'unleash';

/** @throws ConversionIssue */
export function convertUnleash(text: string, options: ConversionOptions): Conversion {
  if (options.environment !== null) {
    throw new ConversionIssue('An export of Unleash is of one environment: leave out --from-env.');
  }
  const report = new ReportBuilder();
  const { features, segments: found } = readUnleash(parseSource(text), report);
  const segments = new Segments(found, report);
  const plans = new FeaturePlans(features, segments, report);
  const name = options.content ?? defaultContent;
  const id = new ContentIds().take(name);
  report.renamed('content', name, id);
  const content = flagContent(
    id,
    '',
    [...features.values()].map((feature) => plans.plan(feature)),
  );
  const saved = segments.convert(report);
  return { contents: [content], segments: saved, report: report.finish('unleash') };
}
