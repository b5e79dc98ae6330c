import { randomBytes } from 'node:crypto';
import { type NumberResource, overlapsResource, parseResource, resourceSetOf } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Change, Read } from '../../../platform/database/index.ts';
import type { Places } from '../places.ts';

/** An authority that a member runs itself. */
export type Child = {
  childId: number;
  accountName: string;
  handle: string;
  state: 'active' | 'removed';
  childHandle: string;
  childTag: string | null;
  identity: Buffer;
  publisherHandle: string | null;
  publisherTag: string | null;
  publisherIdentity: Buffer | null;
  createdAt: string;
};

/** The registry's name towards these authorities, and the name of its only resource class. */
export const parentHandle = 'registry';
export const className = 'registry';

const columns = sql`child_id, account_name, handle, state, child_handle, child_tag, identity, publisher_handle, publisher_tag, publisher_identity, created_at`;

/** The authority that an account runs itself; null without one. */
export async function findChild(read: Pick<Read, 'rows'>, accountName: string): Promise<Child | null> {
  const [child] = await read.rows<Child>(sql`select ${columns} from rpki_child where account_name = ${accountName} and state = 'active'`);
  return child ?? null;
}

/** Finds one by the handle in its addresses. */
export async function findChildByHandle(read: Pick<Read, 'rows'>, handle: string): Promise<Child | null> {
  const [child] = await read.rows<Child>(sql`select ${columns} from rpki_child where handle = ${handle} and state = 'active'`);
  return child ?? null;
}

/** Authorities of these accounts, and removed ones with published files left. */
export const childrenOf = (read: Pick<Read, 'rows'>, accountNames: readonly string[]): Promise<Child[]> =>
  read.rows<Child>(sql`select ${columns} from rpki_child c where account_name = any(${accountNames}::text[]) and (state = 'active'
    or exists (select from rpki_object o where o.child_id = c.child_id)
    or exists (select from rpki_child_key k where k.child_id = c.child_id and k.certificate is not null)) order by child_id`);

/** Adds an authority. Its handle reveals nothing about the account. */
export async function addChild(
  change: Change,
  { accountName, childHandle, childTag, identity }: Pick<Child, 'accountName' | 'childHandle' | 'childTag' | 'identity'>,
): Promise<void> {
  await change.rows(sql`insert into rpki_child (account_name, handle, child_handle, child_tag, identity, created_at)
    values (${accountName}, ${randomBytes(12).toString('hex')}, ${childHandle}, ${childTag}, ${identity}, ${change.now}::timestamptz)`);
}

/** A present or former certified key of such an authority. */
export type ChildKey = {
  childKeyId: number;
  childId: number;
  publicKey: Buffer;
  keyIdentifier: string;
  repositoryUri: string;
  manifestUri: string;
  notificationUri: string | null;
  requestedAsn: string | null;
  requestedIpv4: string | null;
  requestedIpv6: string | null;
  certificate: Buffer | null;
  certificateSerial: string | null;
  notBefore: string | null;
  notAfter: string | null;
  resources: string[];
  shrinksAt: string | null;
};
const keyColumns = sql`child_key_id, child_id, public_key, key_identifier, repository_uri, manifest_uri, notification_uri, requested_asn, requested_ipv4,
  requested_ipv6, certificate, certificate_serial, not_before, not_after, resources, shrinks_at`;

export const childKeysOf = (read: Pick<Read, 'rows'>, childIds: readonly number[]): Promise<ChildKey[]> =>
  read.rows<ChildKey>(sql`select ${keyColumns} from rpki_child_key where child_id = any(${childIds}::bigint[]) order by child_key_id`);

/** Returns whether an account's own authority has a certificate for any of these numbers. */
export async function isCertifiedToOwnAuthority(
  read: Pick<Read, 'rows'>,
  accountName: string,
  numbers: readonly NumberResource[],
): Promise<boolean> {
  const certified = await read.rows<{ resource: string }>(sql`select distinct unnest(k.resources) as resource
    from rpki_child c join rpki_child_key k using (child_id) where c.account_name = ${accountName} and c.state = 'active' and k.certificate is not null`);
  if (certified.length === 0) return false;
  const set = resourceSetOf(certified.map(({ resource }) => parseResource(resource)));
  return numbers.some(resource => overlapsResource(set, resource));
}

/** The directory in which an authority may publish here. */
export const childDirectory = ({ rsync }: Places, { handle }: Pick<Child, 'handle'>): string => `${rsync}delegated/${handle}/`;
