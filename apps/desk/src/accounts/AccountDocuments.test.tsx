import { PageFrame } from '@portal/app-kit';
import type { AccountDocument } from '@portal/contract/documents/documents';
import { pages } from '@portal/contract/pages';
import type { AccountSheet } from '@portal/contract/staff/desk';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { aPerson, aRouter, aSession, show } from '@portal/app-kit/testing';
import { AccountDocuments } from './AccountDocuments.tsx';

const document = (given: Partial<AccountDocument>): AccountDocument => ({
  documentId: '1',
  fileName: 'paper.pdf',
  kind: 'pdf',
  bytes: 1200,
  sha256: '0'.repeat(64),
  check: 'not-checked',
  uploadedAt: '2026-11-18T09:00:00Z',
  title: 'Company extract',
  type: 'legal',
  visibility: 'corporate',
  validUntil: null,
  reference: null,
  uploadedBy: 'Corin Achterberg',
  signature: 'none',
  signedBy: null,
  signedAt: null,
  opened: false,
  ...given,
});
const signed = document({
  documentId: '2',
  title: 'Membership agreement',
  signature: 'signed',
  signedBy: 'Corin Achterberg',
  signedAt: '2026-11-19T09:00:00Z',
});

function open({ own = false }: { own?: boolean } = {}) {
  const sheet = { account: { accountName: 'EXAMPLE-AU', accountStatus: 'open' }, own } as AccountSheet;
  const shown = show(
    <PageFrame page={pages.deskAccount}>
      <AccountDocuments sheet={sheet} />
    </PageFrame>,
    {
      router: aRouter('/desk/accounts/EXAMPLE-AU'),
      session: aSession({ account: null, person: aPerson({ userId: 'stella', staff: true, mfa: true }) }),
      answer: ({ endpoint }) =>
        endpoint === 'documents.listStaffDocuments' ? { status: 200, data: { rows: [document({}), signed] } } : { status: 204 },
    },
  );
  const sent = (endpoint: string) => shown.sent.filter(sent => sent.endpoint === endpoint).map(({ input }) => input);
  return { ...shown, sent };
}

it('a document is deleted with a reason the member reads', async () => {
  const { sent } = open();
  fireEvent.click(await screen.findByLabelText('Delete Company extract'));
  const dialog = within(await screen.findByRole('alertdialog'));
  fireEvent.click(dialog.getByText('Delete'));
  expect(dialog.getByText('Enter a reason. The member sees it.')).toBeTruthy();
  expect(sent('documents.deleteDocument')).toEqual([]);
  fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Of another member' } });
  fireEvent.click(dialog.getByText('Delete'));
  await screen.findByText('Company extract');
  expect(sent('documents.deleteDocument')).toEqual([{ documentId: '1', body: { reason: 'Of another member' } }]);
});

it('a signed document cannot be deleted, and the page says so', async () => {
  open();
  const remove = await screen.findByLabelText('Delete Membership agreement');
  expect(remove.getAttribute('aria-disabled')).toBe('true');
  expect(screen.getByText('Signed documents can’t be deleted.')).toBeTruthy();
});

it('staff who are contacts of the account give it nothing and take nothing away', async () => {
  open({ own: true });
  const sendButton = await screen.findByText('Send a document');
  expect(sendButton.closest('button')!.getAttribute('aria-disabled')).toBe('true');
  expect(screen.getByLabelText('Delete Company extract').getAttribute('aria-disabled')).toBe('true');
});

it('a document to sign is asked for beside what every document has', async () => {
  open();
  fireEvent.click(await screen.findByText('Send a document'));
  const form = within(screen.getByRole('form', { name: 'Send a document' }));
  expect(form.getByLabelText('A corporate contact has to sign it')).toBeTruthy();
  fireEvent.click(form.getByText('Add the document'));
  expect(form.getByRole('link', { name: 'Enter a title' })).toBeTruthy();
});
