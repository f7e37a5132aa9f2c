/** The native addon of a build, for the contenders that measure it. */
import type { NativeContent } from '../../src/native/native-content.js';
import { importFrom } from '../build.js';
import { Skipped } from './contender.js';

export async function nativeContentOf(root: string): Promise<NativeContent | Skipped> {
  type AddonModule = typeof import('../../src/native/addon.js');
  type ContentModule = typeof import('../../src/native/native-content.js');
  try {
    const { loadAddon } = await importFrom<AddonModule>(root, 'native/addon.js');
    const { NativeContent } = await importFrom<ContentModule>(root, 'native/native-content.js');
    return new NativeContent(loadAddon());
  } catch (error) {
    const [line] = (error as Error).message.split('\n');
    return new Skipped(`the native addon cannot be loaded (${line})`);
  }
}
