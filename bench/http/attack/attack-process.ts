/** Entry point of the process that attacks: runs the attacks that its parent names, against one port at a time. */
import { type Attack, type AttackName, startAttack } from './attacks.js';

export interface ToAttack {
  /** None: all attacks stop. */
  readonly attacks: readonly AttackName[];
  readonly port: number;
}

let running: readonly Attack[] = [];

process.on('message', ({ attacks, port }: ToAttack) => {
  for (const attack of running) attack.stop();
  running = attacks.map((name) => startAttack(name, port));
});
process.on('disconnect', () => process.exit(0));
