import { lockMaintainerUsers, maintainerUsers, switchMaintainer } from '../../accounts/index.ts';
import type { AnswerOf } from '@portal/contract';
import { HOUR_MS, instantAfter } from '@portal/contract/days';
import type { whois, WhoisMaintainer } from '@portal/contract/whois/whois';
import { formatObject, objectOf, valuesOf } from '@portal/rpsl';
import { sql } from 'kysely';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Read } from '../../../platform/database/index.ts';
import type { AdmittedAccount } from '../../../platform/http/endpoints.ts';
import { refuse } from '../../../platform/failure.ts';
import { sendMail } from '../../mail/index.ts';
import { cancelUserRemoval, scheduleUserRemoval } from './last-users.ts';
import { newCode } from './mailed-code.ts';
import { linkMaintainerTo } from '../rights/maintainer-links.ts';
import { objectOfRow } from '../store/object-facts.ts';
import { outcomeMessage } from '../updates/outcome.ts';
import { rightsOf } from '../rights/rights.ts';
import { submitForAccount } from '../updates/submit-for-account.ts';
import type { StoredObject, WhoisUpdate } from '../store/update.ts';
import { findObjects } from '../store/stored-objects.ts';
import type { Act } from '../../../platform/http/endpoints.ts';
import { whoisTexts } from '../mail-texts.ts';

type Rows = { rows: WhoisMaintainer[] };
/** A link, with the object of the maintainer, whose columns are null where it is gone. */
type LinkRow = {
  [Name in 'objectId' | 'class' | 'key' | 'shown' | 'text' | 'version']: StoredObject[Name] | null;
} & { maintainer: string; principal: boolean; linkedAt: string; usersEndAt: string | null };

/** The maintainers linked to an account: the principal one first. */
export async function listMaintainers({ read, account }: { read: Pick<Read, 'rows'>; account: AdmittedAccount }): Promise<Rows> {
  const { accountName } = account;
  const [links, counts, contacts, rights] = await Promise.all([
    read.rows<LinkRow>(sql`select l.maintainer, l.principal, l.linked_at,
      (select due_at from maintainer_last_user u where u.account_name = l.account_name and u.maintainer = l.maintainer) as users_end_at, o.object_id, o.class, o.key, o.shown, o.text, o.version
      from maintainer_link l left join whois_object o on o.class = 'mntner' and o.key = l.maintainer
      where l.account_name = ${accountName} order by l.principal desc, l.maintainer`),
    read.rows<{
      maintainer: string;
      class: string;
      objects: number;
    }>(sql`select l.maintainer, o.class, count(*)::int as objects from maintainer_link l
      join whois_reference r on r.value = l.maintainer and r.attribute = 'mnt-by' join whois_object o on o.object_id = r.object_id
      where l.account_name = ${accountName} group by 1, 2 order by 3 desc, 2`),
    maintainerUsers(read, accountName),
    rightsOf(read, accountName, account.contactId),
  ]);
  const seesUsers = account.permissions.has('users-privileges-view');
  return {
    rows: links.map((link): WhoisMaintainer => {
      const object = link.text === null || link.class === null ? null : objectOfRow({ class: link.class, text: link.text });
      const name = link.shown ?? link.maintainer.toUpperCase();
      return {
        maintainer: name,
        principal: link.principal,
        exists: object !== null,
        linkedAt: link.linkedAt,
        descr: object ? (valuesOf(object, 'descr')[0] ?? '') : '',
        updTo: object ? valuesOf(object, 'upd-to') : [],
        mntNfy: object ? valuesOf(object, 'mnt-nfy') : [],
        auth: object ? valuesOf(object, 'auth').filter(value => /^(?:portal|pgpkey-|x509-)/i.test(value)) : [],
        version: link.version,
        maintains: counts
          .filter(({ maintainer }) => maintainer === link.maintainer)
          .map(({ class: objectClass, objects }) => ({ class: objectClass, objects })),
        users: seesUsers
          ? contacts
              .filter(({ maintainers }) => maintainers.some(each => each.toLowerCase() === link.maintainer))
              .map(({ contactId, fullName }) => ({ contactId, name: fullName }))
          : null,
        usersEndAt: seesUsers ? link.usersEndAt : null,
        mine: rights.maintainers.has(link.maintainer),
      };
    }),
  };
}

/**
 * Makes a maintainer, optionally with its first person since each needs the other, and links it. Nothing is made if an outcome fails.
 */
export async function createMaintainer({
  change,
  account,
  body: given,
  registry: { profile, config: limits },
}: Act<typeof whois.createMaintainer>): Promise<AnswerOf<typeof whois.createMaintainer>> {
  const { suspended, ...credentials } = await rightsOf(change, account.accountName, account.contactId);
  if (suspended) throw refuse('ACCOUNT_SUSPENDED', { account: account.accountName });
  const { maintainer, person } = given;
  const source = ['source', profile.source] as const;
  const updates: WhoisUpdate[] = [];
  if (person) {
    const lines: [string, string][] = [
      ['person', person.name],
      ...person.address.map((line): [string, string] => ['address', line]),
      ['country', person.country],
      ['phone', person.phone],
      ['e-mail', person.email],
      ['nic-hdl', 'AUTO-1'],
      ['mnt-by', maintainer],
    ];
    updates.push({ operation: 'create', text: formatObject(objectOf([...lines, source])) });
  }
  const lines: [string, string][] = [
    ['mntner', maintainer],
    ['descr', given.descr],
    ['admin-c', person ? 'AUTO-1' : (given.adminC ?? '')],
    ...given.updTo.map((address): [string, string] => ['upd-to', address]),
    ...given.mntNfy.map((address): [string, string] => ['mnt-nfy', address]),
    ['auth', 'PORTAL'],
    ['mnt-by', maintainer],
  ];
  updates.push({ operation: 'create', text: formatObject(objectOf([...lines, source])) });
  const outcomes = await submitForAccount(change, account, updates, { credentials, mode: 'atomic', profile, limits });
  await change.note({ maintainer });
  return { outcomes: outcomes.map((outcome, index) => outcomeMessage(outcome, updates[index]!.text)) };
}

/** How long a mailed code is valid, in hours, and how many wrong ones are allowed. */
const CODE_HOURS = 24;
const WRONG_CODES = 5;
const hashOf = (accountName: string, maintainer: string, code: string): string =>
  createHash('sha256').update(`${accountName} ${maintainer} ${code}`).digest('hex');

async function linkedRow(read: Pick<Read, 'rows'>, accountName: string, maintainer: string): Promise<{ principal: boolean } | undefined> {
  const [row] = await read.rows<{ principal: boolean }>(
    sql`select principal from maintainer_link where account_name = ${accountName} and maintainer = ${maintainer.toLowerCase()}`,
  );
  return row;
}

/**
 * Mails a code to all upd-to addresses of a maintainer: their readers may link it.
 * @throws Failure NOT_FOUND, MAINTAINER_LINKED, REGISTRY_MAINTAINER, TOO_MANY_REQUESTS within a minute of the last one
 */
export async function askToLinkMaintainer({
  change,
  account,
  caller,
  body: { maintainer },
  registry: {
    profile,
    config: { appUrl },
    box,
  },
}: Act<typeof whois.askToLinkMaintainer>): Promise<AnswerOf<typeof whois.askToLinkMaintainer>> {
  const { accountName } = account;
  const key = maintainer.toLowerCase();
  if (key === profile.hostmasterMaintainer.toLowerCase()) throw refuse('REGISTRY_MAINTAINER', { maintainer });
  if (await linkedRow(change, accountName, maintainer)) throw refuse('MAINTAINER_LINKED', { maintainer });
  const [row] = await findObjects(change, [{ class: 'mntner', key }]);
  const addresses = row ? [...new Set(valuesOf(objectOfRow(row), 'upd-to').map(address => address.toLowerCase()))] : [];
  if (!row || addresses.length === 0) throw refuse('NOT_FOUND', { what: `A maintainer ${maintainer} with an upd-to address` });
  const code = newCode();
  const dueAt = instantAfter(change.now, CODE_HOURS * HOUR_MS);
  const asked = await change.rows(sql`insert into maintainer_code as m (account_name, maintainer, code_hash, sent_at, due_at)
    values (${accountName}, ${key}, ${hashOf(accountName, key, code)}, ${change.now}::timestamptz, ${dueAt}::timestamptz)
    on conflict (account_name, maintainer) do update set code_hash = excluded.code_hash, sent_at = excluded.sent_at, due_at = excluded.due_at, wrong_codes = 0
    where m.sent_at < ${change.now}::timestamptz - interval '1 minute' returning account_name`);
  if (asked.length === 0) throw refuse('TOO_MANY_REQUESTS', { seconds: '60' });
  await change.note({ maintainer: row.shown });
  for (const recipient of addresses) {
    await sendMail(
      change,
      {
        topic: 'whois.objects',
        recipient,
        text: whoisTexts.written('codeLink', { shown: row.shown, accountName, actor: caller.name, codeHours: CODE_HOURS }),
        link: `${appUrl}/resources/maintainer?link=${encodeURIComponent(row.shown)}&code=${code}`,
        act: 'Link the maintainer',
        answerBy: dueAt,
      },
      box,
    );
  }
  return { sentTo: addresses.length, dueAt };
}

/**
 * Links a maintainer by its code. A wrong one is counted, so it is returned as a result and not thrown; after five the code is void.
 * @throws Failure CODE_EXPIRED
 */
export async function linkMaintainer({
  change,
  account,
  body: { maintainer, code },
}: Act<typeof whois.linkMaintainer>): Promise<AnswerOf<typeof whois.linkMaintainer>> {
  const { accountName } = account;
  const key = maintainer.toLowerCase();
  const [asked] = await change.rows<{
    codeHash: string;
    dueAt: string;
    wrongCodes: number;
  }>(sql`select code_hash, due_at, wrong_codes from maintainer_code
    where account_name = ${accountName} and maintainer = ${key} for update`);
  if (!asked || asked.wrongCodes >= WRONG_CODES || Date.parse(asked.dueAt) < Date.parse(change.now)) throw refuse('CODE_EXPIRED');
  const given = hashOf(accountName, key, code.toUpperCase().replaceAll(/[\s-]/g, ''));
  const linked = timingSafeEqual(Buffer.from(given), Buffer.from(asked.codeHash));
  await change.note({ maintainer, linked });
  if (linked) {
    await change.rows(sql`delete from maintainer_code where account_name = ${accountName} and maintainer = ${key}`);
    await linkMaintainerTo(change, accountName, key);
  } else
    await change.rows(
      sql`update maintainer_code set wrong_codes = wrong_codes + 1 where account_name = ${accountName} and maintainer = ${key}`,
    );
  return { linked, ...(await listMaintainers({ read: change, account })) };
}

/** @throws Failure NOT_FOUND, PRINCIPAL_MAINTAINER while there are others that could take its place */
export async function unlinkMaintainer({ change, account, params: { maintainer } }: Act<typeof whois.unlinkMaintainer>): Promise<Rows> {
  const { accountName } = account;
  const row = await linkedRow(change, accountName, maintainer);
  if (!row) throw refuse('NOT_FOUND', { what: `The maintainer ${maintainer}` });
  if (row.principal) throw refuse('PRINCIPAL_MAINTAINER', { maintainer });
  await change.rows(sql`delete from maintainer_link where account_name = ${accountName} and maintainer = ${maintainer.toLowerCase()}`);
  await cancelUserRemoval(change, accountName, maintainer);
  await change.note({ maintainer });
  return listMaintainers({ read: change, account });
}

/** @throws Failure NOT_FOUND */
export async function choosePrincipalMaintainer({
  change,
  account,
  params: { maintainer },
}: Act<typeof whois.choosePrincipalMaintainer>): Promise<Rows> {
  const { accountName } = account;
  if (!(await linkedRow(change, accountName, maintainer))) throw refuse('NOT_FOUND', { what: `The maintainer ${maintainer}` });
  await change.rows(
    sql`update maintainer_link set principal = false where account_name = ${accountName} and principal and maintainer <> ${maintainer.toLowerCase()}`,
  );
  await change.rows(
    sql`update maintainer_link set principal = true where account_name = ${accountName} and maintainer = ${maintainer.toLowerCase()} and not principal`,
  );
  await change.note({ maintainer });
  return listMaintainers({ read: change, account });
}

/**
 * Sets which contacts may use a maintainer; corporate contacts always may. Callers can't grant it to themselves, or without being allowed to use it.
 * The last user is removed a day later.
 * @throws Failure NOT_FOUND, OWN_PERMISSIONS, PERMISSION_NOT_GRANTABLE
 */
export async function grantMaintainer({
  change,
  account,
  caller,
  params: { maintainer },
  body: { contactIds },
  registry: {
    config: { appUrl },
    box,
  },
}: Act<typeof whois.grantMaintainer>): Promise<Rows> {
  const { accountName } = account;
  const name = maintainer.toUpperCase();
  if (!(await linkedRow(change, accountName, maintainer))) throw refuse('NOT_FOUND', { what: `The maintainer ${maintainer}` });
  const rights = await rightsOf(change, accountName, account.contactId);
  if (!rights.maintainers.has(name.toLowerCase()))
    throw refuse('PERMISSION_NOT_GRANTABLE', { permission: name, reason: 'you don’t have it yourself' });
  const contacts = (await lockMaintainerUsers(change, accountName)).map(each => ({ ...each, holds: each.maintainers.includes(name) }));
  const wanted = new Set(contactIds);
  const unknown = contactIds.find(id => !contacts.some(({ contactId }) => contactId === id));
  if (unknown !== undefined) throw refuse('NOT_FOUND', { what: 'The contact' });
  const changed = contacts.filter(({ contactId, holds }) => wanted.has(contactId) !== holds);
  if (changed.some(({ contactId }) => contactId === account.contactId)) throw refuse('OWN_PERMISSIONS');
  const users = contacts.filter(({ holds }) => holds);
  if (wanted.size === 0 && users.length > 0) {
    await change.note({ maintainer: name });
    await scheduleUserRemoval(change, account, name, { users, who: caller.name, appUrl, box });
    return listMaintainers({ read: change, account });
  }
  await cancelUserRemoval(change, accountName, name);
  if (changed.length > 0)
    await switchMaintainer(
      change,
      changed.map(({ contactId }) => contactId),
      name,
    );
  await change.note({
    maintainer: name,
    granted: changed.filter(({ holds }) => !holds).map(({ fullName }) => fullName),
    withdrawn: changed.filter(({ holds }) => holds).map(({ fullName }) => fullName),
  });
  return listMaintainers({ read: change, account });
}
