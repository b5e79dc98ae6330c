import type { NewCustomerAssignment } from '@portal/contract/customers/customers';
import { formatObject, isCountryCode, objectOf, parseObject, type RpslObject, valueOf, valuesOf } from '@portal/rpsl';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import type { PolicyAndSettings } from '../../platform/registry.ts';
import type { Profile } from '../../profile.ts';
import type { Assignment } from '../resources/index.ts';
import {
  type Credentials,
  errorsOf,
  objectOfRow,
  type StoredObject,
  submitForAccount,
  type WhoisOutcome,
  type WhoisUpdate,
} from '../whois/index.ts';
import { emptyToNull } from './new-assignment.ts';

/** The facts of an assignment that can be changed. */
export type Facts = Omit<NewCustomerAssignment, 'resource' | 'type' | 'reuse'>;

/** Class of the whois object of an assignment. */
export const classOf = (kind: 'ipv4' | 'ipv6'): 'inetnum' | 'inet6num' => (kind === 'ipv4' ? 'inetnum' : 'inet6num');

/** The whois object of exactly these addresses; null if there is none. */
export async function objectAt(
  read: Pick<Read, 'rows'>,
  { kind, first, last }: Pick<Assignment, 'kind' | 'first' | 'last'>,
): Promise<StoredObject | null> {
  const [row] =
    await read.rows<StoredObject>(sql`select * from whois_object where class in ('inetnum', 'inet6num') and class = ${classOf(kind)}
    and first = ${first}::inet and last = ${last}::inet`);
  return row ?? null;
}

/** The object of a public assignment: the requested values, otherwise those of the smallest surrounding network. */
export async function objectTextOf(
  read: Pick<Read, 'rows'>,
  account: AdmittedAccount,
  assignment: Assignment,
  facts: Facts,
  credentials: Credentials,
  profile: Profile,
): Promise<string> {
  const { kind, first, last, resource, type, netname } = assignment;
  const [around] = await read.rows<StoredObject & { principal: string | null; economy: string | null }>(sql`
    select o.*, (select maintainer from maintainer_link where account_name = ${account.accountName} and principal) as principal,
      (select economy from account where account_name = ${account.accountName}) as economy
    from (select * from whois_object where class in ('inetnum', 'inet6num') and inet_merge(first, last) >>= ${first}::inet offset 0) o
    where o.first <= ${first}::inet and o.last >= ${last}::inet order by o.first desc, o.last limit 1`);
  if (!around) throw refuse('INVALID_REQUEST', { detail: `the parent whois object of ${resource} isn’t there yet. Try again in a minute` });
  const parent = objectOfRow(around);
  const maintainer =
    facts.maintainer ||
    (around.principal !== null && credentials.maintainers.has(around.principal) ? around.principal : [...credentials.maintainers][0]);
  if (!maintainer)
    throw refuse('INVALID_REQUEST', {
      detail: `${account.accountName} has no maintainer you can use, so assignments can’t be public. Create a maintainer first`,
    });
  const named = (attribute: string, given: string | undefined): [string, string][] =>
    (given ? [given] : valuesOf(parent, attribute).slice(0, 1)).map(value => [attribute, value]);
  const description = emptyToNull(facts.description) ?? emptyToNull(facts.customer) ?? netname;
  return formatObject(
    objectOf([
      [classOf(kind), kind === 'ipv4' ? `${first} - ${last}` : resource],
      ['netname', netname],
      ['descr', description],
      [
        'country',
        emptyToNull(facts.economy) ?? [valueOf(parent, 'country'), around.economy].find(code => code && isCountryCode(code)) ?? 'ZZ',
      ],
      ...named('admin-c', facts.adminC),
      ...named('tech-c', facts.techC),
      ['status', `${type.toUpperCase()} ${assignment.portable ? 'PORTABLE' : 'NON-PORTABLE'}`],
      ['mnt-by', maintainer.toUpperCase()],
      ...named('mnt-irt', facts.irt),
      ['source', profile.source],
    ]),
  );
}

/** Its present netname, description, economy and contacts; other attributes stay. */
export function changedText(row: StoredObject, before: Assignment | null, facts: Facts): string {
  const set = (object: RpslObject, name: string, value: string): RpslObject => {
    let done = false;
    return {
      ...object,
      attributes: object.attributes.map(each => {
        if (each.name !== name || done) return each;
        done = true;
        return objectOf([[name, value]]).attributes[0]!;
      }),
    };
  };
  let object = parseObject(row.text).object ?? objectOfRow(row);
  object = set(object, 'netname', facts.netname);
  const words = emptyToNull(facts.description) ?? emptyToNull(facts.customer);
  const had = before && (before.description ?? before.customer);
  if (words !== had && words !== null) object = set(object, 'descr', words);
  if (facts.economy !== '') object = set(object, 'country', facts.economy);
  if (facts.adminC) object = set(object, 'admin-c', facts.adminC);
  if (facts.techC) object = set(object, 'tech-c', facts.techC);
  if (facts.irt) object = set(object, 'mnt-irt', facts.irt);
  return formatObject(object);
}

/** Writes whois objects of assignments. @throws Failure INVALID_REQUEST with all reasons of whois, which rolls the change back */
export async function storeObjects(
  change: Change,
  account: AdmittedAccount,
  updates: readonly WhoisUpdate[],
  { registry: { profile, config: limits }, ...how }: { registry: PolicyAndSettings; credentials: Credentials; dryRun?: boolean },
): Promise<WhoisOutcome[]> {
  const outcomes = await submitForAccount(change, account, updates, { ...how, profile, limits, mode: 'atomic', exception: 'registered' });
  const failed = outcomes.find(({ state }) => state === 'failed');
  if (failed) throw refuse('INVALID_REQUEST', { detail: `whois refuses ${failed.shown}: ${errorsOf(failed)}` });
  return outcomes;
}

/** The refusal of a private registration for a network that whois already shows. */
export const refuseShown = (shown: string) =>
  refuse('INVALID_REQUEST', {
    detail: `whois already shows ${shown}. Register it as public, or delete that object first`,
  });
