import { api } from '@portal/contract/api';
import { expect, test } from 'vitest';
import { testPortal } from '../../../test/portal.ts';
import { keptFiles } from '../../kept-files.ts';
import { loadedDemo } from '../../demo/index.ts';
import { readProfile } from '../../profile.ts';
import { openFileStore, verifyFiles } from '../documents/index.ts';
import { addDemo } from './demo.ts';
import { runBillingSchedule } from './index.ts';

test('one demo member has paid for five years, one has an extension, one is suspended and one was closed; the schedule continues from there', async () => {
  await using portal = await testPortal();
  const { db } = portal;
  const [store, profile, now] = [openFileStore(portal.config.filesDir), readProfile(''), new Date()];
  const mails = async () => (await db.read.selectFrom('mail').select('subject').execute()).length;
  const before = await mails();
  await addDemo(await loadedDemo(db, { config: portal.config, profile, today: now, store }));
  expect(await mails()).toBe(before);
  expect(await verifyFiles(db.read, store, keptFiles)).toEqual({ files: 8, problems: [] });

  const stella = await portal.as('stella');
  const of = async (accountName: string) => (await stella(api.billing.getStaffBilling, { accountName })).data!;
  const [au, kelp, late, gone] = await Promise.all(['EXAMPLE-AU', 'KELP-WS', 'LATE-FJ', 'GONE-VU'].map(of));
  const paid = { state: 'paid', payments: [{ recordedBy: 'Stella Kowalski' }] };
  expect(au).toMatchObject({ accountStatus: 'open', invoices: [paid, paid, paid, paid, paid] });
  expect(kelp).toMatchObject({ accountStatus: 'open', invoices: [{ state: 'overdue' }], next: { step: 'suspension' } });
  expect(kelp!.next!.day).toBe(kelp!.invoices[0]!.extendedUntil);
  expect(late).toMatchObject({ accountStatus: 'suspended', invoices: [{ state: 'overdue' }], next: { step: 'second-reminder' } });
  expect(gone).toMatchObject({ accountStatus: 'closed', invoices: [{ state: 'overdue', payments: [] }], next: null });

  // None of it is repeated.
  await runBillingSchedule(db, { now, profile, store, fonts: [] });
  expect([await of('KELP-WS'), await of('LATE-FJ'), await of('GONE-VU')]).toEqual([kelp, late, gone]);
});
