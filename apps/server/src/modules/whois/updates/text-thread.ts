import { maxImmediateUpdates, maxUploadedObjects } from '@portal/contract/whois/whois';
import { formatCount } from '@portal/number-resources';
import { longestObject } from '@portal/rpsl';
import { refuseField } from '../../../platform/failure.ts';
import { portions } from '../../../platform/portions.ts';
import { refuseDryRunText, updatesOfText } from '../store/syntax.ts';
import type { WhoisUpdate } from '../store/update.ts';
import { endRestriction, rowsInJson, type TaskRows } from './task-rows.ts';

/**
 * The longest object that is handed over, in characters. One that is too long to be written, but no longer than this, is refused with an outcome of its own,
 * and the others of its text are written.
 */
const LONGEST_HANDED = 1_000_000;

/** Answer of `read`: bytes of the text, and of its objects, as many as they are and whether they end a restriction. */
type TextRead = { bytes: number } & Omit<TaskRows, 'portions'>;

/** Splits a text into its objects, and yields them: as objects if they are written in one call, as rows of a task if they are more. @throws Failure INVALID_REQUEST if it has none or too many, if one is far too long, or it asks for a dry run in a call that isn't one */
export function* read({ text, dryRun }: { text: string; dryRun: boolean }): Generator<WhoisUpdate[] | string, TextRead> {
  if (!dryRun) refuseDryRunText(text, 'text');
  const updates = updatesOfText(text);
  if (updates.length === 0) throw refuseField('text', 'This text has no object');
  if (updates.length > maxUploadedObjects)
    throw refuseField('text', `This text has ${updates.length} objects. Send at most ${maxUploadedObjects} at a time`);
  for (const { text: object, line } of updates)
    if (object.length > LONGEST_HANDED)
      throw refuseField(
        'text',
        `The object in line ${line} has ${formatCount(object.length)} characters, the longest may have ${formatCount(longestObject)}`,
      );
  if (updates.length > maxImmediateUpdates) yield* rowsInJson(updates);
  else yield* portions(updates);
  return { bytes: Buffer.byteLength(text), count: updates.length, endsRestriction: endRestriction(updates) };
}
