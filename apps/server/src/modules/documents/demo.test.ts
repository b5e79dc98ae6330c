import { api } from '@portal/contract/api';
import { expect, test } from 'vitest';
import { testPortal } from '../../../test/portal.ts';
import { sentFile } from '../../../test/sample-files.ts';
import { loadedDemo } from '../../demo/index.ts';
import { keptFiles } from '../../kept-files.ts';
import { readProfile } from '../../profile.ts';
import { addDemo } from './demo.ts';
import { paper } from './demo-pdf.ts';
import { openFileStore, verifyFiles } from './index.ts';

const account = 'EXAMPLE-AU';

test('the documents of a demo account are visible to their audience, one waits for a signature, and each opens', async () => {
  await using portal = await testPortal();
  const store = openFileStore(portal.config.filesDir);
  await addDemo(await loadedDemo(portal.db, { config: portal.config, profile: readProfile(''), today: new Date(), store }));
  const [corin, bill, tess] = await Promise.all([portal.as('corin'), portal.as('bill', { mfa: false }), portal.as('tess')]);
  const list = async (person: typeof corin) => (await person(api.documents.listDocuments, { account })).data!.rows;
  const rows = await list(corin);
  expect(rows.map(({ title, signature }) => [title, signature])).toEqual([
    ['Membership agreement 2027', 'to-sign'],
    ['Maintenance of reverse DNS in December', 'none'],
    ['Tax residency', 'none'],
    ['Company extract 2023', 'none'],
    ['Membership agreement 2021', 'signed'],
  ]);
  expect((await list(bill)).map(({ title }) => title)).toEqual(['Maintenance of reverse DNS in December', 'Tax residency']);
  expect((await list(tess)).map(({ title }) => title)).toEqual(['Maintenance of reverse DNS in December']);
  expect(await verifyFiles(portal.db.read, store, keptFiles)).toEqual({ files: 6, problems: [] });

  // The waiting agreement can be signed.
  const [{ documentId, sha256 }] = rows as [(typeof rows)[0]];
  const { address } = (await corin(api.documents.openDocument, { account, documentId })).data!;
  expect((await corin(api.files.downloadFile, { address })).data!.fileName).toBe('membership-agreement-2027.pdf');
  expect((await corin(api.documents.signDocument, { account, documentId, body: { sha256 } })).data).toMatchObject({ signature: 'signed' });
});

test('a demo document is a PDF that would be accepted from anyone', async () => {
  await using portal = await testPortal();
  const corin = await portal.as('corin');
  expect(await sentFile(corin, { bytes: paper('A (short) title', ['One line', '', 'and \\ another']) })).toMatch(/^\d+$/);
});
