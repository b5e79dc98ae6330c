import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { connectedAuthority } from '../../../../test/connected-authority.ts';
import { type TestPortal, testPortal } from '../../../../test/portal.ts';
import type { Change, Database } from '../../../platform/database/index.ts';
import { listVrps } from '../vrps.ts';
import { judgeChildren, noteChangedChildren } from './child-judgements.ts';

const activity = { action: 'test', summary: 'Changed what is published', traceId: '0'.repeat(32) };
type Judging = Pick<Database, 'read' | 'change'>;

let portal: TestPortal;
let authority: Awaited<ReturnType<typeof connectedAuthority>>;
let hosted = 0;
let files: Map<string, Uint8Array>;
beforeAll(async () => {
  portal = await testPortal();
  hosted = (await listVrps(portal.db.read)).length;
  authority = await connectedAuthority(portal);
  const { child, publish } = authority;
  files = child.files([{ prefix: '198.18.0.0/19', asn: 64500, maxLength: 24 }]);
  expect(await publish(child.publish(files))).toContain('<success/>');
});
afterAll(() => portal[Symbol.asyncDispose]());

const own = async () => (await listVrps(portal.db.read)).length - hosted;
const judgement = async () => {
  const [row] = await portal.db.read.rows<{ changes: number; judgedChanges: number; problems: string[]; judgedAt: string }>(
    sql`select changes, judged_changes, problems, judged_at from rpki_child_judgement`,
  );
  return row!;
};
const noteChange = async (change: Change) => {
  const [row] = await change.rows<{ childId: number }>(sql`select child_id from rpki_child`);
  await noteChangedChildren(change, [row!.childId]);
};
/** Withdraws the ROA as a publication does, without judging. */
const withdrawRoa = () =>
  portal.db.change(activity, async change => {
    await change.rows(sql`delete from rpki_object where child_id is not null and uri like '%.roa'`);
    await noteChange(change);
  });
const publishAgain = () =>
  portal.db.change(activity, async change => {
    for (const [uri, bytes] of files)
      await change.rows(sql`insert into rpki_object (uri, child_id, kind, content, sha256, modified_at, subject, published_in)
        select ${uri}, (select child_id from rpki_child), 'delegated', ${Buffer.from(bytes)}::bytea, sha256(${Buffer.from(bytes)}::bytea), now(), '', 1
        on conflict do nothing`);
    await noteChange(change);
  });
let beside = 0;
/** Puts a file into the directory that no manifest lists, so that manifest and CRL are read again. */
const putBeside = (change: Change) =>
  change.rows(sql`insert into rpki_object (uri, child_id, kind, content, sha256, modified_at, subject, published_in)
    select ${`${authority.base}beside-${beside++}.gbr`}, (select child_id from rpki_child), 'delegated', ''::bytea, sha256(''::bytea), now(), '', 1`);
beforeEach(async () => {
  await publishAgain();
  await judgeChildren(portal.context);
  expect(await own()).toBe(1);
  await portal.db.change(activity, async change => {
    await putBeside(change);
    await noteChange(change);
  });
});

test('an authority that changes while it is judged is judged again: the first judgement is not stored', async () => {
  let stored = 0;
  const db: Judging = {
    read: portal.db.read,
    change: async (...given) => {
      if (++stored === 1) await withdrawRoa();
      return portal.db.change(...given);
    },
  };
  await judgeChildren({ ...portal.context, db });
  expect(stored).toBe(2);
  expect(await own()).toBe(0);
  const { changes, judgedChanges, problems } = await judgement();
  expect(judgedChanges).toBe(changes);
  expect(problems).toEqual([expect.stringMatching(/The manifest lists .*\.roa, which is missing$/)]);
});

test('a file that disappears while it is judged is not reported as a problem: it is judged again', async () => {
  let asked = 0;
  const read: Judging['read'] = Object.create(portal.db.read, {
    rows: {
      value: async (query: Parameters<Judging['read']['rows']>[0]) => {
        // The third read, after what is due and what is published: the bytes of the manifest.
        if (++asked === 3) await portal.db.change(activity, change => change.rows(sql`delete from rpki_object where child_id is not null`));
        return portal.db.read.rows(query);
      },
    },
  });
  await judgeChildren({ ...portal.context, db: { read, change: portal.db.change } });
  expect(await own()).toBe(0);
  expect((await judgement()).problems).toEqual([]);
});

test('an authority that changes at each try is judged in the next round', async () => {
  let stored = 0;
  const db: Judging = {
    read: portal.db.read,
    change: async (...given) => {
      stored++;
      await withdrawRoa();
      return portal.db.change(...given);
    },
  };
  await judgeChildren({ ...portal.context, db });
  expect(stored).toBe(3);
  expect(await own()).toBe(1);
  await judgeChildren(portal.context);
  expect(await own()).toBe(0);
});

test('an aborted judgement stores nothing', async () => {
  const before = await judgement();
  await judgeChildren({ ...portal.context, signal: AbortSignal.abort() });
  expect(await judgement()).toEqual(before);
  const stopping = new AbortController();
  let asked = 0;
  const read: Judging['read'] = Object.create(portal.db.read, {
    rows: {
      value: (query: Parameters<Judging['read']['rows']>[0]) => {
        // While the thread waits for the bytes of the manifest.
        if (++asked === 3) stopping.abort();
        return portal.db.read.rows(query);
      },
    },
  });
  await judgeChildren({ ...portal.context, db: { read, change: portal.db.change }, signal: stopping.signal });
  expect(asked).toBe(3);
  expect(await judgement()).toEqual(before);
  await judgeChildren(portal.context);
  expect((await judgement()).judgedChanges).toBe(before.changes);
});

test('what changed is noted with each change of a file, whatever makes it, and forgotten with the judgement', async () => {
  const changed = async () =>
    (await portal.db.read.rows<{ uri: string }>(sql`select distinct uri from rpki_changed_file order by uri`)).map(({ uri }) =>
      uri.slice(authority.base.length),
    );
  const noted = await changed();
  expect(noted).toEqual([`beside-${beside - 1}.gbr`]);
  await portal.db.change(activity, change =>
    change.rows(sql`update rpki_object set modified_at = now() where child_id is not null and uri like '%.crl'`),
  );
  await withdrawRoa();
  expect((await changed()).map(name => name.slice(-4)).toSorted()).toEqual(['.crl', '.gbr', '.roa']);
  await judgeChildren(portal.context);
  expect(await changed()).toEqual([]);
  expect(await own()).toBe(0);
});

test('a judgement that was compared with another than the one that is stored is made again', async () => {
  let stored = 0;
  const db: Judging = {
    read: portal.db.read,
    change: async (...given) => {
      // Another process was faster.
      if (++stored === 1)
        await portal.db.change(activity, async change => {
          await change.rows(sql`delete from rpki_child_vrp`);
          await change.rows(sql`update rpki_child_judgement set judged_at = judged_at + interval '1 second'`);
        });
      return portal.db.change(...given);
    },
  };
  await judgeChildren({ ...portal.context, db });
  expect(stored).toBe(2);
  expect(await own()).toBe(1);
});
