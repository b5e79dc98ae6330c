import { PageFrame } from '@portal/app-kit';
import type { AccountDocument } from '@portal/contract/documents/documents';
import { pages } from '@portal/contract/pages';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { anAccount, aPerson, aRouter, aSession, show } from '@portal/app-kit/testing';
import DocumentsPage from './DocumentsPage.tsx';

const toSign: AccountDocument = {
  documentId: '1',
  fileName: 'agreement.pdf',
  kind: 'pdf',
  bytes: 1200,
  sha256: '0'.repeat(64),
  check: 'not-checked',
  uploadedAt: '2026-11-18T09:00:00Z',
  title: 'Membership agreement',
  type: 'agreement',
  visibility: 'corporate',
  validUntil: null,
  reference: null,
  uploadedBy: 'Registry staff',
  signature: 'to-sign',
  signedBy: null,
  signedAt: null,
  opened: true,
};

function open(session: ReturnType<typeof aSession>) {
  return show(
    <PageFrame page={pages.documents}>
      <DocumentsPage />
    </PageFrame>,
    {
      router: aRouter('/member-account-settings/documents'),
      session,
      answer: ({ endpoint }) =>
        endpoint === 'documents.listDocuments'
          ? { status: 200, data: { rows: [toSign] } }
          : { status: 404, errors: [{ code: 'NOT_FOUND', message: 'The document was not found', traceId: 't' }] },
    },
  );
}

it('a corporate contact adds and signs', async () => {
  open(aSession());
  expect(await screen.findByText('Add a document')).toBeTruthy();
  expect(screen.getByLabelText('Sign Membership agreement')).toBeTruthy();
  expect(screen.getByText('Get a certificate')).toBeTruthy();
});

it('registry staff who view the account can read documents, but not change anything', async () => {
  const account = anAccount({ asStaff: true, contactTypes: [], permissions: [] });
  const { sent } = open(aSession({ account, person: aPerson({ staff: true, mfa: true }) }));
  fireEvent.click(await screen.findByLabelText('Open Membership agreement'));
  await waitFor(() => expect(sent.map(({ endpoint }) => endpoint)).toContain('documents.openStaffDocument'));
  for (const act of ['Add a document', 'Sign', 'Delete', 'Get a certificate']) expect(screen.queryByText(act)).toBeNull();
});
