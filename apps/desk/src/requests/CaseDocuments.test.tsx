import { show } from '@portal/app-kit/testing';
import type { Attachment } from '@portal/contract/documents/documents';
import { fireEvent, screen, within } from '@testing-library/react';
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

it('an image can be shown on the page, which opens it; other kinds and infected files can’t', async () => {
  const png = new Uint8Array(33);
  png.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 2, 0, 0, 0, 2]);
  const { sent } = show(
    <CaseDocuments
      papers={[
        paper({}),
        paper({ documentId: '2', fileName: 'map.png', kind: 'png' }),
        paper({ documentId: '3', fileName: 'bad.png', kind: 'png', check: 'infected' }),
      ]}
    />,
    {
      answer: ({ endpoint }) => ({
        status: 200,
        data:
          endpoint === 'documents.openStaffDocument'
            ? { address: 'abc', fileName: 'map.png', expiresAt: '2026-11-24T10:12:00.000Z' }
            : { blob: new Blob([png]), fileName: 'map.png' },
      }),
    },
  );
  expect(screen.getAllByRole('button', { name: /^Show/ })).toHaveLength(1);
  expect(sent).toHaveLength(0);
  fireEvent.click(screen.getByRole('button', { name: 'Show map.png' }));
  expect((await screen.findByRole('img', { name: 'map.png' })).getAttribute('src')).toMatch(/^data:image\/png/);
  expect(sent.map(({ endpoint }) => endpoint)).toEqual(['documents.openStaffDocument', 'documents.files.downloadFile']);
  fireEvent.click(screen.getByRole('button', { name: 'Hide map.png' }));
  expect(screen.queryByRole('img')).toBeNull();
});

it('shows nothing for a case without documents', () => {
  show(<CaseDocuments papers={[]} />);
  expect(screen.queryByText('Documents')).toBeNull();
});
