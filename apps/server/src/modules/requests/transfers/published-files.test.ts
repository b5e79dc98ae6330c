import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type TestPortal, testPortal } from '../../../../test/portal.ts';
import { publishToday } from './published-archive.ts';

const line = { action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) };
const fetched = async (portal: TestPortal, name: string) => {
  const answer = await portal.request(`/statistics/${name}`);
  return { status: answer.status, text: await answer.text(), cached: answer.headers.get('cache-control') };
};

/** Completed cases of each kind in the log, written as stored. */
const completed = (portal: TestPortal, rows: { kind: string; form: object; outcome: object; recipient?: string; other?: string }[]) =>
  portal.db.change(line, async change => {
    const [corin] = await change.rows<{ loginId: string }>(sql`select login_id from login where username = 'corin'`);
    for (const { kind, form, outcome, recipient = null, other = null } of rows)
      await change.rows(sql`insert into resource_request (account_name, kind, state, form, recipient_name, other_registry, requested_by, started_at, submitted_at, since, resolved_at, outcome)
        values ('EXAMPLE-AU', ${kind}, 'completed', ${JSON.stringify(form)}::jsonb, ${recipient}, ${other}, ${corin!.loginId}, now(), now(), now(), now(), ${JSON.stringify(outcome)}::jsonb)`);
  });

test('the transfer log is valid against the schema of the NRO, for every kind of transfer and parties', async () => {
  await using portal = await testPortal();
  await completed(portal, [
    { kind: 'transfer', form: {}, outcome: { resources: ['198.18.64.0 - 198.18.66.255', 'AS65536 - AS65538'] }, recipient: 'OTHER-SG' },
    { kind: 'transfer', form: {}, outcome: { resources: ['198.18.4.0/22'] }, other: 'RIPE NCC' },
    {
      kind: 'transfer',
      form: { incoming: true, legalName: 'Prairie Hosting Inc.' },
      outcome: { resources: ['100.66.0.0/22', 'AS65545'] },
      other: 'ARIN',
    },
    { kind: 'acquisition', form: {}, outcome: { resources: ['2001:db8::/32'] }, recipient: 'NATREG-XX' },
  ]);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (formats as unknown as (ajv: Ajv2020) => void)(ajv);
  const isValid = ajv.compile(
    JSON.parse(readFileSync(new URL('fixtures/nro-transfer-log-4.0.schema.json', import.meta.url), 'utf8')) as object,
  );
  const log = JSON.parse((await fetched(portal, 'transfers_latest.json')).text) as { transfers: { type: string; source_rir?: string }[] };
  isValid(log);
  expect(isValid.errors).toBeNull();
  expect(log.transfers.map(({ type }) => type)).toEqual([...Array(3).fill('RESOURCE_TRANSFER'), 'MERGER_ACQUISITION']);
  expect(log).toMatchObject({
    transfers: [
      {
        ip4nets: { transfer_set: [{ start_address: '198.18.64.0', end_address: '198.18.66.255' }] },
        asns: { transfer_set: [{ start: 65536, end: 65538 }] },
      },
      { source_rir: 'APNIC', recipient_rir: 'RIPE NCC' },
      { source_rir: 'ARIN', recipient_rir: 'APNIC', source_organization: { name: 'Prairie Hosting Inc.' } },
      { ip6nets: { transfer_set: [{ cidrs: [{ prefix: '2001:db8::', length: 32 }] }] } },
    ],
  });
  // The schema is applied correctly: it finds forbidden input.
  log.transfers[0]!.source_rir = 'EXAMPLE';
  expect(isValid(log)).toBe(false);
});

test('the files of each day stay as published, under their date, with the MD5 and signature of that day', async () => {
  await using portal = await testPortal();
  const at = (days: number) => ({ ...portal.context, clock: () => new Date(Date.UTC(2026, 10, 20 + days, 12)) });
  await publishToday(at(0));
  const first = await fetched(portal, 'delegated-example-extended-20261120');
  expect(first).toMatchObject({ status: 200, cached: expect.stringContaining('immutable') });
  expect(first.text).toMatch(/^2\.3\|example\|20261120\|/);
  await portal.db.change(line, change => change.rows(sql`update delegation set status = 'closed' where resource = '203.0.113.0/24'`));
  await Promise.all([publishToday(at(0)), publishToday(at(1)), publishToday(at(1))]);
  expect((await fetched(portal, 'delegated-example-extended-20261120')).text).toBe(first.text);
  expect(first.text).toContain('|203.0.113.0|');
  const second = await fetched(portal, 'delegated-example-20261121');
  expect(second.text).not.toContain('|203.0.113.0|');
  expect((await fetched(portal, '2026/delegated-example-20261121')).text).toBe(second.text);
  expect((await fetched(portal, 'delegated-example-20261121.md5')).text).toBe(
    `MD5 (delegated-example-20261121) = ${createHash('md5').update(second.text).digest('hex')}\n`,
  );
  const signature = (await fetched(portal, 'delegated-example-20261121.asc')).text;
  expect(signature).toMatch(/^-----BEGIN PGP SIGNATURE-----/);
  expect((await fetched(portal, 'delegated-example-20261121.asc')).text).toBe(signature);
  const { files } = JSON.parse((await fetched(portal, 'files.json')).text) as { files: { name: string }[] };
  expect(files.map(({ name }) => name)).toEqual([
    'delegated-example-20261121',
    'delegated-example-extended-20261121',
    'transfers/2026/transfers_20261121T120000Z.json',
    'delegated-example-20261120',
    'delegated-example-extended-20261120',
    'transfers/2026/transfers_20261120T120000Z.json',
  ]);
  expect(await fetched(portal, 'transfers/2026/transfers_20261121T120000Z.json')).toMatchObject({ status: 200 });
  expect(await fetched(portal, 'transfers/2026/transfers_20261121T120000Z.json.md5')).toMatchObject({ status: 200 });
  for (const name of [
    '',
    'delegated-example-20261122',
    'constructor',
    '../package.json',
    'delegated-example-20261121.asc.asc',
    `${'x'.repeat(3000)}`,
  ])
    expect((await fetched(portal, name)).status, name).toBe(404);
  await expect(portal.db.change(line, change => change.rows(sql`update published_file set bytes = bytes`))).rejects.toThrow(
    /stays as it was/,
  );
});
