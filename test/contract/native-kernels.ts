/** The native side of the contract suites: one addon, every kernel that this machine runs. */

import { type Addon, loadAddon } from '../../src/native/addon.js';
import { NativeContent } from '../../src/native/native-content.js';

export const addon: Addon = loadAddon();
export const kernels: readonly string[] = addon.kernelNames();
export const native: NativeContent = new NativeContent(addon);

/** Restores the best kernel, which a process has before it asks for another. */
export function useBestKernel(): void {
  addon.useKernel(kernels[0] as string);
}
