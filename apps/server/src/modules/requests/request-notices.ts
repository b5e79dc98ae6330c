import type { Change } from '../../platform/database/index.ts';
import { activeContacts } from '../accounts/index.ts';
import { notifyPeople } from '../identity/index.ts';
import { referenceOf, type Row } from './request-row.ts';
import { casePath } from '@portal/contract/staff/case-words';
import { type MailText, withWords } from '../mail/index.ts';

type Words = { text: MailText<'caseReference'>; act?: string };

/** The page of a case. */
export const pageOf = (row: Pick<Row, 'id' | 'kind' | 'recipientName'>, accountName: string): string => {
  const id = `?request=${row.id}`;
  const isRecipient = row.recipientName === accountName;
  switch (row.kind) {
    case 'ipv4':
      return `/resources/ipv4_request_form${id}`;
    case 'ipv6':
      return `/resources/ipv6_request_form${id}`;
    case 'asn':
      return `/resources/asn_request_form${id}`;
    case 'pre-approval':
      return `/resources/ipv4_pre-approval_form${id}`;
    case 'return':
      return `/resources/ipv4_transfer_return_success${id}`;
    case 'transfer':
      return isRecipient ? `/resources/ipv4_receive_form${id}` : `/resources/ipv4_transfer_request_success${id}`;
    case 'acquisition':
      return isRecipient ? `/resources/acquisition_transfer_receive${id}` : `/resources/acquisition_transfer_request_success${id}`;
  }
};

/** The page of a case at the desk. */
export const deskPageOf = ({ id, kind }: Pick<Row, 'id' | 'kind'>): string =>
  casePath({ kind: ['transfer', 'acquisition', 'return'].includes(kind) ? 'transfers' : 'resources', caseId: id });

/** Notifies the contacts of a party who see requests, always including the requester of its own cases. */
export async function notifyParty(change: Change, row: Row, accountName: string, { text, act = 'View request' }: Words): Promise<void> {
  const contacts = await activeContacts(change, accountName, { permission: 'tickets-resources-view' });
  await notifyPeople(
    change,
    {
      topic: 'resources.requests',
      accountName,
      text: withWords(text, { caseReference: referenceOf(row.id) }),
      path: pageOf(row, accountName),
      act,
    },
    contacts,
  );
}

/** The accounts of a case: its sender, and the recipient of an offered transfer. */
export const partiesOf = ({ accountName, recipientName, submittedAt }: Row): string[] =>
  recipientName !== null && submittedAt !== null ? [accountName, recipientName] : [accountName];

/** Notifies all parties of a case with a text that suits each of them; use `notifyParty` for one party's matters. */
export async function notifyParties(change: Change, row: Row, words: Words): Promise<void> {
  for (const party of partiesOf(row)) await notifyParty(change, row, party, words);
}
