import {
  containsSet,
  emptySet,
  equalSets,
  isEmptySet,
  listResources,
  parseResource,
  printResource,
  resourceSetOf,
  subtractSets,
} from '@portal/number-resources';
import { instantBefore } from '@portal/contract/days';
import { sql } from 'kysely';
import { type Invariant, type InvariantScope, isOf, MAX_VIOLATIONS, type Violation } from '../../platform/invariant.ts';
import { heldByOthers, holdingsOf } from '../resources/index.ts';
import { readRepository } from './repository/repository-check.ts';
import { PATIENCE_MS } from './authorities/due-authorities.ts';
import { snapshotBytes } from './repository/rrdp-records.ts';
import { isPublished } from './suspensions.ts';

const setOf = (resources: readonly string[]) => (resources.length === 0 ? emptySet : resourceSetOf(resources.map(parseResource)));

/** Certificates of members that don't match their holdings, except those about to be published. */
async function differingCertificates({ read, accounts }: InvariantScope): Promise<Violation[]> {
  const keys = await read.rows<{ accountName: string; resources: string[]; isOpen: boolean }>(sql`
    select c.account_name, k.resources, c.state = 'active' and ${isPublished} as is_open
    from rpki_ca c join rpki_key k using (ca_id) join account a using (account_name)
    where c.kind = 'member' and k.state in ('current', 'new') and k.certificate is not null and ${isOf(sql`c.account_name`, accounts)}
      and not exists (select from rpki_due d where d.account_name = c.account_name) order by 1`);
  const held = await holdingsOf(read, [...new Set(keys.map(({ accountName }) => accountName))]);
  return keys.flatMap(({ accountName, resources, isOpen }) => {
    const certified = setOf(resources);
    const wanted = isOpen ? held.get(accountName)! : emptySet;
    if (equalSets(certified, wanted)) return [];
    const [more] = listResources(subtractSets(certified, wanted));
    const [less] = listResources(subtractSets(wanted, certified));
    return [
      {
        object: `The certificate of ${accountName}`,
        problem: more ? `has ${printResource(more)}, which it does not hold` : `lacks ${printResource(less!)}, which it holds`,
        remedy: 'Publish the repository again (registry rpki publish), and read what the publisher logs',
      },
    ];
  });
}

/** Certificates of members' own authorities with numbers of others, except those about to be published. */
async function certifiedToFormerHolders({ read, accounts }: InvariantScope): Promise<Violation[]> {
  const keys = await read.rows<{ accountName: string; resources: string[] }>(sql`
    select c.account_name, k.resources from rpki_child c join rpki_child_key k using (child_id)
    where k.certificate is not null and ${isOf(sql`c.account_name`, accounts)} and not exists (select from rpki_due d where d.account_name = c.account_name) order by 1`);
  const held = await holdingsOf(read, [...new Set(keys.map(({ accountName }) => accountName))]);
  const violations: Violation[] = [];
  for (const { accountName, resources } of keys) {
    const more = subtractSets(setOf(resources), held.get(accountName)!);
    if (isEmptySet(more)) continue;
    const [first] = listResources(await heldByOthers(read, accountName, more));
    if (first)
      violations.push({
        object: `The certificate of the authority of ${accountName}`,
        problem: `has ${printResource(first)}, which someone else holds`,
        remedy: 'Publish the repository again (registry rpki publish), and read what the publisher logs',
      });
  }
  return violations;
}

/** ROAs and ASPAs for other accounts' numbers. */
async function outsideHoldings({ read, accounts }: InvariantScope): Promise<Violation[]> {
  const rows = await read.rows<{ what: string; accountName: string }>(sql`
    select 'The ROA ' || prefix || ' AS' || asn as what, account_name from roa r where ${isOf(sql`account_name`, accounts)}
      and not exists (select from delegation d where d.account_name = r.account_name and d.registry = '' and d.kind <> 'asn' and d.status <> 'closed'
        and d.first <= host(r.prefix)::inet and d.last >= host(broadcast(r.prefix))::inet)
      and not exists (select from rpki_due due where due.account_name = r.account_name)
    union all
    select 'The ASPA of AS' || customer, account_name from aspa p where ${isOf(sql`account_name`, accounts)}
      and not exists (select from delegation d where d.account_name = p.account_name and d.registry = '' and d.kind = 'asn' and d.status <> 'closed'
        and d.first_as <= p.customer and d.last_as >= p.customer)
      and not exists (select from rpki_due due where due.account_name = p.account_name)
    limit ${MAX_VIOLATIONS}`);
  const held = await holdingsOf(read, [...new Set(rows.map(({ accountName }) => accountName))]);
  // A prefix can span adjacent delegations of one account.
  return rows
    .filter(({ what, accountName }) => {
      const [, prefix] = /^The ROA (\S+)/.exec(what) ?? [];
      return prefix === undefined || !containsSet(held.get(accountName)!, setOf([prefix]));
    })
    .map(({ what, accountName }) => ({
      object: what,
      problem: `is of ${accountName}, which does not hold the numbers`,
      remedy: `${accountName} can delete it; it is not published`,
    }));
}

/** Objects and certificates of accounts that are closed, or suspended for longer than the profile allows. Changes of the last minutes are still being published. */
async function publishedPastTheirDay({ read, accounts, now }: InvariantScope): Promise<Violation[]> {
  const patience = sql`${instantBefore(now, PATIENCE_MS)}::timestamptz`;
  const rows = await read.rows<{ accountName: string; what: string; isClosed: boolean; withdrawsOn: string | null }>(sql`
    with past as (select a.account_name, a.account_status = 'closed' as is_closed, s.withdraws_on from account a left join rpki_suspension s using (account_name)
      where ${isOf(sql`a.account_name`, accounts)} and (a.account_status = 'closed' or a.account_status = 'suspended' and (s.withdraws_at < ${patience} or s.account_name is null))
        and not exists (select from rpki_due d where d.account_name = a.account_name and d.noticed_at > ${patience}))
    select p.*, o.uri as what from past p cross join lateral (select o.uri from rpki_ca c join rpki_key k using (ca_id) join rpki_object o using (key_id)
      where c.account_name = p.account_name order by 1 limit 1) o
    union all
    select p.*, 'the certificate of its own authority' from past p where exists (select from rpki_child c join rpki_child_key k using (child_id)
      where c.account_name = p.account_name and k.certificate is not null)
    order by 1 limit ${MAX_VIOLATIONS}`);
  return rows.map(({ accountName, what, isClosed, withdrawsOn }) => ({
    object: `The account ${accountName}`,
    problem: `is ${isClosed ? 'closed' : `suspended${withdrawsOn === null ? '' : `, with ${withdrawsOn} as the day of withdrawal`}`}, and ${what} is still published`,
    remedy: 'Publish the repository again (registry rpki publish), and read what the publisher logs',
  }));
}

/** Objects whose bytes differ from what was signed. */
async function alteredObjects({ read, now }: InvariantScope): Promise<Violation[]> {
  const altered = await read.rows<{ uri: string }>(
    sql`select uri from rpki_object where sha256(content) <> sha256 order by uri limit ${MAX_VIOLATIONS}`,
  );
  const { problems } = altered.length > 0 ? { problems: [] } : await readRepository(read as Parameters<typeof readRepository>[0], now);
  const remedy = 'Publish the repository again (registry rpki publish), and find out who wrote to the database';
  return [
    ...altered.map(({ uri }) => ({ object: uri, problem: 'is not what was signed: its bytes were changed in the database', remedy })),
    ...problems
      .slice(0, MAX_VIOLATIONS)
      .map(problem => ({ object: 'The RPKI repository', problem: `does not validate: ${problem.replace(/\.$/, '')}`, remedy })),
  ];
}

/** RRDP deltas that are larger than the snapshot. */
async function largeDeltas({ read }: InvariantScope): Promise<Violation[]> {
  const [row] = await read.rows<{ deltas: string; snapshot: string }>(
    sql`select coalesce(sum(octet_length(content)), 0)::text as deltas, ${snapshotBytes}::text as snapshot from rrdp_delta`,
  );
  if (Number(row!.deltas) <= Number(row!.snapshot)) return [];
  return [
    {
      object: 'The RPKI repository',
      problem: `has deltas of ${row!.deltas} bytes beside a snapshot of ${row!.snapshot}`,
      remedy: 'Publish the repository again (registry rpki publish): each publication discards what is too much',
    },
  ];
}

/** Invariants of RPKI. */
export const rpkiInvariants: readonly Invariant[] = [
  {
    name: 'rpki.certificates',
    sentence: 'The certificate of a member has what the member holds, no more and no less',
    check: differingCertificates,
  },
  {
    name: 'rpki.formerHolders',
    sentence: 'The certificate of a member’s own authority has nothing that someone else holds',
    check: certifiedToFormerHolders,
  },
  {
    name: 'rpki.suspended',
    sentence: 'Everything published is of an account that is open, or suspended before its day',
    check: publishedPastTheirDay,
  },
  { name: 'rpki.insideHoldings', sentence: 'ROAs and ASPAs are for numbers that their account holds', check: outsideHoldings },
  { name: 'rpki.signedObjects', sentence: 'Every signed object is what was signed', check: alteredObjects },
  { name: 'rpki.deltas', sentence: 'Changes of the RPKI repository are together no larger than all of it', check: largeDeltas },
];
