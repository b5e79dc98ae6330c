import type { AnswerOf } from '@portal/contract';
import type { invoiceDocuments } from '@portal/contract/billing/invoice-documents';
import { DAY_MS, HOUR_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { refuseBeyond } from '../../../platform/counted-limit.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { Change, Read } from '../../../platform/database/index.ts';
import { refuse, refuseField } from '../../../platform/failure.ts';
import type { Act } from '../../../platform/http/endpoints.ts';
import { activeContacts } from '../../accounts/index.ts';
import { pageOfBills } from '../billing-notices.ts';
import { notifyPeople } from '../../identity/index.ts';
import { theLast } from '../../../platform/clock-watch.ts';
import { billingTexts } from '../mail-texts.ts';

/** How many a person may send in 24 hours. */
const MAX_A_DAY = 20;

type SentDocument = { what: 'invoice' | 'credit-note' | 'receipt'; words: string; invoiceNumber: string };

/** Returns the active contacts of the account by name, the caller left out. */
export async function listColleagues({
  read,
  account: { accountName },
  caller: { loginId },
}: Act<typeof invoiceDocuments.listColleagues>): Promise<AnswerOf<typeof invoiceDocuments.listColleagues>> {
  const contacts = await activeContacts(read, accountName);
  return { rows: contacts.filter(each => each.loginId !== loginId).map(({ contactId, fullName }) => ({ contactId, fullName })) };
}

/** Finds the document with a number in an account: an invoice, a credit note or a receipt. @throws Failure NOT_FOUND */
async function documentNamed(read: Read, accountName: string, number: string): Promise<SentDocument> {
  const [document] = await read.rows<SentDocument>(sql`
    select 'invoice' as what, 'invoice' as words, number as invoice_number from invoice where account_name = ${accountName} and number = ${number}
    union all select 'credit-note', 'credit note', i.number from credit_note n join invoice i using (invoice_id)
      where i.account_name = ${accountName} and n.number = ${number}
    union all select 'receipt', 'receipt', r.number from (select i.number, row_number() over (order by p.payment_id) as place
      from invoice i join payment p using (invoice_id) where i.account_name = ${accountName} and i.number = ${number.replace(/^REC-(.*)-\d+$/, 'INV-$1')}) r
      where 'REC-' || substr(r.number, 5) || '-' || r.place = ${number}`);
  if (!document) throw refuse('NOT_FOUND', { what: `Invoice, credit note or receipt ${number}` });
  return document;
}

/** Refuses people who have reached the daily limit. Sent documents are counted by their lines in the activity log. @throws Failure TOO_MANY_REQUESTS */
async function refuseTooMany(change: Change, { loginId, subject, issuer }: Caller): Promise<void> {
  const { since, until } = theLast(DAY_MS, change.now);
  await refuseBeyond(change, {
    of: `billing.sent-by-${loginId}`,
    counted: sql`select count(*) as count from activity
      where login_subject = ${subject} and login_issuer = ${issuer} and action = 'billing.invoiceDocuments.sendDocument' and refusal is null
        and activity_id <> ${change.activityId} and happened_at between ${since}::timestamptz and ${until}::timestamptz`,
    limit: MAX_A_DAY,
    seconds: HOUR_MS / 1000,
  });
}

/**
 * Sends an invoice, a credit note or a receipt to a contact of the account, with the caller's name and note; the e-mail carries the PDF.
 * @throws Failure NOT_FOUND, TOO_MANY_REQUESTS, INVALID_REQUEST for a contact that the account does not have
 */
export async function sendDocument({
  change,
  account: { accountName },
  caller,
  params: { documentNumber: number },
  body: { contactId, note },
}: Act<typeof invoiceDocuments.sendDocument>): Promise<AnswerOf<typeof invoiceDocuments.sendDocument>> {
  const { what, words, invoiceNumber } = await documentNamed(change, accountName, number);
  const contact = (await activeContacts(change, accountName)).find(each => each.contactId === contactId);
  if (!contact) throw refuseField('contactId', `Choose an active contact of ${accountName}`);
  await refuseTooMany(change, caller);
  await change.note({ [what === 'credit-note' ? 'creditNote' : what]: number, sentTo: contact.fullName });
  await notifyPeople(
    change,
    {
      topic: 'billing.invoices',
      accountName,
      text: billingTexts.written('documentSent', {
        accountName,
        words,
        invoice: number,
        actor: caller.name,
        note: note === '' ? '' : `Note: ${note}`,
      }),
      path: await pageOfBills(change, accountName, invoiceNumber),
      act: 'View the invoice',
      attaches: { what, number },
    },
    [contact],
  );
  return { sentTo: contact.fullName };
}
