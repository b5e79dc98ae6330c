import type { Change } from '../../platform/database/index.ts';
import { notifyPeople } from '../identity/index.ts';
import { referenceOf, type Row } from './application-row.ts';
import { type MailText, withWords } from '../mail/index.ts';

/** Notifies the applicant of the application's new state, with the page to continue on. */
export async function notifyApplicant(
  change: Change,
  { id, loginId, applicantName, applicantEmail }: Pick<Row, 'id' | 'loginId' | 'applicantName' | 'applicantEmail'>,
  { text, path = '/add-account', act = 'View application' }: { text: MailText<'caseReference'>; path?: string; act?: string },
): Promise<void> {
  await notifyPeople(
    change,
    {
      topic: 'applications.status',
      accountName: null,
      text: withWords(text, { caseReference: referenceOf(id) }),
      path: path === '/add-account' ? `/add-account?application=${id}` : path,
      act,
    },
    [{ fullName: applicantName, email: applicantEmail, loginId }],
  );
}
