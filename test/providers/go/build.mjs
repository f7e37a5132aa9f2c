/** Builds the driver. */
import { runGo } from '../../support/go/go-command.mjs';

runGo('.', ['build', '-mod=readonly', '-o', 'driver', '.']);
