import { show } from '@portal/app-kit/testing';
import type { Attachment } from '@portal/contract/documents/documents';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { CaseDocuments } from './CaseDocuments.tsx';

const paper = (part: Partial<Attachment>): Attachment => ({
  documentId: '1',
  fileName: 'contract.pdf',
  kind: 'pdf',
  bytes: 214_000,
  sha256: '',
  check: 'clean',
  uploadedAt: '2026-11-24T10:11:00.000Z',
  uploadedBy: 'Lio Fale',
  ...part,
});

it('says of each document what it is, how large, who added it and whether it was scanned', () => {
  show(<CaseDocuments papers={[paper({}), paper({ documentId: '2', fileName: 'plan.xlsx', kind: 'xlsx', check: 'infected' })]} />);
  const [first, second] = within(screen.getByRole('list', { name: 'Documents' })).getAllByRole('listitem');
  expect(first!.textContent).toMatch(/contract\.pdf.*PDF, 214 KB, no virus found.*Lio Fale, 24 Nov 2026/);
  expect(within(first!).getByRole('button', { name: 'Open contract.pdf' }).getAttribute('aria-disabled')).not.toBe('true');
  expect(second!.textContent).toMatch(/plan\.xlsx.*Spreadsheet.*contained a virus/);
});

it('shows nothing for a case without documents', () => {
  show(<CaseDocuments papers={[]} />);
  expect(screen.queryByText('Documents')).toBeNull();
});
