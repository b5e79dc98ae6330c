import { DAY_MS, instantBefore, utcDay } from '@portal/contract/days';
import type { Change } from '../../platform/database/index.ts';
import type { DemoRegistry } from '../../platform/demo.ts';
import { paper } from './demo-pdf.ts';
import { recordDocument } from './documents.ts';
import type { FileStore } from './file-store.ts';

declare module '../../platform/demo.ts' {
  interface DemoContributions {
    /** Without one the demo registry has neither documents nor invoices. */
    store: FileStore | null;
  }
}

type DemoDocument = Pick<Parameters<typeof recordDocument>[1], 'title' | 'type' | 'visibility'> & {
  fileName: string;
  lines: readonly string[];
  /** Sender, by user name; or registry staff. */
  from: string;
  /** How many days ago it was sent. */
  sent: number;
  /** A corporate contact has to sign it, or signed it so many days ago. */
  signature?: 'to-sign' | { by: string; ago: number };
  /** Days until it expires. */
  validFor?: number;
};

const agreement = (year: string): readonly string[] => [
  'Between the Example Internet Registry and Example Networks Pty Ltd, EXAMPLE-AU.',
  `It holds from the day it is signed and replaces agreements before ${year}.`,
  '',
  '1. The member keeps what is registered about it true and current.',
  '2. Number resources are delegated for use, not sold.',
  '3. The registry keeps the register and publishes what its policies say.',
  '4. Either side may end this with three months notice.',
];

/** Documents of the demo accounts, of every type on the page. */
const documentsOfAccounts: ReadonlyMap<string, readonly DemoDocument[]> = new Map([
  [
    'EXAMPLE-AU',
    [
      {
        title: 'Membership agreement 2021',
        fileName: 'membership-agreement-2021.pdf',
        type: 'agreement',
        visibility: 'corporate',
        lines: agreement('2021'),
        from: 'stella',
        sent: 1710,
        signature: { by: 'corin', ago: 1702 },
      },
      {
        title: 'Company extract 2023',
        fileName: 'company-extract-2023.pdf',
        type: 'legal',
        visibility: 'corporate',
        lines: ['Example Networks Pty Ltd, ABN 00 000 000 019', 'Registered office: Level 3, 10 Example Street, South Brisbane'],
        from: 'corin',
        sent: 1020,
        validFor: -290,
      },
      {
        title: 'Tax residency',
        fileName: 'tax-residency.pdf',
        type: 'tax',
        visibility: 'billing',
        lines: ['Example Networks Pty Ltd is resident in Australia for tax purposes.'],
        from: 'corin',
        sent: 64,
        validFor: 301,
      },
      {
        title: 'Maintenance of reverse DNS in December',
        fileName: 'reverse-dns-maintenance.pdf',
        type: 'correspondence',
        visibility: 'all-contacts',
        lines: ['The registry moves its servers for reverse DNS.', 'Delegations keep answering; changes wait for up to two hours.'],
        from: 'stan',
        sent: 9,
      },
      {
        title: 'Membership agreement 2027',
        fileName: 'membership-agreement-2027.pdf',
        type: 'agreement',
        visibility: 'corporate',
        lines: agreement('2027'),
        from: 'stella',
        sent: 3,
        signature: 'to-sign',
      },
    ],
  ],
  [
    'OLDNET-JP',
    [
      {
        title: '定款（写し）',
        fileName: '定款.pdf',
        type: 'legal',
        visibility: 'corporate',
        lines: ['Articles of incorporation, copy with an English summary.'],
        from: 'hana',
        sent: 400,
      },
    ],
  ],
]);

/** Adds the documents of the demo accounts. */
export async function addDemo(registry: DemoRegistry): Promise<void> {
  const { store } = registry;
  if (!store) return;
  for (const [accountName, documents] of documentsOfAccounts)
    await registry.change({ action: 'demo.documents', summary: 'Imported documents', accountName }, change =>
      addDocuments(change, { accountName, documents, store, registry }),
    );
}

/** Adds documents of a demo account, and stores their content. */
async function addDocuments(
  change: Change,
  {
    accountName,
    documents,
    store,
    registry: { today, loginOf },
  }: { accountName: string; documents: readonly DemoDocument[]; store: FileStore; registry: DemoRegistry },
): Promise<void> {
  const ago = (days: number): string => instantBefore(today, days * DAY_MS);
  for (const { title, fileName, type, visibility, lines, from, sent, signature, validFor } of documents) {
    const bytes = paper(/^[\x20-\x7e]*$/.test(title) ? title : 'Articles of incorporation', lines);
    const incoming = await store.receive(
      (async function* () {
        yield bytes;
      })(),
      { largest: bytes.length, firstBytes: () => {} },
    );
    await incoming.keep();
    await recordDocument(change, {
      file: { sha256: incoming.sha256, bytes: bytes.length, kind: 'pdf' },
      accountName,
      title,
      fileName,
      type,
      visibility,
      uploadedBy: loginOf(from).loginId,
      byStaff: from === 'stella' || from === 'stan',
      uploadedAt: ago(sent),
      validUntil: validFor === undefined ? null : utcDay(ago(-validFor)),
      toSign: signature === 'to-sign',
      signed: typeof signature === 'object' ? { by: loginOf(signature.by).loginId, at: ago(signature.ago) } : null,
    });
  }
}
