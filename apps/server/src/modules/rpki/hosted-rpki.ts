import type { AnswerOf } from '@portal/contract';
import { HOUR_MS, instantAfter } from '@portal/contract/days';
import { type Roa, type RpkiStatus, rolloverHours, type rpki } from '@portal/contract/rpki/rpki';
import {
  isEmptySet,
  listResources,
  parseResource,
  printResource,
  type ResourceSet,
  resourceSetOf,
  subtractSets,
} from '@portal/number-resources';
import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse, refuseWithCurrent } from '../../platform/failure.ts';
import type { CasesOf } from '../../platform/http/cases.ts';
import type { Act, AdmittedAccount, CaseAct } from '../../platform/http/endpoints.ts';
import { lockAccount, requireOpen } from '../accounts/index.ts';
import { holdingsOf } from '../resources/index.ts';
import { type Authority, addAuthority, findAuthority, lockAuthority } from './authorities/authorities.ts';
import { type KeyRow, keysOf } from './authorities/keys.ts';
import { directoryOf, fileNameOf, placesOf } from './places.ts';
import { currentSession } from './repository/rrdp-records.ts';
import { printRoa } from './roa-changes.ts';
import { announceOff } from './change-notices.ts';
import { certifiableOf, roasOf } from './roas.ts';
import { suspensionOf } from './suspensions.ts';
import { unpublishedOf } from './unpublished.ts';

type Settings = Pick<Config, 'rpkiRsyncBase' | 'rpkiRrdpBase' | 'rpkiAs0' | 'appUrl'>;
const printed = (set: ResourceSet): string[] => listResources(set).map(printResource);

/** The RPKI set-up of an account. */
export async function getStatus({
  read,
  account: { accountName },
  registry: { config, now },
}: {
  read: Pick<Read, 'rows'>;
  account: AdmittedAccount;
  registry: { config: Settings; now: Date };
}): Promise<RpkiStatus> {
  const places = placesOf(config);
  const authority = await findAuthority(read, accountName);
  const rows = authority ? await keysOf(read, [authority.caId]) : [];
  const manifests = new Map(
    (
      await read.rows<{ keyId: number; number: number; thisUpdate: string; nextUpdate: string }>(
        sql`select key_id, number, this_update, next_update from rpki_manifest where key_id = any(${rows.map(({ keyId }) => keyId)}::bigint[])`,
      )
    ).map(manifest => [manifest.keyId, manifest]),
  );
  const numbers = new Map(
    (
      await read.rows<{ keyId: number; number: number }>(
        sql`select key_id, row_number() over (order by key_id)::int as number from rpki_key where ca_id = ${authority?.caId ?? null}`,
      )
    ).map(({ keyId, number }) => [keyId, number]),
  );
  const [registry] = await read.rows<{ handle: string }>(sql`select handle from rpki_ca where kind = 'registry'`);
  const held = (await holdingsOf(read, [accountName])).get(accountName)!;
  const certifiable = await certifiableOf(read, accountName);
  const current = rows.find(({ state }) => state === 'current');
  const certified = current?.certificate ? resourceSetOf(current.resources.map(parseResource)) : resourceSetOf([]);
  const roas = authority ? await roasOf(read, accountName) : [];
  const count = (state: Roa['state']): number => roas.filter(roa => roa.state === state).length;
  const session = await currentSession(read);
  const [due] = await read.rows<{ isDue: boolean }>(
    sql`select exists (select from rpki_due where account_name = ${accountName}) as is_due`,
  );
  const keyOf = (row: KeyRow): RpkiStatus['keys'][number] => {
    const manifest = manifests.get(row.keyId);
    const name = fileNameOf(row.keyIdentifier);
    return {
      keyId: String(row.keyId),
      number: numbers.get(row.keyId)!,
      state: row.state,
      since: row.stateSince,
      certificate: row.certificate && {
        serial: row.certificateSerial!,
        notBefore: row.notBefore!,
        notAfter: row.notAfter!,
        uri: `${directoryOf(places, { kind: 'registry', handle: registry!.handle })}${name}.cer`,
        resources: row.resources,
      },
      manifest: manifest
        ? {
            number: manifest.number,
            thisUpdate: manifest.thisUpdate,
            nextUpdate: manifest.nextUpdate,
            uri: `${directoryOf(places, authority!)}${name}.mft`,
          }
        : null,
    };
  };
  return {
    mode: !authority ? 'off' : isEmptySet(certifiable) ? 'suspended' : 'hosted',
    version: authority?.version ?? 0,
    enabledAt: authority?.enabledAt ?? null,
    held: printed(held),
    certified: printed(certified),
    missing: authority ? printed(subtractSets(certifiable, certified)) : [],
    keys: rows.map(keyOf),
    rollover: authority ? rolloverOf(authority, rows) : null,
    counts: {
      roas: roas.length,
      pending: count('pending'),
      published: count('published'),
      notHeld: count('not-held'),
      stopped: count('stopped'),
    },
    repository: {
      serial: session?.serial ?? null,
      publishedAt: session?.publishedAt ?? null,
      rsync: places.rsync,
      notification: places.notification,
      locator: `${config.appUrl}/rpki/registry.tal`,
      as0Locator: config.rpkiAs0 ? `${config.appUrl}/rpki/as0.tal` : null,
    },
    isPublishing: due!.isDue,
    unpublished: await unpublishedOf(read, accountName, now),
    suspension: authority ? await suspensionOf(read, accountName) : null,
  };
}

/** A rollover under way: the new key doesn't sign yet. */
function rolloverOf({ rolloverRequestedAt }: Authority, rows: readonly KeyRow[]): RpkiStatus['rollover'] {
  const next = rows.find(({ state }) => state === 'new');
  const isWaiting = rolloverRequestedAt !== null && rows.every(({ createdAt }) => createdAt < rolloverRequestedAt);
  const startedAt = next?.createdAt ?? (isWaiting ? rolloverRequestedAt : null);
  return startedAt === null ? null : { startedAt, activateFrom: instantAfter(startedAt, rolloverHours * HOUR_MS) };
}

/** Enables hosted RPKI. The publisher makes key and certificate. @throws Failure RPKI_ENABLED_ALREADY, RPKI_NO_RESOURCES, ACCOUNT_SUSPENDED */
export async function enableRpki(change: Change, account: AdmittedAccount, config: Settings): Promise<RpkiStatus> {
  const { accountName, accountStatus } = account;
  requireOpen({ accountName, accountStatus });
  // Serialises concurrent calls: the second is refused.
  await lockAccount(change, accountName);
  if (await findAuthority(change, accountName)) throw refuse('RPKI_ENABLED_ALREADY');
  const held = (await holdingsOf(change, [accountName])).get(accountName)!;
  if (isEmptySet(held)) throw refuse('RPKI_NO_RESOURCES');
  await addAuthority(change, accountName);
  await change.note({ resources: printed(held) });
  return getStatus({ read: change, account, registry: { config, now: new Date(change.now) } });
}

/** Returns what disabling RPKI would remove. @throws Failure RPKI_NOT_ENABLED */
export async function previewRevocation({
  read,
  account,
  registry: { config, now },
}: {
  read: Pick<Read, 'rows'>;
  account: AdmittedAccount;
  registry: { config: Settings; now: Date };
}): Promise<AnswerOf<typeof rpki.previewRevocation>> {
  const { version, certified, mode } = await getStatus({ read, account, registry: { config, now } });
  if (mode === 'off') throw refuse('RPKI_NOT_ENABLED');
  return { version, certified, roas: await roasOf(read, account.accountName) };
}

/** Revokes the certificate and deletes the ROAs; the publisher withdraws everything and destroys the keys. @throws Failure STALE, ROA_COUNT_WRONG */
export async function revokeRpki({
  change,
  account,
  row: { authority },
  body: { version, removing },
  registry: { config },
}: CaseAct<typeof rpki.revoke, HostedAuthority>): Promise<void> {
  const { accountName } = account;
  if (authority.version !== version)
    throw refuseWithCurrent(await previewRevocation({ read: change, account, registry: { config, now: new Date(change.now) } }), 'STALE', {
      what: 'the list of ROAs',
    });
  const roas = await roasOf(change, accountName);
  if (removing !== roas.length) throw refuse('ROA_COUNT_WRONG', { count: String(roas.length) });
  await change.rows(sql`delete from roa where account_name = ${accountName}`);
  await change.rows(sql`delete from aspa where account_name = ${accountName}`);
  await change.rows(sql`update rpki_ca set state = 'revoked', revoked_at = ${change.now}::timestamptz where ca_id = ${authority.caId}`);
  await change.note({ removed: roas.slice(0, 500).map(printRoa), removedCount: roas.length });
  await announceOff(
    change,
    account,
    roas.map(roa => `ROA ${printRoa(roa)}`),
  );
}

/** Requests a new key. @throws Failure RPKI_NOT_ENABLED, ROLLOVER_UNDER_WAY */
export async function startRollover(change: Change, account: AdmittedAccount, config: Settings): Promise<RpkiStatus> {
  const authority = await lockAuthority(change, account.accountName);
  const underWay = rolloverOf(authority, await keysOf(change, [authority.caId]));
  if (underWay) throw refuse('ROLLOVER_UNDER_WAY', { from: underWay.activateFrom });
  await change.rows(sql`update rpki_ca set rollover_requested_at = ${change.now}::timestamptz where ca_id = ${authority.caId}`);
  return getStatus({ read: change, account, registry: { config, now: new Date(change.now) } });
}

/** The authority of an account with its keys, locked. */
export type HostedAuthority = { authority: Authority; keys: KeyRow[] };

/** Hosted authorities, turned off by their members, and their new keys, which take over a day after they were certified. */
export const authorityCases: CasesOf<HostedAuthority> = {
  stateOf: ({ authority, keys }, { life }) =>
    life.table === 'rpki_ca' ? authority.state : (keys.find(({ state }) => state === 'new')?.state ?? 'none'),
  lock: async ({ change, account }) => {
    const authority = await lockAuthority(change, account!.accountName);
    return { authority, keys: await keysOf(change, [authority.caId]) };
  },
  within: ({ authority, keys }, { life, from }, { change }) => {
    if (life.table === 'rpki_ca') return from;
    const underWay = rolloverOf(authority, keys);
    return underWay && change.now >= underWay.activateFrom ? from : [];
  },
  refusal: async ({ authority, keys }, _moving, { life }) => {
    if (life.table === 'rpki_ca') return refuse('RPKI_NOT_ENABLED');
    const underWay = rolloverOf(authority, keys);
    return underWay ? refuse('ROLLOVER_TOO_EARLY', { from: underWay.activateFrom }) : refuse('ROLLOVER_NOT_STARTED');
  },
};

/** Lets the new key take over: the publisher begins to sign with it. */
export async function activateKey(
  change: Change,
  account: AdmittedAccount,
  { authority }: HostedAuthority,
  config: Settings,
): Promise<RpkiStatus> {
  await change.rows(sql`update rpki_ca set activation_requested_at = ${change.now}::timestamptz where ca_id = ${authority.caId}`);
  return getStatus({ read: change, account, registry: { config, now: new Date(change.now) } });
}

/** Lists the RPKI activities of an account, newest first. */
export async function listHistory({
  read,
  account: { accountName },
  query: { before, limit },
}: Act<typeof rpki.listHistory>): Promise<AnswerOf<typeof rpki.listHistory>> {
  type Row = {
    activityId: number;
    happenedAt: string;
    summary: string;
    by: string | null;
    details: Record<string, unknown>;
    refusal: string | null;
  };
  const rows = await read.rows<Row>(sql`select a.activity_id, a.happened_at, a.summary, c.full_name as by, a.details, a.refusal
    from activity a left join contact c on c.contact_id::text = a.contact_id
    where a.account_name = ${accountName} and (a.action like 'rpki.%' and a.action not in ('rpki.checkRoas', 'rpki.aspas.checkAspa', 'rpki.checklists.verifyChecklist')
      or a.action in ('routes.saveRoutes', 'routes.undoChange')
        and (coalesce(a.details -> 'added', '[]') <> '[]'::jsonb or coalesce(a.details -> 'removed', '[]') <> '[]'::jsonb))
      and a.activity_id < ${before ?? 2 ** 52} order by a.activity_id desc limit ${limit + 1}`);
  const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
  return {
    rows: rows
      .slice(0, limit)
      .map(({ details, ...row }) => ({ ...row, added: texts(details['added']), removed: texts(details['removed']) })),
    more: rows.length > limit,
  };
}
