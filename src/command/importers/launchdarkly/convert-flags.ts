/** LaunchDarkly's flags of one environment: one content item, whose members are the flags; its segments are saved segments. */

import { type Conversion, ConversionIssue, type ConversionOptions } from '../conversion.js';
import { ReportBuilder } from '../conversion-report.js';
import { flagContent } from '../flags/flag-content.js';
import { ContentIds } from '../names.js';
import { isObject, readSource } from '../source.js';
import { FlagPlans } from './flag-plans.js';
import { readExport } from './read-export.js';
import { Segments } from './segments.js';

const defaultContent = 'launchdarkly';

/** @throws ConversionIssue */
export function convertLaunchDarkly(text: string, options: ConversionOptions): Conversion {
  const source = readSource(text);
  const { value } = source;
  if ('featureStrategies' in value || 'parameters' in value) {
    throw new ConversionIssue('It is an export of another service.');
  }
  if ('data' in value && isObject(value['data'])) {
    throw new ConversionIssue('It is a message of a stream: give what is in its data.');
  }
  const report = new ReportBuilder();
  const { flags, segments: found } = readExport(source, options.environment, report);
  const segments = new Segments(found, report);
  const saved = segments.convert();
  const plans = new FlagPlans(flags, segments, report);
  const name = options.content ?? defaultContent;
  const id = new ContentIds().take(name);
  report.renamed('content', name, id);
  const content = flagContent(
    id,
    '',
    [...flags.values()].map((flag) => plans.plan(flag)),
  );
  return { contents: [content], segments: saved, report: report.finish('launchdarkly') };
}
