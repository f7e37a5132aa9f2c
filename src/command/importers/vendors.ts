/** The services whose exports are converted. */

import type { Conversion, ConversionOptions } from './conversion.js';
import { convertFirebase } from './firebase/convert-template.js';
import { convertLaunchDarkly } from './launchdarkly/convert-flags.js';
import { convertUnleash } from './unleash/convert-features.js';

export interface Vendor {
  /** As people call it. */
  readonly title: string;
  /** @throws ConversionIssue */
  readonly convert: (text: string, options: ConversionOptions) => Conversion;
}

export const vendors: Readonly<Record<string, Vendor>> = {
  firebase: { title: 'Firebase Remote Config', convert: convertFirebase },
  launchdarkly: { title: 'LaunchDarkly', convert: convertLaunchDarkly },
  unleash: { title: 'Unleash', convert: convertUnleash },
};
