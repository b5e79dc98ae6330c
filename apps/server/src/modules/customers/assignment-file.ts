import type { AnswerOf, BodyOf } from '@portal/contract';
import type { whoisCustomers } from '@portal/contract/customers/customers';
import type { Change } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import { readApart } from '../../platform/reading-apart.ts';
import type { readRows } from './assignment-csv.ts';
import { registerRows } from './assignment-rows.ts';
import type { Writing } from './new-assignment.ts';

/** Reads a file of assignments in the thread for texts. */
export const assignmentsApart = readApart<typeof readRows>(new URL('./assignment-csv-thread.ts', import.meta.url));

/** Registers the rows of a CSV file, all or none; every row is checked as if those before it were done, and its errors are reported. */
export async function importAssignments(
  change: Change,
  account: AdmittedAccount,
  rows: ReturnType<typeof readRows>,
  { dryRun, reuse }: Pick<BodyOf<typeof whoisCustomers.importAssignments>, 'dryRun' | 'reuse'>,
  writing: Writing,
): Promise<AnswerOf<typeof whoisCustomers.importAssignments>> {
  const { stored, problems } = await registerRows(change, account, rows, { ...writing, dryRun, reuse });
  await change.note({ rows: rows.length, stored });
  return {
    stored,
    rows: rows.map(({ line, given }, place) => ({
      line,
      resource: given['range'] ?? '',
      netname: given['netname'] ?? '',
      visibility: given['visibility'] || 'private',
      problem: problems[place]!,
    })),
  };
}
