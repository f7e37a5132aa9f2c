/** `loadout release`: changes of many content items and segments that are reviewed, scheduled, ramped and reverted as one. */

import { Command } from 'commander';
import { addReleaseActs } from './release-acts.js';
import { addReleaseChanges } from './release-changes.js';
import { addReleaseDiff } from './release-diff.js';
import { addReleaseEdit } from './release-edit.js';
import { addReleasePreview } from './release-preview.js';
import { addReleaseReview } from './release-review.js';
import { addReleaseSchedule } from './release-schedule.js';
import { addReleaseViews } from './release-show.js';

/** In the order in which a release goes through them. */
export function releaseCommand(): Command {
  const command = new Command('release').description(
    'changes of many contents and segments that are reviewed, scheduled, ramped and reverted as one',
  );
  addReleaseEdit(command);
  addReleaseChanges(command);
  addReleaseViews(command);
  addReleaseDiff(command);
  addReleasePreview(command);
  addReleaseReview(command);
  addReleaseSchedule(command);
  addReleaseActs(command);
  return command;
}
