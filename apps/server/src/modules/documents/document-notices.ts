import type { Visibility } from '@portal/contract/documents/documents';
import type { Change } from '../../platform/database/index.ts';
import { activeContacts } from '../accounts/index.ts';
import { notifyPeople } from '../identity/index.ts';
import type { MailText } from '../mail/index.ts';
import { documentsTexts } from './mail-texts.ts';

type Notice = { text: MailText; act: string; onlyCorporate: boolean };

const path = '/member-account-settings/documents';
const readers = { 'all-contacts': null, corporate: ['corporate'], billing: ['corporate', 'billing'] } as const;

/** Notifies the contacts of an account who may see a document, or only those who represent the member. */
export async function notifyAboutDocument(
  change: Change,
  accountName: string,
  visibility: Visibility,
  { text, act, onlyCorporate }: Notice,
): Promise<void> {
  const types = onlyCorporate ? (['corporate'] as const) : readers[visibility];
  const contacts = await activeContacts(change, accountName, types ? { types } : {});
  await notifyPeople(change, { topic: 'organisation.documents', accountName, text, path, act }, contacts);
}

/** Notifies the sender of a file that it can't be used. */
export async function notifySender(
  change: Change,
  sender: { fullName: string; email: string; loginId: string },
  { accountName, fileName, finding }: { accountName: string | null; fileName: string; finding: string },
): Promise<void> {
  await notifyPeople(
    change,
    {
      topic: 'organisation.documents',
      accountName,
      text:
        accountName === null
          ? documentsTexts.written('virusFound', { title: fileName, finding })
          : documentsTexts.written('virusFoundInAccount', { accountName, title: fileName, finding }),
      ...(accountName !== null && { path, act: 'View documents' }),
    },
    [sender],
  );
}
