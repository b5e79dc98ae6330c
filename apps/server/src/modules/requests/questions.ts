import { DAY_MS, instantAfter, instantBefore } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { type Row, updateRequest } from './request-row.ts';

/** The open question to a party of a case, or null. */
export const questionTo = ({ questions }: Pick<Row, 'questions'>, accountName: string): Row['questions'][number] | null =>
  questions.find(question => question.accountName === accountName) ?? null;

/** The deadline of a case that waits for answers: the first of their deadlines. */
const firstDeadline = (deadlines: readonly string[]): string | null => deadlines.toSorted()[0] ?? null;

/** Asks parties of a case the same question, each with its own deadline, and makes the case wait. None of them may have an open question. */
export async function askParties(
  change: Change,
  row: Row,
  { parties, words, by, days }: { parties: readonly string[]; words: string; by: string; days: number },
): Promise<void> {
  const answerBy = instantAfter(change.now, days * DAY_MS);
  await change
    .insertInto('resourceRequestQuestion')
    .values(parties.map(accountName => ({ resourceRequestId: row.id, accountName, words, askedBy: by, askedAt: change.now, answerBy })))
    .execute();
  await updateRequest(change, row, {
    state: 'needs-info',
    reviewer: by,
    expiresAt: firstDeadline([answerBy, ...row.questions.map(question => question.answerBy)]),
  });
}

/** Closes the answered question to a party. With the last one, the case goes back into review. */
export async function closeQuestion(change: Change, row: Row, accountName: string): Promise<void> {
  await change.rows(sql`update resource_request_question set closed_at = ${change.now}
    where resource_request_id = ${row.id} and account_name = ${accountName} and closed_at is null`);
  const rest = row.questions.filter(question => question.accountName !== accountName);
  await updateRequest(
    change,
    row,
    rest.length === 0 ? { state: 'in-review' } : { expiresAt: firstDeadline(rest.map(({ answerBy }) => answerBy)) },
  );
}

/** Closes open questions: the case ended, or the registry continues without an answer. */
export const closeQuestions = (change: Change, { id }: Pick<Row, 'id'>): Promise<unknown> =>
  change.rows(sql`update resource_request_question set closed_at = ${change.now} where resource_request_id = ${id} and closed_at is null`);

/** Open questions with so many reminders sent, asked at least so many days ago. */
export const questionsToRemindOf = (
  read: Pick<Read, 'rows'>,
  { sent, days, now }: { sent: number; days: number; now: Date },
): Promise<{ questionId: number; id: number; accountName: string }[]> =>
  read.rows(sql`select q.resource_request_question_id as question_id, q.resource_request_id as id, q.account_name from resource_request_question q
    join resource_request r using (resource_request_id) where q.closed_at is null and r.state = 'needs-info' and q.reminders = ${sent}
      and q.asked_at <= ${instantBefore(now, days * DAY_MS)} order by q.resource_request_question_id`);

/** Counts a reminder; false if another process was first. */
export async function countReminder(change: Change, questionId: number, sent: number): Promise<boolean> {
  const counted = await change.rows(sql`update resource_request_question set reminders = ${sent + 1}
    where resource_request_question_id = ${questionId} and reminders = ${sent} and closed_at is null returning 1`);
  return counted.length > 0;
}
