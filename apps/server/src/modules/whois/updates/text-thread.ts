import { maxUploadedObjects } from '@portal/contract/whois/whois';
import { refuseField } from '../../../platform/failure.ts';
import { portions } from '../../../platform/portions.ts';
import { refuseDryRunText, updatesOfText } from '../store/syntax.ts';
import type { WhoisUpdate } from '../store/update.ts';

/** Splits a text into its objects, and yields them; returns its size. @throws Failure INVALID_REQUEST if it has none or too many, or asks for a dry run in a call that isn't one */
export function* read({ text, dryRun }: { text: string; dryRun: boolean }): Generator<WhoisUpdate[], { bytes: number }> {
  if (!dryRun) refuseDryRunText(text, 'text');
  const updates = updatesOfText(text);
  if (updates.length === 0) throw refuseField('text', 'This text has no object');
  if (updates.length > maxUploadedObjects)
    throw refuseField('text', `This text has ${updates.length} objects. Send at most ${maxUploadedObjects} at a time`);
  yield* portions(updates);
  return { bytes: Buffer.byteLength(text) };
}
