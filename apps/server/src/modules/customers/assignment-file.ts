import type { AnswerOf } from '@portal/contract';
import type { LongText } from '@portal/contract/long-text';
import type { whoisCustomers } from '@portal/contract/customers/customers';
import type { Act } from '../../platform/http/endpoints.ts';
import { readApart } from '../../platform/reading-apart.ts';
import type { AssignmentLine } from './assignment-csv.ts';
import type { read } from './assignment-csv-thread.ts';
import { registerRows } from './assignment-rows.ts';

/** Reads a file of assignments in the thread for texts. */
export const assignmentsApart = readApart<typeof read>(new URL('./assignment-csv-thread.ts', import.meta.url));

/** Reads the file of an import, before its change. @throws Failure INVALID_REQUEST, TOO_MANY_REQUESTS */
export const readAssignmentFile = async ({
  account: { accountName },
  body: { csv },
}: {
  account: { accountName: string };
  body: { csv: LongText };
}): Promise<AssignmentLine[]> => (await assignmentsApart(accountName, csv, 'csv')).portions.flat();

/** Registers the rows of a CSV file, all or none; every row is checked as if the previous ones were done, and its errors are reported. */
export async function importAssignments(
  { change, account, body: { dryRun, reuse }, registry }: Act<typeof whoisCustomers.importAssignments>,
  rows: AssignmentLine[],
): Promise<AnswerOf<typeof whoisCustomers.importAssignments>> {
  const { stored, problems } = await registerRows(change, account, rows, { dryRun, reuse, registry });
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
