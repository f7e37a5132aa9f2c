/** A kit with its drivers, which go from scenario to scenario: a start of a runtime costs more than most scenarios. */
import { mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Driver, DriverSource } from './driver.js';
import type { ServerUnderTest } from './game-environment.js';
import { driversOf, type Kit } from './kits.js';
import { runScenario } from './run-scenario.js';
import type { Scenario } from './scenario.js';

export class KitUnderTest {
  readonly #drivers: DriverSource;
  readonly #server: ServerUnderTest;
  readonly #folder = mkdtempSync(join(tmpdir(), 'loadout-kit-test-'));
  /** Those that no scenario uses now. */
  readonly #idle: Driver[] = [];
  readonly #all = new Set<Driver>();

  /** Builds the kit if its sources have changed; end it with `end`. */
  static async build(kit: Kit, server: ServerUnderTest): Promise<KitUnderTest> {
    return new KitUnderTest(await driversOf(kit), server);
  }

  private constructor(drivers: DriverSource, server: ServerUnderTest) {
    this.#drivers = drivers;
    this.#server = server;
  }

  /** Several scenarios may run at the same time; throws what is wrong with the kit. */
  async run(scenario: Scenario): Promise<void> {
    const folder = mkdtempSync(join(this.#folder, 'run-'));
    const place = { server: this.#server, folder, startDriver: () => this.#take() };
    try {
      this.#idle.push(await runScenario(scenario, place));
    } finally {
      // The driver may still be writing there: `end` removes what is left.
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    }
  }

  async end(): Promise<void> {
    await Promise.all([...this.#all].map((driver) => driver.kill()));
    await this.#drivers.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #take(): Promise<Driver> {
    const idle = this.#idle.pop();
    if (idle?.isAlive) return idle;
    const driver = await this.#drivers.start();
    this.#all.add(driver);
    return driver;
  }
}
