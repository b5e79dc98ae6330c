import { parseAddress, parsePrefix, parseRange, printAddress, printAsNumber, printRange } from '@portal/number-resources';
import {
  attributeOf,
  classes,
  handlePrefix,
  isClassName,
  objectOf,
  type RpslAttribute,
  type RpslObject,
  valueOf,
  valuesOf,
  withValue,
} from '@portal/rpsl';
import { sql } from 'kysely';
import { type Change, type Database, ownActivity, type Read } from '../../../platform/database/index.ts';
import { isOutage, type RowFailure, RowsFailed } from '../../../platform/each-alone.ts';
import type { Log } from '../../../platform/log.ts';
import type { Profile } from '../../../profile.ts';
import { assignHandles } from '../store/handles.ts';
import { type AccountIrts, endUnusedIrts, keepIrts } from './account-irt.ts';
import { lockWhois } from '../store/lock.ts';
import { objectOfRow } from '../store/object-facts.ts';
import { type AskedObject, askedFor, forgetAsked } from './asked-objects.ts';
import { syncAsBlocks, type RegistryDefaults, registryDefaults } from './registry-objects.ts';
import { storeObjects, type Write } from '../store/store.ts';
import { identityOf } from '../store/syntax.ts';
import type { StoredObject } from '../store/update.ts';
import { findObjects } from '../store/stored-objects.ts';

/** Accounts synchronised in one change: about a second, so that others can write. */
const AT_ONCE = 300;

/**
 * Syncs the registry's objects with its ledger: organisation, inetnum, inet6num and aut-num of every account whose delegations,
 * organisation or maintainers changed, the registry's own objects, and as-blocks. Attributes that a holder may edit stay unchanged. A second run
 * changes nothing. An account whose objects can't be written doesn't hold up others. Returns how many accounts it looked at.
 * @throws {RowsFailed} after the last one, naming accounts that failed
 */
export async function syncRegistryObjects(db: Database, profile: Profile): Promise<number> {
  const failures: RowFailure[] = [];
  let looked = 0;
  for (;;) {
    const names = (
      await db.read.rows<{ accountName: string }>(sql`select account_name from whois_due_account
        where account_name <> all(${failures.map(({ row }) => row)}::text[]) order by account_name limit ${AT_ONCE}`)
    ).map(({ accountName }) => accountName);
    const [registry] = await findObjects(db.read, [{ class: 'mntner', key: profile.hostmasterMaintainer.toLowerCase() }]);
    if (names.length === 0 && registry) break;
    try {
      looked += await syncSome(db, profile, names);
    } catch (error) {
      if (isOutage(error) || names.length === 0) throw error;
      // One of them fails: alone, it is found.
      for (const name of names)
        try {
          looked += await syncSome(db, profile, [name]);
        } catch (failure) {
          if (isOutage(failure)) throw failure;
          failures.push({ row: name, error: failure });
        }
    }
  }
  if (failures.length > 0) throw new RowsFailed(failures);
  return looked;
}

/** Syncs the objects of some accounts, and of the registry itself. Returns how many of them were still due. */
const syncSome = (db: Database, profile: Profile, names: readonly string[]): Promise<number> =>
  db.change(
    ownActivity('whois.syncRegistryObjects', 'Synced whois objects with the ledger'),
    async change => {
      // Before the rows: a change of the ledger takes these locks first, and never waits for a whois write.
      await lockWhois(change);
      await registryDefaults(change, profile);
      const rows = await change.rows<{ accountName: string }>(sql`delete from whois_due_account where account_name in
        (select account_name from whois_due_account where account_name = any(${[...names]}::text[]) for update skip locked) returning account_name`);
      const changed = await syncRegistryObjectsOf(
        change,
        rows.map(({ accountName }) => accountName),
        profile,
      );
      await change.note({ accounts: rows.length, objects: changed });
      return rows.length;
    },
    { timeout: 0 },
  );

/** Returns how many accounts are waiting to be written to whois, if that takes longer, as after an import. */
export async function accountsToSync(read: Read): Promise<{ role: 'whois'; problem: string }[]> {
  const [row] = await read.rows<{ total: number }>(sql`select count(*)::int as total from whois_due_account`);
  return row!.total > AT_ONCE ? [{ role: 'whois', problem: `${row!.total} accounts are still being written to whois` }] : [];
}

/** Synchronises objects whenever a change of the ledger commits, one run at a time. Returns a function that stops it after the current run. */
export async function onLedgerChange(db: Database, keep: () => Promise<unknown>, log: Log): Promise<() => Promise<void>> {
  let running: Promise<void> | null = null;
  let again = false;
  let stopped = false;
  const run = async (): Promise<void> => {
    do {
      again = false;
      await keep().catch((error: unknown) => log.error('keeping whois objects failed', { error }));
    } while (again && !stopped);
    running = null;
  };
  const start = (): void => {
    if (running) again = true;
    else running = run();
  };
  const stopListening = await db.listen('ledger', start);
  start();
  return async () => {
    stopped = true;
    await stopListening();
    await running;
  };
}

type Account = {
  accountName: string;
  orgName: string;
  economy: string | null;
  isClosed: boolean;
  address: string[];
  phone: string;
  fax: string;
  abuseEmail: string;
  /** Its principal maintainer, and an irt and a contact maintained by it. */
  maintainer: string | null;
  irt: string | null;
  contact: string | null;
};
type Delegation = {
  delegationId: number;
  accountName: string;
  kind: 'ipv4' | 'ipv6' | 'asn';
  first: string | null;
  last: string | null;
  firstAs: number | null;
  lastAs: number | null;
  type: 'allocated' | 'assigned';
  portable: boolean;
  delegatedOn: string | null;
  economy: string | null;
};

/** Synchronises the registry's objects of some accounts with the ledger, within a change that holds the whois lock. */
export async function syncAccounts(change: Change, accountNames: readonly string[], profile: Profile): Promise<void> {
  await syncRegistryObjectsOf(change, accountNames, profile);
}

/**
 * The names by which an account acts in whois: its principal maintainer, a contact and an irt. Maintainer and contact fall back to the registry's,
 * also for null; the irt doesn't.
 */
export async function actsOf(
  change: Change,
  accountName: string | null,
  profile: Profile,
): Promise<{ maintainer: string; contact: string; irt: string | null }> {
  const defaults = await registryDefaults(change, profile);
  const accounts = accountName === null ? [] : await accountsOf(change, [accountName]);
  const [account] = accounts;
  if (!account) return { maintainer: defaults.maintainer, contact: defaults.contact, irt: null };
  const irts = await keepIrts(change, await irtHoldersOf(change, accounts), defaults, profile);
  return {
    maintainer: account.maintainer ?? defaults.maintainer,
    contact: account.contact ?? defaults.contact,
    irt: irts.get(account.accountName)?.usual ?? null,
  };
}

/** The accounts whose irts are kept: those that hold numbers whose objects name one (as-blocks don't), with the mailboxes that they asked for. */
async function irtHoldersOf(change: Change, accounts: readonly Account[]) {
  const names = accounts.map(({ accountName }) => accountName);
  const holding = new Set(
    (
      await change.rows<{ accountName: string }>(
        sql`select distinct account_name from delegation where account_name = any(${names}::text[]) and registry = '' and status <> 'closed'
          and (kind <> 'asn' or last_as - first_as < ${BLOCK_FROM})`,
      )
    ).map(({ accountName }) => accountName),
  );
  const mailboxes = Map.groupBy(
    await change.rows<{ accountName: string; abuseMailbox: string }>(sql`select distinct account_name, abuse_mailbox from asked_object
      where account_name = any(${names}::text[]) and abuse_mailbox <> '' order by 1, 2`),
    ({ accountName }) => accountName,
  );
  return accounts
    .filter(({ accountName, isClosed }) => !isClosed && holding.has(accountName))
    .map(account => ({ ...account, asked: (mailboxes.get(account.accountName) ?? []).map(({ abuseMailbox }) => abuseMailbox) }));
}

/** Makes, changes and deletes the kept objects of some accounts. Returns how many were written. */
async function syncRegistryObjectsOf(change: Change, accountNames: readonly string[], profile: Profile): Promise<number> {
  if (accountNames.length === 0) return 0;
  const defaults = await registryDefaults(change, profile);
  const accounts = await accountsOf(change, accountNames);
  await forgetAsked(change, accountNames);
  const irts = await keepIrts(change, await irtHoldersOf(change, accounts), defaults, profile);
  const asked = await askedFor(change, accountNames);
  const delegations =
    await change.rows<Delegation>(sql`select delegation_id, account_name, kind, host(first) as first, host(last) as last, first_as, last_as, type, portable,
      delegated_on::text, economy from delegation where account_name = any(${accountNames}::text[]) and registry = '' and status <> 'closed'`);
  const kept =
    await change.rows<StoredObject>(sql`select object_id, class, key, shown, text, version, host(first) as first, host(last) as last, first_as, last_as,
      registry_maintained, kept_for, kept, created_at, changed_at from whois_object where kept_for = any(${accountNames}::text[]) and class <> 'irt'`);

  const held = new Map<string, Delegation[]>();
  for (const delegation of delegations) held.set(delegation.accountName, [...(held.get(delegation.accountName) ?? []), delegation]);
  const organisations = new Map(kept.filter(row => row.class === 'organisation').map(row => [row.keptFor!, row]));
  const handles = await organisationHandles(change, accounts, held, organisations, profile);

  const wanted = new Map<string, { made: Made; account: Account }>();
  for (const account of accounts) {
    const own = account.isClosed ? [] : (held.get(account.accountName) ?? []);
    const handle = handles.get(account.accountName);
    if (own.length === 0 || handle === undefined) continue;
    const made = [
      organisationOf(account, handle, defaults, profile),
      ...own.flatMap(delegation =>
        objectsOf(delegation, account, {
          handle,
          asked: asked.get(delegation.delegationId) ?? null,
          irts: irts.get(account.accountName) ?? null,
          defaults,
          profile,
          now: change.now,
        }),
      ),
    ];
    for (const each of made) {
      const { class: objectClass, key } = identityOf(each.object)!;
      wanted.set(`${objectClass} ${key}`, { made: each, account });
    }
  }
  await addCarriedLines(
    change,
    [...wanted.values()].map(({ made }) => made),
  );
  const rows = new Map(kept.map(row => [`${row.class} ${row.key}`, row]));
  // Objects of others, or of earlier holders, become this holder's.
  const missing = [...wanted.values()]
    .map(({ made }) => identityOf(made.object)!)
    .filter(({ class: objectClass, key }) => !rows.has(`${objectClass} ${key}`));
  for (const row of await findObjects(change, missing)) rows.set(`${row.class} ${row.key}`, row);

  const writes: Write[] = [];
  const needed = new Set<string>();
  for (const [id, { made, account }] of wanted) {
    const row = rows.get(id) ?? null;
    const storedBefore = row?.keptFor === account.accountName;
    const object = row
      ? withLedger(objectOfRow(row), made, { ...defaults, irts: standIns(account, defaults, irts) }, storedBefore)
      : made.object;
    for (const name of valuesOf(object, 'mnt-irt')) needed.add(name.toLowerCase());
    if (storedBefore && sameLines(objectOfRow(row!), object)) continue;
    writes.push({
      operation: row ? 'modify' : 'create',
      ...identityOf(object)!,
      object,
      stored: row,
      kept: { for: account.accountName },
      ...(made.createdAt !== undefined && { createdAt: made.createdAt }),
    });
  }
  const gone = kept.filter(row => !wanted.has(`${row.class} ${row.key}`));
  writes.push(...(await deletionsOf(change, gone)));
  await storeObjects(change, writes, profile);
  await endUnusedIrts(change, accountNames, needed, profile);
  if (delegations.some(({ kind }) => kind === 'asn') || gone.some(row => row.class === 'aut-num' || row.class === 'as-block'))
    await syncAsBlocks(change, defaults, profile);
  return writes.length;
}

/** Returns the deletions of objects that nothing asks for any more. An organisation that others name stays as long as they do. */
async function deletionsOf(change: Change, gone: readonly StoredObject[]): Promise<Write[]> {
  const organisations = gone.filter(row => row.class === 'organisation').map(({ key }) => key);
  const naming =
    organisations.length === 0
      ? []
      : await change.rows<{ value: string }>(sql`select distinct value from whois_reference where attribute = 'org'
          and value = any(${organisations}::text[]) and not object_id = any(${gone.map(({ objectId }) => objectId)}::bigint[])`);
  const named = new Set(naming.map(({ value }) => value));
  return gone
    .filter(row => row.class !== 'organisation' || !named.has(row.key))
    .map(row => ({
      operation: 'delete',
      class: row.class,
      key: row.key,
      shown: row.shown,
      object: objectOfRow(row),
      stored: row,
      reason: 'The delegation ended',
    }));
}

/** The irts that objects of an account name only until it has one of its own: the registry's, and the one made for it where it maintains one now. */
const standIns = (
  { accountName, irt }: Account,
  { irt: ofRegistry }: RegistryDefaults,
  irts: ReadonlyMap<string, AccountIrts>,
): readonly string[] => [ofRegistry, ...(irt === null ? [] : (irts.get(accountName)?.made ?? []))];

/** Puts lines carried over by a transfer into the new objects of their ranges, in place of the holder's own. */
async function addCarriedLines(change: Change, made: readonly Made[]): Promise<void> {
  const waiting = await change.rows<{ carriedLineId: number; range: string; attribute: string; value: string }>(
    sql`select carried_line_id, host(first) || ' ' || host(last) as range, attribute, value from carried_line order by carried_line_id`,
  );
  if (waiting.length === 0) return;
  const done: number[] = [];
  for (const each of made) {
    if (each.object.class !== 'inetnum' && each.object.class !== 'inet6num') continue;
    const lines = waiting.filter(({ range }) => range === rangeOf(each.object));
    if (lines.length === 0) continue;
    const replaced = new Set(lines.map(({ attribute }) => attribute).filter(name => name !== 'geofeed' && name !== 'remarks'));
    const attributes = each.object.attributes.filter(({ name }) => !replaced.has(name));
    for (const { attribute, value } of lines)
      attributes.splice(
        placeFor(
          each.object.class,
          attributes.map(({ name }) => name),
          attribute,
        ),
        0,
        attributeOf(attribute, value),
      );
    each.object = { ...each.object, attributes };
    done.push(...lines.map(({ carriedLineId }) => carriedLineId));
  }
  await change.rows(sql`delete from carried_line where carried_line_id = any(${done}::bigint[])`);
}

/** `198.18.0.0 198.18.31.255`, as the database prints both ends. */
function rangeOf(object: RpslObject): string {
  const key = valueOf(object, object.class) ?? '';
  const range = object.class === 'inetnum' ? parseRange(key) : parsePrefix(key);
  return `${printAddress({ family: range.family, value: range.first })} ${printAddress({ family: range.family, value: range.last })}`;
}

/** Reads the facts of accounts for their objects. */
export async function accountsOf(read: Pick<Read, 'rows'>, accountNames: readonly string[]): Promise<Account[]> {
  return read.rows<Account>(sql`
    select a.account_name, a.org_name, a.economy, a.account_status = 'closed' as is_closed,
      coalesce(o.postal_address, '{}') || array_remove(array_remove(array[o.city, o.region, o.postcode], ''), null) as address,
      coalesce(o.phone, '') as phone, coalesce(o.fax, '') as fax, coalesce(o.abuse_email, '') as abuse_email,
      m.shown as maintainer,
      (select i.shown from whois_reference r join whois_object i using (object_id) where r.value = m.key and r.of_irt order by i.object_id limit 1) as irt,
      coalesce((select i.shown from whois_reference r join whois_object i on i.object_id = r.object_id and i.class = 'role'
        where r.value = m.key and r.attribute = 'mnt-by' order by i.object_id limit 1),
        (select i.shown from whois_reference r join whois_object i on i.object_id = r.object_id and i.class = 'person'
        where r.value = m.key and r.attribute = 'mnt-by' order by i.object_id limit 1)) as contact
    from account a left join organisation o using (account_name)
    left join maintainer_link l on l.account_name = a.account_name and l.principal
    left join whois_object m on m.class = 'mntner' and m.key = l.maintainer
    where a.account_name = any(${accountNames}::text[])`);
}

/** The handle of each account's organisation: the one it has, or a new one. */
async function organisationHandles(
  change: Change,
  accounts: readonly Account[],
  held: ReadonlyMap<string, unknown>,
  organisations: ReadonlyMap<string, StoredObject>,
  profile: Profile,
): Promise<Map<string, string>> {
  const handles = new Map([...organisations].map(([accountName, row]) => [accountName, row.shown]));
  const fresh = accounts.filter(({ accountName, isClosed }) => !isClosed && held.has(accountName) && !handles.has(accountName));
  const objects: (RpslObject | null)[] = fresh.map(({ orgName }, index) =>
    objectOf([
      ['organisation', `AUTO-${index + 1}${handlePrefix(ascii(orgName))}`],
      ['org-name', ascii(orgName)],
    ]),
  );
  await assignHandles(
    change,
    objects,
    fresh.map(() => true),
    profile,
  );
  for (const [index, { accountName }] of fresh.entries()) handles.set(accountName, valueOf(objects[index]!, 'organisation')!);
  return handles;
}

/** A new object as the ledger wants it; `frozen` are the attributes that only the ledger changes. */
type Made = { object: RpslObject; frozen: readonly string[]; createdAt?: string };

const resourceFrozen = ['netname', 'as-name', 'descr', 'org', 'status', 'mnt-by', 'source'];

function organisationOf(account: Account, handle: string, { maintainer, contact }: RegistryDefaults, profile: Profile): Made {
  const own = account.maintainer;
  const lines: [string, string][] = [
    ['organisation', handle],
    ['org-name', organisationName(account.orgName)],
    ['org-type', 'LIR'],
    ['country', account.economy ?? 'ZZ'],
    ...(account.address.length > 0 ? account.address : [account.orgName]).map((line): [string, string] => ['address', plain(line)]),
    ...(account.phone ? [['phone', account.phone] as [string, string]] : []),
    ...(account.fax ? [['fax-no', account.fax] as [string, string]] : []),
    // Personal data are published only if the person entered them in whois.
    ['e-mail', account.abuseEmail || profile.hostmasterEmail],
    ['admin-c', account.contact ?? contact],
    ['tech-c', account.contact ?? contact],
    ['mnt-ref', own ?? maintainer],
    ['mnt-by', maintainer],
    ['source', profile.source],
  ];
  return {
    object: objectOf(lines),
    frozen: ['org-name', 'org-type', 'country', 'address', 'phone', 'fax-no', 'e-mail', 'mnt-by', 'source'],
  };
}

function objectsOf(
  delegation: Delegation,
  account: Account,
  {
    handle,
    asked,
    irts,
    defaults,
    profile,
    now,
  }: { handle: string; asked: AskedObject | null; irts: AccountIrts | null; defaults: RegistryDefaults; profile: Profile; now: string },
): Made[] {
  const { kind, type, portable, economy, delegatedOn } = delegation;
  const createdAt =
    delegatedOn === null ? {} : { createdAt: [`${delegatedOn}T00:00:00Z`, now].toSorted((a, b) => Date.parse(a) - Date.parse(b))[0]! };
  const name = asked?.netname || networkName(account.accountName);
  const own = asked?.maintainer || account.maintainer;
  const contact = account.contact ?? defaults.contact;
  const irt = (asked?.abuseMailbox ? irts?.of(asked.abuseMailbox) : null) ?? irts?.usual ?? null;
  const holder: [string, string][] = [
    ['mnt-by', defaults.maintainer],
    ...(own === null ? [] : [['mnt-lower', own] as [string, string], ['mnt-routes', own] as [string, string]]),
    // Never the registry's: an account without an abuse mailbox has none in whois.
    ...(irt === null ? [] : [['mnt-irt', irt] as [string, string]]),
  ];
  const tail = (status: string | null): [string, string][] => [
    ['descr', plain(account.orgName)],
    ...(asked?.descr ? [['descr', plain(asked.descr)] as [string, string]] : []),
    ['country', economy ?? account.economy ?? 'ZZ'],
    ['org', handle],
    ['admin-c', asked?.adminC || contact],
    ['tech-c', asked?.techC || contact],
    ...(status === null ? [] : [['status', status] as [string, string]]),
    ...holder,
    ['source', profile.source],
  ];
  if (kind !== 'asn') {
    const status = `${type === 'allocated' ? 'ALLOCATED' : 'ASSIGNED'} ${portable ? 'PORTABLE' : 'NON-PORTABLE'}`;
    const { family, value: first } = parseAddress(delegation.first!);
    const range = { family, first, last: parseAddress(delegation.last!).value };
    const key = kind === 'ipv4' ? `${delegation.first} - ${delegation.last}` : printRange(range);
    const objectClass = kind === 'ipv4' ? 'inetnum' : 'inet6num';
    return [{ object: objectOf([[objectClass, key], ['netname', name], ...tail(status)]), frozen: resourceFrozen, ...createdAt }];
  }
  const [first, last] = [delegation.firstAs!, delegation.lastAs!];
  if (last - first >= BLOCK_FROM) {
    const block: [string, string][] = [
      ['as-block', `${printAsNumber(first)} - ${printAsNumber(last)}`],
      ['descr', plain(account.orgName)],
      ['country', economy ?? account.economy ?? 'ZZ'],
      ['admin-c', contact],
      ['tech-c', contact],
      ['org', handle],
      ['mnt-by', defaults.maintainer],
      ...(own === null ? [] : [['mnt-lower', own] as [string, string]]),
      ['source', profile.source],
    ];
    return [{ object: objectOf(block), frozen: ['descr', 'country', 'org', 'mnt-by', 'source'], ...createdAt }];
  }
  return Array.from({ length: last - first + 1 }, (_, place) => ({
    object: objectOf([['aut-num', printAsNumber(first + place)], ['as-name', name], ...tail(null)]),
    frozen: resourceFrozen,
    ...createdAt,
  }));
}

/** This many consecutive AS numbers or more form a block for further delegation, not numbers of networks. */
const BLOCK_FROM = 64;

/** Returns the stored object with the ledger's values; the holder's lines stay, and the registry's placeholders are replaced by the holder's objects. */
function withLedger(
  stored: RpslObject,
  { object: wanted, frozen }: Made,
  { contact, irts, maintainer }: Pick<RegistryDefaults, 'contact' | 'maintainer'> & { irts: readonly string[] },
  storedBefore: boolean,
): RpslObject {
  // An old object, or one of the former holder: the ledger replaces all of it.
  if (!storedBefore) return wanted;
  let attributes = [...stored.attributes];
  for (const name of frozen) {
    // The first line of descr comes from the ledger, the others from the holder.
    const values = name === 'descr' ? valuesOf(wanted, name).slice(0, 1) : valuesOf(wanted, name);
    const old = attributes.filter(attribute => attribute.name === name);
    const kept = name === 'descr' ? old.slice(1) : [];
    const lines = [...values.map((value, index) => (old[index]?.value === value ? old[index]! : attributeOf(name, value))), ...kept];
    if (old.length === lines.length && old.every((attribute, index) => attribute === lines[index])) continue;
    const place = old[0]
      ? attributes.indexOf(old[0])
      : placeFor(
          stored.class,
          attributes.map(attribute => attribute.name),
          name,
        );
    attributes = attributes.filter(attribute => attribute.name !== name);
    attributes.splice(place, 0, ...lines);
  }
  const standIns = (name: string): readonly string[] => (name === 'mnt-irt' ? irts : [name === 'mnt-ref' ? maintainer : contact]);
  attributes = attributes.flatMap((attribute): RpslAttribute[] => {
    const own = valueOf(wanted, attribute.name);
    const isStandIn =
      ['admin-c', 'tech-c', 'mnt-irt', 'mnt-ref'].includes(attribute.name) &&
      standIns(attribute.name).some(each => each.toLowerCase() === attribute.value.toLowerCase());
    if (!isStandIn || own?.toLowerCase() === attribute.value.toLowerCase()) return [attribute];
    // The registry's irt is never used for a member, even for one without an irt.
    if (own === undefined) return attribute.name === 'mnt-irt' ? [] : [attribute];
    const isThere =
      attribute.name === 'mnt-irt' && attributes.some(each => each.name === 'mnt-irt' && each.value.toLowerCase() === own.toLowerCase());
    return isThere ? [] : [withValue(attribute, own)];
  });
  for (const name of ['mnt-lower', 'mnt-routes', 'mnt-irt']) {
    const own = valueOf(wanted, name);
    if (own === undefined || attributes.some(attribute => attribute.name === name)) continue;
    attributes.splice(
      placeFor(
        stored.class,
        attributes.map(attribute => attribute.name),
        name,
      ),
      0,
      attributeOf(name, own),
    );
  }
  return { ...stored, attributes };
}

/** Returns the position for a line of this name: after those that precede it in the template. */
function placeFor(objectClass: string, names: readonly string[], name: string): number {
  if (!isClassName(objectClass)) return names.length;
  const order: readonly string[] = classes[objectClass].template.map(row => row.attribute);
  const rank = order.indexOf(name);
  const after = names.findLastIndex(each => order.indexOf(each) <= rank && order.includes(each));
  return after < 0 ? names.length : after + 1;
}

const sameLines = (a: RpslObject, b: RpslObject): boolean => {
  const lines = ({ attributes }: RpslObject): string => attributes.map(({ name, value }) => `${name}:${value}`).join('\n');
  return lines(a) === lines(b);
};

/** RPSL values contain no comment sign and no line end. */
const plain = (text: string): string => text.replaceAll(/[#\r\n]+/g, ' ').trim() || '-';
const ascii = (text: string): string => text.normalize('NFD').replaceAll(/[^\x20-\x7e]/g, '');
/** An organisation's name as org-name takes it. */
const organisationName = (text: string): string =>
  ascii(text)
    .replaceAll(/[^\w."*()@,&:!`+/\- ]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .split(' ')
    .slice(0, 12)
    .join(' ') || 'Unnamed';
/** An account's name as a netname: letter first, letter or digit last. */
export function networkName(accountName: string): string {
  const name = accountName
    .toUpperCase()
    .replaceAll(/[^A-Z0-9_-]/g, '-')
    .replace(/[-_]+$/, '')
    .slice(0, 70);
  return /^[A-Z]/.test(name) && !/^(?:AS|RS|RTRS|FLTR|PRNG|IRT|ORG)-/.test(name) ? name : `NET-${name}`;
}
