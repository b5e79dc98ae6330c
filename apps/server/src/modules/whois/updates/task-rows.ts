import { breathing } from '../../../platform/breathing.ts';
import { portionsOfJson } from '../../../platform/portions.ts';
import { identityOf, readUpdateOnce } from '../store/syntax.ts';
import type { WhoisUpdate } from '../store/update.ts';
import { endsRestriction } from './irt-restriction.ts';

/**
 * Objects of a task as its rows, in portions of JSON that the database takes apart: thousands are never walked on the event loop. `endsRestriction`: each helps to
 * end a restriction of their account.
 */
export type TaskRows = { portions: readonly string[]; count: number; endsRestriction: boolean };

/** A row of `whois_task_item`. */
type TaskRow = {
  item_no: number;
  operation: WhoisUpdate['operation'];
  class: string;
  key: string;
  shown: string;
  text: string;
  reason: string;
  expected_version: number | null;
};

function rowOf(update: WhoisUpdate, place: number): TaskRow {
  const { operation, text, reason = '', expectedVersion = null } = update;
  const { object } = readUpdateOnce(update);
  const identity = object && identityOf(object);
  return {
    item_no: place + 1,
    operation,
    class: identity?.class ?? object?.class ?? '',
    key: identity?.key ?? '',
    shown: identity?.shown ?? object?.attributes[0]?.value ?? '',
    text,
    reason,
    expected_version: expectedVersion,
  };
}

/** Yields the rows of updates as JSON: in a thread, because it is dear where there are thousands. */
export function* rowsInJson(updates: readonly WhoisUpdate[]): Generator<string, void> {
  for (const portion of portionsOfJson(updates.map(rowOf))) yield JSON.stringify(portion);
}

/** Whether each of these helps to end a restriction. */
export const endRestriction = (updates: readonly WhoisUpdate[]): boolean => updates.every(({ text }) => endsRestriction(text));

/** The rows of updates that the server made, while others have their turn. */
export async function taskRowsOf(updates: readonly WhoisUpdate[]): Promise<TaskRows> {
  const rows: TaskRow[] = [];
  const portions: string[] = [];
  const breathe = breathing();
  for (const [place, update] of updates.entries()) {
    rows.push(rowOf(update, place));
    await breathe();
  }
  for (const portion of portionsOfJson(rows)) {
    portions.push(JSON.stringify(portion));
    await breathe();
  }
  return { portions, count: updates.length, endsRestriction: endRestriction(updates) };
}
