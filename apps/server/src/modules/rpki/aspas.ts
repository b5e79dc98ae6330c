import type { AnswerOf, BodyOf } from '@portal/contract';
import type { Aspa, rpkiAspas } from '@portal/contract/rpki/aspas';
import {
  containsResource,
  findSpecialAs,
  isEmptySet,
  listResources,
  parseAsNumber,
  printAsNumber,
  printResource,
  type ResourceSet,
  ResourceSyntaxError,
} from '@portal/number-resources';
import { aspaProblem } from '@portal/rpki-objects';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import { refuse, refuseFields, refuseWithCurrent } from '../../platform/failure.ts';
import { delegatedAsNumbers, holdingsOf, pooledAsNumbers, lockedPartsMeeting } from '../resources/index.ts';
import { findAuthority, lockAuthority } from './authorities/authorities.ts';
import { refuseUnconfirmedUpstreams, seenUpstreams } from './aspa-effect.ts';
import { certifiableOf } from './roas.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { requireOpen } from '../accounts/index.ts';

/** The providers of an AS as a member wants them published. */
export type KeptAspa = { aspaId: string; customer: number; providers: number[]; comment: string; version: number; changedAt: string };

/** `AS64500: AS64501, AS64502`: a provider authorisation in the activity log, and the subject of its object in the repository. */
export const printAspa = ({ customer, providers }: Pick<KeptAspa, 'customer' | 'providers'>): string =>
  `${printAsNumber(customer)}: ${providers.map(printAsNumber).join(', ')}`;

/** All provider authorisations of an account, by AS number. */
export const keptAspas = (read: Pick<Read, 'rows'>, accountName: string): Promise<KeptAspa[]> =>
  read.rows<KeptAspa>(
    sql`select aspa_id::text, customer, providers, comment, version, changed_at from aspa where account_name = ${accountName} order by customer`,
  );

const isCertified = (resources: ResourceSet, asn: number): boolean => containsResource(resources, { family: 'asn', first: asn, last: asn });

/** The provider authorisations among these that can be published with these resources. */
export const certifiedAspas = <Kept extends Pick<KeptAspa, 'customer'>>(aspas: readonly Kept[], resources: ResourceSet): Kept[] =>
  aspas.filter(({ customer }) => isCertified(resources, customer));

async function aspasOf(read: Pick<Read, 'rows'>, accountName: string): Promise<Aspa[]> {
  const kept = await keptAspas(read, accountName);
  if (kept.length === 0) return [];
  const published = await read.rows<{ subject: string; uri: string; notAfter: string | null }>(sql`select o.subject, o.uri, o.not_after
    from rpki_ca c join rpki_key k using (ca_id) join rpki_object o using (key_id)
    where c.account_name = ${accountName} and c.state = 'active' and k.state = 'current' and o.kind = 'aspa'`);
  const objects = new Map(published.map(object => [object.subject, object]));
  const certifiable = await certifiableOf(read, accountName);
  return kept.map(aspa => {
    const object = objects.get(printAspa(aspa));
    const state = object
      ? 'published'
      : isEmptySet(certifiable)
        ? 'stopped'
        : isCertified(certifiable, aspa.customer)
          ? 'pending'
          : 'not-held';
    return { ...aspa, state, uri: object?.uri ?? null, expiresAt: object?.notAfter ?? null };
  });
}

/** The provider authorisations of an account. */
export async function listAspas({
  read,
  account: { accountName },
}: Act<typeof rpkiAspas.listAspas>): Promise<AnswerOf<typeof rpkiAspas.listAspas>> {
  const held = (await holdingsOf(read, [accountName])).get(accountName)!;
  return {
    rows: await aspasOf(read, accountName),
    asNumbers: listResources({ ipv4: [], ipv6: [], asn: held.asn }).map(printResource),
  };
}

type Problem = { field: string; problem: string };
type CheckedAspa = { problems: Problem[]; customer: number | null; providers: number[] };

/**
 * Checks the providers of an AS by their profile: at least one, each once, AS0 only alone, never the AS itself. Numbers that can't be used on the
 * internet are refused, unless they are delegated in the ledger.
 */
async function checkProviders(
  read: Pick<Read, 'rows'>,
  accountName: string,
  given: Pick<BodyOf<typeof rpkiAspas.checkAspa>, 'customer' | 'providers'>,
): Promise<CheckedAspa> {
  const problems: Problem[] = [];
  const attempt = (field: string, text: string): number | null => {
    try {
      return parseAsNumber(text.trim());
    } catch (error) {
      if (!(error instanceof ResourceSyntaxError)) throw error;
      problems.push({ field, problem: error.message });
      return null;
    }
  };
  const customer = attempt('customer', given.customer);
  const held = (await holdingsOf(read, [accountName])).get(accountName)!;
  if (customer !== null && !isCertified(held, customer))
    problems.push({ field: 'customer', problem: `${printAsNumber(customer)} is not delegated to this account` });
  if (customer !== null) {
    const [part] = await lockedPartsMeeting(read, [{ family: 'asn', first: customer, last: customer }], { fixed: true });
    if (part)
      problems.push({
        field: 'customer',
        problem: `${part.resource} is locked by ${part.reference}. Its providers stay until that is decided`,
      });
  }
  const read1 = given.providers.map((text, index) => attempt(`providers.${index}`, text));
  const numbers = read1.filter(asn => asn !== null);
  const pooled = await pooledAsNumbers(read, numbers);
  const delegated = await delegatedAsNumbers(read, numbers.filter(findSpecialAs));
  const seen = new Set<number>();
  for (const [index, asn] of read1.entries()) {
    if (asn === null) continue;
    const report = (problem: string) => problems.push({ field: `providers.${index}`, problem });
    const special = asn === 0 || delegated.has(asn) ? null : findSpecialAs(asn);
    if (seen.has(asn)) report(`${printAsNumber(asn)} is listed twice`);
    else if (asn === customer) report(`${printAsNumber(asn)} cannot be its own provider`);
    else if (asn === 0 && numbers.length > 1)
      report('AS0 says that the AS has no provider, so it can’t be listed with others. Remove it or the others');
    else if (special)
      report(`${printAsNumber(asn)} is set aside (${special.name}, ${special.source}) and can’t be a provider on the internet`);
    else if (asn !== 0 && pooled.has(asn)) report(`${printAsNumber(asn)} is not delegated to anyone`);
    seen.add(asn);
  }
  const providers = [...seen].sort((a, b) => a - b);
  if (problems.length === 0 && customer !== null) {
    // Finally, the checks of the profile itself.
    const problem = aspaProblem({ customer, providers });
    if (problem !== null) problems.push({ field: 'providers', problem });
  }
  return { problems, customer, providers };
}

/** Says what is wrong with a provider authorisation, and what it changes. @throws Failure RPKI_NOT_ENABLED */
export async function checkAspa({
  change: read,
  account: { accountName },
  body,
}: Act<typeof rpkiAspas.checkAspa>): Promise<AnswerOf<typeof rpkiAspas.checkAspa>> {
  if (!(await findAuthority(read, accountName))) throw refuse('RPKI_NOT_ENABLED');
  const { problems, customer, providers } = await checkProviders(read, accountName, body);
  const present = (await keptAspas(read, accountName)).find(aspa => aspa.customer === customer);
  const before = present?.providers ?? [];
  return {
    problems,
    version: present?.version ?? 0,
    added: providers.filter(asn => !before.includes(asn)),
    removed: before.filter(asn => !providers.includes(asn)),
    kept: providers.filter(asn => before.includes(asn)),
    seen: await seenUpstreams(read, customer ?? 0, { before: present?.providers ?? null, after: providers }),
  };
}

/**
 * Replaces the list of providers of an AS. The publisher notices and publishes it within seconds.
 * @throws Failure RPKI_NOT_ENABLED, ACCOUNT_SUSPENDED, INVALID_REQUEST with `customer` and `providers.2`, STALE with the present list, ROUTES_INVALIDATE,
 * NOTHING_TO_DO
 */
export async function saveAspa(
  change: Change,
  { accountName, accountStatus }: AdmittedAccount,
  { comment, version, invalidating, ...body }: BodyOf<typeof rpkiAspas.saveAspa>,
): Promise<Aspa> {
  requireOpen({ accountName, accountStatus });
  await lockAuthority(change, accountName);
  const { problems, customer, providers } = await checkProviders(change, accountName, body);
  if (problems.length > 0) throw refuseFields(problems.map(({ field, problem }) => ({ field, message: problem })));
  const present = (await aspasOf(change, accountName)).find(aspa => aspa.customer === customer);
  if ((present?.version ?? 0) !== version)
    throw refuseWithCurrent(present ?? null, 'STALE', { what: `the providers of ${printAsNumber(customer!)}` });
  if (present?.comment === comment && present.providers.join() === providers.join())
    throw refuse('NOTHING_TO_DO', { why: 'the providers are as they were' });
  refuseUnconfirmedUpstreams(
    await seenUpstreams(change, customer!, { before: present?.providers ?? null, after: providers }),
    invalidating,
  );
  await change.rows(sql`insert into aspa (account_name, customer, providers, comment, created_at, changed_at)
    values (${accountName}, ${customer}, ${providers}::bigint[], ${comment}, ${change.now}::timestamptz, ${change.now}::timestamptz)
    on conflict (account_name, customer) do update set providers = excluded.providers, comment = excluded.comment, version = aspa.version + 1, changed_at = excluded.changed_at`);
  await change.note({
    added: [`ASPA ${printAspa({ customer: customer!, providers })}`],
    removed: present ? [`ASPA ${printAspa(present)}`] : [],
  });
  return (await aspasOf(change, accountName)).find(aspa => aspa.customer === customer)!;
}

/** Removes a provider authorisation. @throws Failure RPKI_NOT_ENABLED, NOT_FOUND, STALE with the present one */
export async function removeAspa(
  change: Change,
  { accountName }: AdmittedAccount,
  { aspaId, version }: { aspaId: string; version: number },
): Promise<void> {
  await lockAuthority(change, accountName);
  const present = (await aspasOf(change, accountName)).find(aspa => aspa.aspaId === aspaId);
  if (!present) throw refuse('NOT_FOUND', { what: 'This provider authorisation' });
  if (present.version !== version)
    throw refuseWithCurrent(present, 'STALE', { what: `the providers of ${printAsNumber(present.customer)}` });
  await change.rows(sql`delete from aspa where account_name = ${accountName} and customer = ${present.customer}`);
  await change.note({ removed: [`ASPA ${printAspa(present)}`] });
}
