/** Starts the driver of a provider, wherever that runs. */
import { Driver } from './driver.js';
import { DriverPage } from './driver-page.js';
import { DriverProcess } from './driver-process.js';
import { type Provider, prepare } from './providers.js';

/** End it with `stop`. */
export async function startDriver(provider: Provider): Promise<Driver> {
  const folder = prepare(provider);
  const { driver, env = {} } = provider;
  return new Driver(
    typeof driver === 'string'
      ? await DriverPage.open(driver, folder)
      : new DriverProcess(driver, folder, env),
  );
}
