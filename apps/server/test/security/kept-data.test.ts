import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type CopiedPerson, copyKinds } from '../../src/modules/identity/copies/copy-files.ts';
import { modules } from '../../src/modules.ts';
import { readProfile } from '../../src/profile.ts';
import type { PersonalTable } from '../../src/platform/personal-data.ts';
import { kindsForRules, testPortal } from '../portal.ts';

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);

/** Columns whose names say that they hold how a person is called or reached, or from where they came. */
const personal = /(^|_)(e?mail|full_name|phone|user_agent|address|mailbox|payer|requestor|recipient)(_|$)/;
/** Tables whose columns of such names hold nothing about people, with the reason. */
const impersonal: Readonly<Record<string, string>> = {};

test('each table with data about people has a line on the privacy page, and no table has two', async () => {
  await using portal = await testPortal(kindsForRules[0]!);
  const columns = await portal.db.read.rows<{ table: string; column: string }>(sql`select c.table_name as "table", c.column_name as "column"
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' order by 1, 2`);
  const lines = modules.flatMap(({ keeps }) => keeps ?? []);
  const covered = lines.flatMap(({ tables }) => tables.map(snakeCase));
  expect(covered.filter((table, place) => covered.indexOf(table) !== place)).toEqual([]);
  const known = new Set(columns.map(({ table }) => table));
  expect(covered.filter(table => !known.has(table))).toEqual([]);
  const uncovered = columns.filter(({ table, column }) => personal.test(column) && !covered.includes(table) && !(table in impersonal));
  expect(uncovered.map(({ table, column }) => `${table}.${column}`)).toEqual([]);
});

/** Columns whose names say who someone is, as far as they aren't references. */
const nameOfPerson = /(^|_)(login|contact|voter|author|person)(_id|_ids|_name)?$|_by$/;
/** A reference to a login by a name of its own. */
const alsoPersonal = new Set(['oidc_payload.account_id']);

test('each column that speaks of a person is declared: it is in the copy of their data, or there is a reason why not', async () => {
  await using portal = await testPortal(kindsForRules[0]!);
  const columns = await portal.db.read.rows<{ table: string; column: string; references: string | null }>(sql`
    select t.relname::text as "table", a.attname::text as "column",
      (select c.confrelid::regclass::text from pg_constraint c where c.contype = 'f' and c.conrelid = t.oid and c.conkey = array[a.attnum]
        and c.confrelid in ('login'::regclass, 'contact'::regclass) limit 1) as "references"
    from pg_class t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p') order by 1, 2`);
  const declared = new Map<
    string,
    { links: Map<string, string>; isWhole: boolean; given: Set<string>; reasons: Set<string>; keeper: boolean; absent: boolean }
  >();
  const kept = new Set(modules.flatMap(({ keeps }) => keeps ?? []).flatMap(({ tables }) => tables.map(snakeCase)));
  const twice: string[] = [];
  for (const { personal } of modules)
    for (const [table, facts] of Object.entries(personal ?? {})) {
      const { own = {}, acts = {}, gives = [], withholds = {}, others = {} } = facts as PersonalTable<'login'>;
      const names = [...Object.keys(own), ...Object.keys(acts), ...gives, ...Object.keys(withholds), ...Object.keys(others)].map(snakeCase);
      twice.push(...names.filter((name, place) => names.indexOf(name) !== place).map(name => `${table}.${name}`));
      declared.set(snakeCase(table), {
        links: new Map(Object.entries({ ...acts, ...own }).map(([column, link]) => [snakeCase(column), link])),
        isWhole: Object.keys(own).length > 0,
        given: new Set(gives.map(snakeCase)),
        reasons: new Set([...Object.keys(withholds), ...Object.keys(others)].map(snakeCase)),
        keeper: kept.has(snakeCase(table)),
        absent: (facts as PersonalTable<'login'>).absent !== undefined,
      });
    }
  expect(twice, 'named twice').toEqual([]);
  const known = new Set(columns.map(({ table, column }) => `${table}.${column}`));
  const unknown = [...declared].flatMap(([table, { links, given, reasons }]) =>
    [...links.keys(), ...given, ...reasons].map(column => `${table}.${column}`).filter(column => !known.has(column)),
  );
  expect(unknown, 'declared, and not in the database').toEqual([]);
  expect(
    [...declared].flatMap(([table, { isWhole, keeper }]) => (isWhole && !keeper ? [table] : [])),
    'without a line of keeps',
  ).toEqual([]);
  const withoutReason = [...kept].filter(table => !declared.get(table)?.isWhole && !declared.get(table)?.absent);
  expect(withoutReason, 'on the privacy page, and neither in a copy nor with a reason').toEqual([]);
  const undeclared = columns.filter(({ table, column, references }) => {
    const facts = declared.get(table);
    const looksPersonal =
      references !== null || nameOfPerson.test(column) || personal.test(column) || alsoPersonal.has(`${table}.${column}`);
    if (!facts?.isWhole && !looksPersonal) return false;
    const isNamed = facts && (facts.links.has(column) || facts.given.has(column) || facts.reasons.has(column));
    // Of a person and of no one else: a reference is never given as it is, and is of the kind that the database says.
    const isRight = references === null || (facts?.links.get(column) ?? 'missing') === references || facts?.reasons.has(column);
    return !isNamed || !isRight;
  });
  expect(undeclared.map(({ table, column }) => `${table}.${column}`)).toEqual([]);
});

type Read = Parameters<typeof copyKinds>[0];

/** Reads a whole copy: the rows of each table, and what is said to be in none. */
async function wholeCopy(read: Read, person: CopiedPerson) {
  const tables = new Map<string, object[]>();
  const absent: { table: string; why: string }[] = [];
  for (const { files, notInCopy } of copyKinds(read, modules, person, readProfile('').retention)) {
    absent.push(...notInCopy);
    for (const { table, batches } of files) for await (const rows of batches) tables.set(table, [...(tables.get(table) ?? []), ...rows]);
  }
  return { tables, absent };
}

test('a copy of the data of each person can be made: no secret is in it, and no one else’s login or contact is named', async () => {
  await using portal = await testPortal(kindsForRules[0]!);
  const { read } = portal.db;
  const logins = await read.selectFrom('login').select('loginId').execute();
  const contacts = await read.selectFrom('contact').select(['contactId', 'loginId']).execute();
  const filled = new Set<string>();
  for (const { loginId } of logins) {
    const contactIds = contacts.filter(contact => contact.loginId === loginId).map(({ contactId }) => contactId);
    const { tables, absent } = await wholeCopy(read, { loginId, issuer: portal.config.issuerUri, contactIds });
    expect(absent.filter(({ why }) => why === '')).toEqual([]);
    for (const [table, rows] of tables) {
      if (rows.length > 0) filled.add(table);
      const text = JSON.stringify(rows);
      // Bytes are keys or files.
      expect(text, table).not.toMatch(/"type":"Buffer"|\$argon2|PRIVATE KEY/);
      expect(
        logins.filter(other => other.loginId !== loginId && text.includes(`"${other.loginId}"`)),
        table,
      ).toEqual([]);
      expect(
        contacts.filter(other => !contactIds.includes(other.contactId) && text.includes(`"${other.contactId}"`)),
        table,
      ).toEqual([]);
    }
  }
  for (const table of ['login', 'contact', 'notification', 'several']) expect([...filled]).toContain(table);
});

test('each column by which a copy finds its rows begins an index: a copy reads no whole table', async () => {
  await using portal = await testPortal(kindsForRules[0]!);
  const first = await portal.db.read.rows<{ column: string }>(sql`select distinct t.relname || '.' || a.attname as "column"
    from pg_index i join pg_class t on t.oid = i.indrelid join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0]
    where t.relnamespace = 'public'::regnamespace`);
  const indexed = new Set(first.map(({ column }) => column));
  const links = modules.flatMap(({ personal = {} }) =>
    Object.entries(personal).flatMap(([table, facts]) => {
      const { own = {}, acts = {} } = facts as PersonalTable<'login'>;
      return [...Object.keys(own), ...Object.keys(acts)].map(column => `${snakeCase(table)}.${snakeCase(column)}`);
    }),
  );
  expect(links.filter(link => !indexed.has(link))).toEqual([]);
});

test('nothing that is written about others is in a person’s copy: each text of other rows, and of columns that are withheld, is marked', async () => {
  await using portal = await testPortal('embedded');
  const { read } = portal.db;
  const { loginId } = await read.selectFrom('login').select('loginId').where('username', '=', 'corin').executeTakeFirstOrThrow();
  const contacts = await read.selectFrom('contact').select('contactId').where('loginId', '=', loginId).execute();
  const person = { loginId, issuer: portal.config.issuerUri, contactIds: contacts.map(({ contactId }) => contactId) };
  const texts = await read.rows<{ table: string; column: string }>(sql`select t.relname::text as "table", a.attname::text as "column"
    from pg_class t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.atttypid = 'text'::regtype
    where t.relnamespace = 'public'::regnamespace and t.relkind = 'r'
      and not exists (select from pg_constraint c where c.conrelid = t.oid and c.contype in ('p', 'f', 'u') and a.attnum = any(c.conkey))
      and not exists (select from pg_index i where i.indrelid = t.oid and i.indisunique and a.attnum = any(i.indkey))`);
  const facts = new Map(
    modules.flatMap(({ personal = {} }) => Object.entries(personal).map(([table, of]) => [snakeCase(table), of as PersonalTable<'login'>])),
  );
  const marked: string[] = [];
  // Past the triggers, as no one can who isn't at the database.
  await sql`set session_replication_role = replica`.execute(portal.db.unrecorded);
  for (const { table, column } of texts) {
    const { own = {}, gives = [] } = facts.get(table) ?? {};
    const links = Object.entries(own);
    const isOwn =
      table === 'activity'
        ? sql`login_subject is not distinct from ${loginId}`
        : links.length === 0
          ? sql`false`
          : sql.join(
              links.map(([name, link]) =>
                link === 'login'
                  ? sql`coalesce(${sql.ref(snakeCase(name))}::text = ${loginId}, false)`
                  : sql`coalesce(${sql.ref(snakeCase(name))}::text = any(${person.contactIds}::text[]), false)`,
              ),
              sql` or `,
            );
    const isGiven = table === 'activity' || (gives as readonly string[]).map(snakeCase).includes(column);
    try {
      const { numAffectedRows = 0n } = await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${`MARK ${table}.${column}`} where ${
        isGiven ? sql`not (${isOwn})` : sql`true`
      }`.execute(portal.db.unrecorded);
      if (numAffectedRows > 0n) marked.push(`${table}.${column}`);
    } catch {
      // A column with few values takes no other.
    }
  }
  await sql`set session_replication_role = origin`.execute(portal.db.unrecorded);
  expect(marked.length).toBeGreaterThan(50);
  for (const text of ['login.full_name', 'contact.full_name', 'notification.body', 'activity.summary']) expect(marked).toContain(text);
  const { tables } = await wholeCopy(read, person);
  expect(tables.get('login')).toHaveLength(1);
  const shown = [...tables].flatMap(([table, rows]) =>
    [...JSON.stringify(rows).matchAll(/MARK [\w.]+/g)].map(([mark]) => `${mark} in ${table}`),
  );
  expect(shown).toEqual([]);
});

test('a document of the staff is in the copy of who signed it, and among the acts of who uploaded it', async () => {
  await using portal = await testPortal(kindsForRules[0]!);
  const { read } = portal.db;
  const contacts = await read.selectFrom('contact').select(['contactId', 'loginId']).where('loginId', 'is not', null).execute();
  const signer = contacts[0]!;
  const staff = await read.selectFrom('login').select('loginId').where('username', '=', 'stella').executeTakeFirstOrThrow();
  const [document] = await portal.db.change({ action: 'test', summary: 'Signed', traceId: '0'.repeat(32) }, async change => {
    await sql`insert into stored_file (sha256, bytes, kind, stored_at, checked) values (repeat('a', 64), 1, 'pdf', now(), 'not-checked')`.execute(
      change,
    );
    return await change
      .insertInto('document')
      .values({
        accountName: 'EXAMPLE-AU',
        fileName: 'agreement.pdf',
        title: 'Agreement',
        sha256: 'a'.repeat(64),
        byStaff: true,
        uploadedBy: staff.loginId,
        uploadedAt: change.now,
        signature: 'signed',
        signedBy: signer.contactId,
        signedName: 'Signer',
        signedAt: change.now,
      } as never)
      .returning('documentId')
      .execute();
  });
  const copyOf = (loginId: string, contactIds: string[]) => wholeCopy(read, { loginId, issuer: portal.config.issuerUri, contactIds });
  const { tables: signed } = await copyOf(signer.loginId!, [signer.contactId]);
  expect(signed.get('document')).toContainEqual(expect.objectContaining({ documentId: document!.documentId, signedBy: 'you' }));
  const { tables: uploaded } = await copyOf(staff.loginId, []);
  expect(uploaded.get('document') ?? []).not.toContainEqual(expect.objectContaining({ documentId: document!.documentId }));
  expect(uploaded.get('several')).toContainEqual(
    expect.objectContaining({ table: 'document', as: 'uploadedBy', documentId: document!.documentId }),
  );
});
