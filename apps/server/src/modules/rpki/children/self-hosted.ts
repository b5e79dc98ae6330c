import { lockAccount, requireOpen } from '../../accounts/index.ts';
import type { AnswerOf } from '@portal/contract';
import type { rpkiSelfHosted, SelfHosted } from '@portal/contract/rpki/self-hosted';
import { isEmptySet, listResources, printResource, type ResourceSet } from '@portal/number-resources';
import { type Introduction, printParentResponse, printRepositoryResponse } from '@portal/rpki-objects';
import { sql } from 'kysely';
import type { Config } from '../../../config.ts';
import type { Change, Read } from '../../../platform/database/index.ts';
import type { CasesOf } from '../../../platform/http/cases.ts';
import type { AdmittedAccount, CaseAct } from '../../../platform/http/endpoints.ts';
import { refuse } from '../../../platform/failure.ts';
import { serviceUri } from './child-routes.ts';
import { addChild, type Child, childDirectory, childKeysOf, findChild, parentHandle } from './children.ts';
import { announceDisconnection } from '../change-notices.ts';
import { identityCertificate } from '../identity.ts';
import { placesOf } from '../places.ts';
import { certifiableOf } from '../roas.ts';
import { filesNotInRsync } from '../unpublished.ts';

type Settings = Pick<Config, 'rpkiRsyncBase' | 'rpkiRrdpBase' | 'appUrl'>;
const printed = (set: ResourceSet): string[] => listResources(set).map(printResource);

/** Maximum number of ROAs named in answers. */
const NAMED = 20;

/** The account's own authority: its set-up, certified resources, published files, and whether hosted RPKI is still needed. */
export async function getSelfHosted({
  read,
  account: { accountName },
  registry: { config },
}: {
  read: Pick<Read, 'rows'>;
  account: AdmittedAccount;
  registry: { config: Settings };
}): Promise<SelfHosted> {
  const certifiable = printed(await certifiableOf(read, accountName));
  const child = await findChild(read, accountName);
  if (!child) return { authority: null, certifiable };
  const identity = await identityCertificate(read);
  const places = placesOf(config);
  const keys = (await childKeysOf(read, [child.childId])).filter(({ certificate }) => certificate !== null);
  const contacts = await read.rows<{ protocol: string; lastAt: string }>(
    sql`select protocol, last_at from rpki_child_contact where child_id = ${child.childId}`,
  );
  const [validation] = await read.rows<{ problems: string[]; hints: string[]; endsAt: string | null; beingChecked: boolean }>(
    sql`select problems, hints, ends_at, changes is distinct from judged_changes as being_checked from rpki_child_judgement where child_id = ${child.childId}`,
  );
  const [counts] = await read.rows<{ files: number; vrps: number }>(sql`select
    (select count(*)::int from rpki_object where child_id = ${child.childId}) as files,
    (select count(*)::int from rpki_child_vrp where child_id = ${child.childId}) as vrps`);
  const missing = await read.rows<{
    roa: string;
  }>(sql`select 'AS' || r.asn || ' ' || r.prefix::text || ', max /' || r.max_length as roa from roa r
    where r.account_name = ${accountName} and not exists (select from rpki_child_vrp v
      where v.child_id = ${child.childId} and v.asn = r.asn and v.prefix >>= r.prefix and v.max_length >= r.max_length)
    order by family(r.prefix), r.prefix, r.asn`);
  const leftOut = await filesNotInRsync(read, accountName);
  const lastAt = (protocol: string): string | null => contacts.find(contact => contact.protocol === protocol)?.lastAt ?? null;
  return {
    certifiable,
    authority: {
      handle: child.childHandle,
      connectedAt: child.createdAt,
      parentResponse: identity && parentResponseOf(child, identity, config),
      keys: keys.map(key => ({
        keyIdentifier: key.keyIdentifier,
        resources: key.resources,
        notAfter: key.notAfter!,
        publishesHere: key.repositoryUri.startsWith(childDirectory(places, child)),
        repositoryUri: key.repositoryUri,
        shrinksAt: key.shrinksAt,
      })),
      lastAskedAt: lastAt('provisioning'),
      publication:
        child.publisherHandle === null
          ? null
          : {
              handle: child.publisherHandle,
              directory: childDirectory(places, child),
              repositoryResponse: identity && repositoryResponseOf(child, identity, config),
              files: counts!.files,
              lastPublishedAt: lastAt('publication'),
              problems: [
                ...(validation?.problems ?? []),
                ...leftOut.map(({ uri, problem }) => `${uri}: ${problem}, so rsync does not have it`),
              ],
              hints: validation?.hints ?? [],
              endsAt: validation?.endsAt ?? null,
              beingChecked: validation?.beingChecked ?? false,
            },
      vrps: counts!.vrps,
      hostedAlone: { count: missing.length, roas: missing.slice(0, NAMED).map(({ roa }) => roa) },
    },
  };
}

const parentResponseOf = ({ handle, childHandle, childTag }: Child, identity: Uint8Array, { appUrl }: Settings): string =>
  printParentResponse({
    serviceUri: serviceUri(appUrl, 'provisioning', handle),
    childHandle,
    parentHandle,
    tag: childTag,
    certificate: new Uint8Array(identity),
  });

function repositoryResponseOf(child: Child, identity: Uint8Array, config: Settings): string {
  const places = placesOf(config);
  return printRepositoryResponse({
    serviceUri: serviceUri(config.appUrl, 'publication', child.handle),
    publisherHandle: child.publisherHandle!,
    baseUri: childDirectory(places, child),
    notificationUri: places.notification,
    tag: child.publisherTag,
    certificate: new Uint8Array(identity),
  });
}

/**
 * Adds a member's own authority as a child of the registry's (RFC 8183). A hosted one stays until it is turned off.
 * @throws Failure ACCOUNT_SUSPENDED, SELF_HOSTED_ALREADY, RPKI_NO_RESOURCES
 */
export async function connectAuthority(
  change: Change,
  account: AdmittedAccount,
  { handle, tag, certificate }: Introduction,
  config: Settings,
): Promise<SelfHosted> {
  const { accountName, accountStatus } = account;
  requireOpen({ accountName, accountStatus });
  // Serialises concurrent calls: the second is refused.
  await lockAccount(change, accountName);
  if (await findChild(change, accountName)) throw refuse('SELF_HOSTED_ALREADY');
  if (isEmptySet(await certifiableOf(change, accountName))) throw refuse('RPKI_NO_RESOURCES');
  await addChild(change, { accountName, childHandle: handle, childTag: tag, identity: Buffer.from(certificate) });
  await change.note({ handle });
  return getSelfHosted({ read: change, account, registry: { config } });
}

async function lockChild(change: Change, accountName: string): Promise<Child> {
  await sql`select from rpki_child where account_name = ${accountName} and state = 'active' for update`.execute(change);
  const child = await findChild(change, accountName);
  if (!child) throw refuse('NOT_SELF_HOSTED');
  return child;
}

/** Lets the member's authority publish in this repository (RFC 8181). @throws Failure NOT_SELF_HOSTED */
export async function publishHere(
  change: Change,
  account: AdmittedAccount,
  { handle, tag, certificate }: Introduction,
  config: Settings,
): Promise<SelfHosted> {
  const child = await lockChild(change, account.accountName);
  await change.rows(sql`update rpki_child set publisher_handle = ${handle}, publisher_tag = ${tag}, publisher_identity = ${Buffer.from(certificate)}
    where child_id = ${child.childId}`);
  await change.note({ handle });
  return getSelfHosted({ read: change, account, registry: { config } });
}

/** The authority that a member runs itself, moved by the member. */
export const childCases: CasesOf<Child> = {
  stateOf: ({ state }) => state,
  lock: ({ change, account }) => lockChild(change, account!.accountName),
  refusal: async () => refuse('NOT_SELF_HOSTED'),
};

/** Revokes its certificates and withdraws everything it publishes here. @throws Failure ROA_COUNT_WRONG */
export async function disconnectAuthority({
  change,
  account,
  row: child,
  body: { removing },
  registry: { config },
}: CaseAct<typeof rpkiSelfHosted.disconnect, Child>): Promise<AnswerOf<typeof rpkiSelfHosted.disconnect>> {
  const { authority } = await getSelfHosted({ read: change, account, registry: { config } });
  if (authority!.vrps !== removing) throw refuse('ROA_COUNT_WRONG', { count: String(authority!.vrps) });
  await change.rows(
    sql`update rpki_child set state = 'removed', removed_at = ${change.now}::timestamptz where child_id = ${child.childId}`,
  );
  await change.note({ handle: child.childHandle, removedCount: removing });
  await announceDisconnection(change, account, removing);
  return getSelfHosted({ read: change, account, registry: { config } });
}
