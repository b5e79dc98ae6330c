import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { api } from '@portal/contract/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '../../../../test/portal.ts';
import { readingFrom } from '../../../platform/module.ts';
import { publisherServer, publishRepository } from './publisher.ts';
import { storeFolder, switchTree, treeLink } from './rsync-tree.ts';

const account = 'EXAMPLE-AU';
const line = { action: 'test', summary: 'Planted files', traceId: '0'.repeat(32), accountName: account };
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');
let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
  const corin = await portal.as('corin');
  await corin(api.rpki.enable, { account });
  await portal.db.change(line, change =>
    change.rows(
      sql`insert into rpki_child (account_name, handle, child_handle, identity, publisher_handle, publisher_identity, created_at) values ('OTHER-SG', 'abc', 'Other', '', 'Other', '', now())`,
    ),
  );
});
afterAll(() => portal[Symbol.asyncDispose]());

const base = () => `${portal.config.rpkiRsyncBase}delegated/abc/`;
/** Puts a file of the member's own authority into the repository, bypassing the checks of its name. */
const plant = (name: string, content: Buffer) =>
  portal.db.change(line, change =>
    change.rows(sql`insert into rpki_object (uri, child_id, kind, content, sha256, modified_at, subject, published_in)
      select ${base() + name}, child_id, 'delegated', ${content}, sha256(${content}::bytea), now(), '', 1 from rpki_child`),
  );
const remove = () => portal.db.change(line, change => change.rows(sql`delete from rpki_object where child_id is not null`));
const served = async (): Promise<string[]> =>
  (await readdir(path.join(portal.config.rpkiDir, treeLink), { recursive: true, withFileTypes: true })).flatMap(entry =>
    entry.isFile() ? entry.name : [],
  );
const next = () => portal.db.change(line, change => change.rows(sql`update rrdp_session set serial = serial + 1 where ended_at is null`));
const tree = () => switchTree({ db: portal.db, folder: portal.config.rpkiDir, rsyncBase: portal.config.rpkiRsyncBase, now: new Date() });

test.each<[string, (name: string) => Promise<unknown>, string[], string]>([
  [
    'a name of 4,000 letters',
    () => plant(`${'a'.repeat(4000)}.roa`, Buffer.from('long')),
    [`${'a'.repeat(4000)}.roa`],
    'its name is too long for the file system',
  ],
  [
    'a file where another has a folder',
    async () => {
      await plant('one.roa', Buffer.from('a file'));
      await plant('one.roa/two.roa', Buffer.from('below it'));
    },
    ['one.roa/two.roa'],
    'a file and a folder have the same name',
  ],
  [
    'a file that can’t be written',
    async () => {
      const content = Buffer.from('in the way of this one is a folder');
      await mkdir(path.join(portal.config.rpkiDir, storeFolder, `${sha256(content)}.new`), { recursive: true });
      await plant('unwritable.roa', content);
    },
    ['unwritable.roa'],
    'a file and a folder have the same name',
  ],
])('a member with %s holds up no one else’s files: it is left out of the tree, by name', async (_what, damage, names, problem) => {
  await publishRepository(portal.context);
  const before = (await served()).filter(name => !name.endsWith('.roa'));
  await damage('');
  await plant('fine.roa', Buffer.from(`beside ${names[0]}`));
  await next();
  const made = await tree();
  expect(made!.leftOut).toEqual(names.map(name => ({ accountName: 'OTHER-SG', uri: base() + name, problem })));
  const left = (await served()).toSorted();
  expect(left).toEqual(expect.arrayContaining([...before, 'fine.roa']));
  expect(left.some(name => names.includes(name))).toBe(false);
  await remove();
});

test('the desk and the member see which files are missing in the tree, until none is', async () => {
  const names = async () => {
    const stella = await portal.as('stella');
    return (await stella(api.rpkiDesk.listTroubled, { query: { problem: 'not-in-rsync' } })).data!.rows;
  };
  const rounds = async (): Promise<void> => {
    const running = await publisherServer.open(readingFrom('primary', portal.context));
    const [{ serial }] = (await portal.db.read.rows<{ serial: number }>(sql`select serial from rrdp_session where ended_at is null`)) as [
      { serial: number },
    ];
    await expect
      .poll(
        async () => {
          // A tree is recorded with the next round.
          await sql`select pg_notify('rpki', '')`.execute(portal.db.unrecorded);
          return (
            await portal.db.read.rows<{ serial: number }>(
              sql`select (noted -> 'tree' ->> 'serial')::int as serial from periodic_work where name = 'rpki.publish'`,
            )
          )[0]?.serial;
        },
        { timeout: 30_000 },
      )
      .toBe(serial);
    await running.close();
  };
  const long = `${'b'.repeat(300)}.roa`;
  await plant(long, Buffer.from('long'));
  await next();
  await rounds();
  expect(await names()).toEqual([
    expect.objectContaining({
      accountName: 'OTHER-SG',
      mode: 'self-hosted',
      refusals: [`${base()}${long}: its name is too long for the file system`],
    }),
  ]);
  // A member with a hosted authority reads the same on its own page, and at home.
  const olive = await portal.as('olive');
  const own = async () => ({
    page: (await olive(api.rpki.getStatus, { account: 'OTHER-SG' })).data!.unpublished.files,
    home: (await olive(api.home.getHome, { account: 'OTHER-SG' })).data!.attention!.flatMap(({ attentionId, detail }) =>
      attentionId === 'rpki-not-in-rsync' ? [detail] : [],
    ),
  });
  expect(await own()).toEqual({
    page: [{ uri: `${base()}${long}`, problem: 'its name is too long for the file system' }],
    home: [expect.stringContaining('too long for the file system')],
  });
  const corin = await portal.as('corin');
  expect((await corin(api.rpki.getStatus, { account: 'EXAMPLE-AU' })).data!.unpublished.files).toEqual([]);
  await rounds();
  expect(await names(), 'also where another process goes on').toHaveLength(1);
  await remove();
  await next();
  await rounds();
  expect(await names()).toEqual([]);
  expect(await own()).toEqual({ page: [], home: [] });
});

test('a file of the registry’s own that can’t be written leaves the tree unchanged, with an error', async () => {
  await publishRepository(portal.context);
  const before = await readFile(path.join(portal.config.rpkiDir, treeLink, 'ta.cer'));
  const content = Buffer.from('another manifest');
  await mkdir(path.join(portal.config.rpkiDir, storeFolder, `${sha256(content)}.new`), { recursive: true });
  await portal.db.change(line, change =>
    change.rows(sql`update rpki_object set content = ${content}, sha256 = sha256(${content}::bytea) where kind = 'manifest' and key_id in
      (select key_id from rpki_key join rpki_ca using (ca_id) where rpki_ca.kind = 'registry')`),
  );
  await next();
  await expect(tree()).rejects.toThrow(/EISDIR/);
  expect(await readFile(path.join(portal.config.rpkiDir, treeLink, 'ta.cer'))).toEqual(before);
});
