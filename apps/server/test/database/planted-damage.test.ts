import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { DAY_MS } from '@portal/contract/days';
import { beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../../src/cli/run-command.ts';
import { readConfig } from '../../src/config.ts';
import { type Database, publishLogRoots, sealActivities } from '../../src/platform/database/index.ts';
import { demoDatabase, kinds } from '../portal.ts';

/** Statements that bypass every guard, like a manual mistake in the database or a bad disk. */
const past = (statement: string): string => `set session_replication_role = replica; ${statement}; set session_replication_role = origin`;
const one = (table: string, column: string): string => `(select min(${column}) from ${table})`;
const someObject = "(select object_id from whois_object where class = 'inetnum' order by object_id limit 1)";
const unsealed = '(select max(activity_id) from activity)';

/** Planted damage: its place, its statements, and what `registry verify` reports. */
const places: readonly (readonly [place: string, statement: string, says: RegExp])[] = [
  ['a sealed activity altered', `update activity set summary = 'Nothing' where activity_id = 2`, /chain breaks at seal \d+: activity 2/],
  [
    'an unsealed activity altered',
    `update activity set summary = 'Nothing' where activity_id = ${unsealed}`,
    /activity \d+ is not what was written/,
  ],
  [
    'the address of an unsealed activity altered',
    `update activity set address = '192.0.2.9' where activity_id = ${unsealed}`,
    /activity \d+ is not what was written/,
  ],
  [
    'a published root altered',
    `update log_root set day = day - 1 where root_id = 1`,
    /Root 1 of the log, of \d{4}-\d\d-\d\d, is not what was published: its link is another one/,
  ],
  ['the first root removed', `delete from log_root where root_id = 1`, /Root 2 of the log, of \S+ doesn’t follow the one before it/],
  [
    'a line that was published altered, with its digest',
    `update activity a set summary = 'Nothing' where activity_id = (select activity_id from activity_seal where position = 1)`,
    /Root 1 of the log, of \S+ is not that of its lines: the log was changed after it was published/,
  ],
  ['a seal removed', `delete from activity_seal where position = 3`, /gap: seal 3 is missing/],
  [
    'an activity removed',
    `delete from activity_seal where position = 4; delete from activity where activity_id = (select min(activity_id) from row_change)`,
    /history names 1 activities that do not exist/,
  ],
  [
    'an unsealed activity removed whole, with its history',
    `delete from row_change where activity_id = ${unsealed}; delete from activity where activity_id = ${unsealed}`,
    /The activity \d+ is gone; it was written and not sealed yet/,
  ],
  [
    'the newest seals cut off',
    `delete from activity_seal where position > (select max(position) - 3 from activity_seal)`,
    /activity chain was cut off: it ends at seal \d+, and seal \d+ was written/,
  ],
  [
    'the newest seals cut off, and their activities',
    `delete from row_change where activity_id in (select activity_id from activity_seal order by position desc limit 2);
     delete from activity where activity_id in (select activity_id from activity_seal order by position desc limit 2);
     delete from activity_seal where position > (select max(position) - 2 from activity_seal)`,
    /activity chain was cut off/,
  ],
  [
    'the newest seals cut off, and the record of the newest put right by its own digest',
    `delete from activity_seal where position > (select max(position) - 3 from activity_seal);
     update log_end e set lines = s.position, last = s.position, hash = s.hash, digest = log_end_digest('activity_seal', s.position, s.position, s.hash)
     from (select * from activity_seal order by position desc limit 1) s where e.log = 'activity_seal'`,
    /The activity \d+ has lost its seal, or was put in/,
  ],
  [
    'the record of the newest seal altered',
    `update log_end set last = last - 1 where log = 'activity_seal'`,
    /record of the newest seal is not what was written/,
  ],
  ['the record of the newest seal removed', `delete from log_end where log = 'activity_seal'`, /record of the newest seal is gone/],
  [
    'the digests of the first activities removed',
    `update activity set digest = null where activity_id <= 2`,
    /activity 1 is not what was written down/,
  ],
  [
    'an activity put in, with its digest',
    `insert into activity (action, summary, trace_id) values ('test', 'Put in', repeat('0', 32));
     update activity a set digest = activity_digest(a) where activity_id = ${unsealed}`,
    /has lost its seal, or was put in/,
  ],
  [
    'a line of the history altered',
    `update row_change set after = after || '{"org_name": "Other"}' where table_name = 'account' and operation = 'INSERT' and after->>'account_name' = 'EXAMPLE-AU'`,
    /account.*(history|follow)/,
  ],
  [
    'a line of the history removed',
    `delete from row_change where table_name = 'contact' and row_change_id = (select min(row_change_id) from row_change where table_name = 'contact')`,
    /of contact is there, and its history does not say so/,
  ],
  [
    'an account altered',
    `update account set account_status = 'closed' where account_name = 'EXAMPLE-AU'`,
    /\["EXAMPLE-AU"\] of account is not what/,
  ],
  ['a delegation removed', `delete from delegation where delegation_id = ${one('delegation', 'delegation_id')}`, /of delegation is gone/],
  [
    'a row added',
    `insert into login_subject (login_id, issuer, subject) select login_id, 'https://evil.example', 'x' from login limit 1`,
    /of login_subject is there, and its history does not say so/,
  ],
  [
    'a reference to nothing',
    `update contact set account_name = 'NOWHERE-XX' where contact_id = (select contact_id from contact limit 1)`,
    /rows of contact name a account that does not exist/,
  ],
  ['a sequence set back', `select setval('delegation_delegation_id_seq', 1)`, /sequence delegation_delegation_id_seq would give 2 next/],
  ['a row of the journal missing', `delete from whois_journal where serial = 5`, /journal has a gap: after serial 4 comes 6/],
  [
    'the last row of the journal missing',
    `delete from whois_journal where serial = (select max(serial) from whois_journal)`,
    /is there, and the journal does not say so/,
  ],
  [
    'the last rows of the journal missing, and their objects',
    `create temporary table last_lines as select class, key from whois_journal order by serial desc limit 3;
     delete from whois_key where object_id in (select object_id from whois_object join last_lines using (class, key));
     delete from whois_reference where object_id in (select object_id from whois_object join last_lines using (class, key));
     delete from whois_object o using last_lines l where o.class = l.class and o.key = l.key;
     delete from whois_journal j using last_lines l where j.class = l.class and j.key = l.key`,
    /whois journal was cut off: it has \d+ lines up to serial \d+, and \d+ up to \d+ were written/,
  ],
  [
    'the record of the end of the journal altered',
    `update log_end set lines = lines + 1 where log = 'whois_journal'`,
    /record of the end of the whois journal is not/,
  ],
  [
    'a text of the journal altered',
    `update whois_journal set text = text || 'remarks: x' where serial = 7`,
    /serial 7 is not what was written down/,
  ],
  [
    'a line of the journal altered, and the digests removed up to it',
    `update whois_journal set reason = 'x', digest = null where serial = 1`,
    /serial 1 is not what was written down/,
  ],
  [
    'a whois object altered',
    `update whois_object set text = replace(text, 'source:', 'remarks: x\nsource:') where object_id = ${someObject}`,
    /inetnum .* is not what the journal says/,
  ],
  [
    'a whois object removed',
    `delete from whois_object where object_id = ${someObject}`,
    /inetnum .* is gone, and the journal does not say so/,
  ],
  [
    'the place of a whois object altered',
    `update whois_object set first = '192.0.2.77' where object_id = ${someObject}`,
    /is not found by what its text says: first/,
  ],
  [
    'a reference of a whois object missing',
    `delete from whois_reference where object_id = ${someObject}`,
    /not found by what its text says: its references/,
  ],
  [
    'a key of a whois object that is none',
    `insert into whois_key (object_id, key) values (${someObject}, 'other-key')`,
    /not found by what its text says: its keys/,
  ],
  [
    'a password exchanged for another person’s',
    `update login_password set hash = (select hash from login_password p join login l using (login_id) where l.username = 'nadia')
     where login_id = (select login_id from login where username = 'stella')`,
    /The hash of row .* of login_password is not what was written: it was changed past the portal/,
  ],
  [
    'a password exchanged, and its digest with it',
    `update login_password set hash = (select hash from login_password p join login l using (login_id) where l.username = 'nadia')
       where login_id = (select login_id from login where username = 'stella');
     update row_digest d set digest = row_digest_of(to_jsonb(p), '{hash}') from login_password p
       where d.table_name = 'login_password' and d.key = row_key_of(to_jsonb(p), '{login_id}')`,
    /chain breaks at seal/,
  ],
  [
    'an authenticator app of someone else',
    `update login_totp set sealed_secret = (select sealed_secret from login_totp join login l using (login_id) where l.username <> 'stella' limit 1) where login_id = (select login_id from login where username = 'stella')`,
    /The sealed_secret of row .* of login_totp is not what was written/,
  ],
  [
    'a session put in',
    `insert into session (sid, login_id, amr, started_at, until) select 'forged', login_id, '{pwd,mfa}', now(), now() + interval '1 day' from login where username = 'stella'`,
    /The row \["forged"\] of session is there, and nobody has written it/,
  ],
  [
    'a row deleted of which the history keeps no copy',
    `delete from handle_sequence`,
    /The row .* of handle_sequence is gone: it was deleted past the portal/,
  ],
  [
    'a line of the whois journal altered, with its digest and its object',
    `update whois_journal j set text = text || 'remarks: x' where serial = (select max(serial) from whois_journal);
     update whois_journal j set digest = journal_digest(j) where serial = (select max(serial) from whois_journal)`,
    /The row \[\d+\] of whois_journal is not what was written/,
  ],
  [
    'the chain computed anew, with the digests of its end',
    `update activity_seal set hash = sha256(hash) where position = (select max(position) from activity_seal);
     update log_end e set hash = s.hash, digest = log_end_digest('activity_seal', e.lines, e.last, s.hash) from (select * from activity_seal order by position desc limit 1) s where e.log = 'activity_seal'`,
    /was not made with this SECRET_KEY/,
  ],
  ['the mark of the newest seal removed', `update activity_seal set mark = null`, /has no mark of SECRET_KEY/],
  ['a guard turned off', `alter table delegation disable trigger z_keep_updated`, /trigger z_keep_updated of delegation is turned off/],
  [
    'a rule broken',
    `alter table whois_journal drop constraint whois_journal_operation_check; update whois_journal set operation = 'MOD' where serial = 9; alter table whois_journal add constraint whois_journal_operation_check check (operation in ('ADD', 'DEL')) not valid`,
    /1 rows of whois_journal break its rule whois_journal_operation_check/,
  ],
  [
    'a sealed key damaged',
    `update signing_key set sealed_private = set_byte(sealed_private, 40, 255 - get_byte(sealed_private, 40))`,
    /signing key/,
  ],
  [
    'a migration that is not what was applied',
    `update migration set sha256 = repeat('0', 64) where name like '0013%'`,
    /0013_whois.sql changed after it was applied/,
  ],
];

describe('registry verify', () => {
  const kind = kinds.at(-1)!;
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-verify-'));
    return () => fs.rm(dataDir, { recursive: true, force: true });
  });

  const config = () => readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', DATABASE_URL: 'memory://', DATA_DIR: dataDir });
  /** Returns the command's output and exit code. */
  const verify = async (db: Database): Promise<{ code: number; said: string }> => {
    let said = '';
    const output = new Writable({ write: (_chunk, _encoding, next) => next() });
    const code = await runCommand(
      { name: 'verify', args: [], options: {}, input: '' },
      { config: config(), openDatabase: () => Promise.resolve(db), output, errors: { isTTY: false, write: text => (said += text) } },
    );
    return { code, said };
  };
  const prepared = async (): Promise<{ db: Database; drop: () => Promise<unknown> }> => {
    const { db, drop } = await demoDatabase(kind);
    // Lines of two days, published.
    await sealActivities(db, config(), 5);
    await publishLogRoots(db, new Date(Date.now() + DAY_MS));
    await sealActivities(db, config());
    await publishLogRoots(db, new Date(Date.now() + 2 * DAY_MS));
    await db.recordRefusal({ action: 'test', summary: 'Test', traceId: '0'.repeat(32), address: '192.0.2.1' }, 'FORBIDDEN');
    return { db, drop: async () => (await db.close(), drop()) };
  };

  test('finds nothing wrong with the demo registry', async () => {
    const { db, drop } = await prepared();
    try {
      expect(await verify(db)).toEqual({ code: 0, said: '' });
    } finally {
      await drop();
    }
  });

  // Making a registry and reading all of it is what a case costs: each has several kinds of damage, in places that do not hide each other, and each is named.
  const CASES = 15;
  const damages = Array.from({ length: CASES }, (_, first) => places.filter((_place, at) => at % CASES === first));

  test.each(damages.map(planted => ({ planted, names: planted.map(([place]) => place).join('; ') })))(
    'finds $names',
    async ({ planted }) => {
      const { db, drop } = await prepared();
      try {
        for (const [, statement] of planted) await db.pool.query(past(statement));
        const { code, said } = await verify(db);
        expect(code).toBe(1);
        expect(planted.filter(([, , says]) => !says.test(said)).map(([place]) => [place, said])).toEqual([]);
      } finally {
        await drop();
      }
    },
  );
});
