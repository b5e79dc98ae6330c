import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { connectedAuthority } from '../../../../test/connected-authority.ts';
import { type TestPortal, testPortal } from '../../../../test/portal.ts';
import { TaskRefused } from '../../../platform/bounded-thread.ts';
import type { Change, Database } from '../../../platform/database/index.ts';
import { beginAnew } from '../repository/publisher.ts';
import { listVrps } from '../vrps.ts';
import type { PublishedByChild } from './child-judgement.ts';
import { judgeChildren, noteChangedChildren } from './child-judgements.ts';
import { readPublished } from './child-reading.ts';

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

test('a judgement that was made while the clock was ahead is made again, of everything', async () => {
  const published: PublishedByChild[] = [];
  const readFiles: typeof readPublished = (sender, given, asking) => {
    published.push(given);
    return readPublished(sender, given, asking);
  };
  await judgeChildren(portal.context);
  await portal.db.change(activity, async change => {
    await change.rows(sql`update rpki_child_judgement set judged_at = now() + interval '365 days', again_at = null`);
    await change.rows(sql`delete from rpki_child_vrp`);
  });
  await judgeChildren({ ...portal.context, readFiles });
  expect(published).toMatchObject([{ judged: null }]);
  expect(await own()).toBe(1);
  expect(Date.parse((await judgement()).judgedAt)).toBeLessThanOrEqual(Date.now());
  await judgeChildren({ ...portal.context, readFiles });
  expect(published).toHaveLength(1);
});

/** Reads in the thread, which ends at the first readings. */
const endingAt = (times: number) => {
  const given: PublishedByChild[] = [];
  const readFiles: typeof readPublished = (sender, published, asking) => {
    given.push(published);
    return given.length <= times
      ? Promise.reject(new TaskRefused('ended', 'It took more than 384 MB of memory'))
      : readPublished(sender, published, asking);
  };
  return { given, readFiles };
};

test('an authority is read once more where the thread ended, which others may have filled', async () => {
  const { given, readFiles } = endingAt(1);
  await judgeChildren({ ...portal.context, readFiles });
  expect(given).toHaveLength(2);
  expect(await own()).toBe(1);
  expect((await judgement()).problems).toEqual([]);
});

test('none of an authority counts where the thread ends with it twice', async () => {
  const { given, readFiles } = endingAt(2);
  await judgeChildren({ ...portal.context, readFiles });
  expect(given).toHaveLength(2);
  expect(await own()).toBe(0);
  expect((await judgement()).problems).toEqual([expect.stringContaining('None of it counts here')]);
});

test('changed files are noted up to a number; beyond, all is read again', async () => {
  const noted = async (): Promise<number> => (await portal.db.read.rows(sql`select 1 from rpki_changed_file`)).length;
  const add = (count: number) =>
    portal.db.change(activity, async change => {
      await change.rows(
        sql`insert into rpki_changed_file (child_id, uri) select child_id, ${authority.base} || 'a.roa' from rpki_child, generate_series(1, ${count}::int)`,
      );
      await noteChange(change);
    });
  await add(40_000 - (await noted()));
  expect(await noted()).toBe(40_000);
  expect((await judgement()).judgedAt).not.toBeNull();
  await withdrawRoa();
  expect(await noted()).toBe(0);
  expect((await judgement()).judgedAt).toBeNull();
  const { given, readFiles } = endingAt(0);
  await judgeChildren({ ...portal.context, readFiles });
  expect(given).toMatchObject([{ judged: null, changed: '' }]);
  expect(await own()).toBe(0);
});

test('a database that was put back is read as it is, although the thread knows what came after', async () => {
  // The thread knows the withdrawal; the copy has the ROA still, at the same count of changes.
  await judgeChildren(portal.context);
  const copied = await judgement();
  await withdrawRoa();
  await judgeChildren(portal.context);
  expect(await own()).toBe(0);
  await publishAgain();
  await portal.db.change(activity, async change => {
    await change.rows(sql`delete from rpki_changed_file`);
    await change.rows(sql`update rpki_child_judgement set changes = ${copied.changes + 1}, judged_changes = ${copied.changes + 1}`);
  });
  await judgeChildren(portal.context);
  expect(await own()).toBe(0);
  await beginAnew(portal.db, portal.context.clock());
  await judgeChildren(portal.context);
  expect(await own()).toBe(1);
});

test('an authority behind one that fails is judged, and the failure is thrown', async () => {
  await portal.db.change(activity, async change => {
    const [other] = await change.rows<{
      childId: number;
    }>(sql`insert into rpki_child (account_name, handle, child_handle, identity, created_at)
      select (select a.account_name from account a where a.account_name <> c.account_name limit 1), 'other', 'other', identity, now() from rpki_child c returning child_id`);
    // Not judged yet, it comes first.
    await noteChangedChildren(change, [other!.childId]);
    await change.rows(sql`delete from rpki_object where child_id is not null and uri like '%.roa'`);
    await noteChangedChildren(
      change,
      (await change.rows<{ childId: number }>(sql`select child_id from rpki_child where handle <> 'other'`)).map(({ childId }) => childId),
    );
  });
  let asked = 0;
  const read: Judging['read'] = Object.create(portal.db.read, {
    rows: {
      value: (query: Parameters<Judging['read']['rows']>[0]) =>
        // What the first of them published.
        ++asked === 2 ? Promise.reject(new Error('The answer is too long')) : portal.db.read.rows(query),
    },
  });
  await expect(judgeChildren({ ...portal.context, db: { read, change: portal.db.change } })).rejects.toThrow('The answer is too long');
  expect(await own()).toBe(0);
});
