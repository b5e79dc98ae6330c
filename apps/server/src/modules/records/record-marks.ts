import { recordAddress } from '@portal/contract/records/record-address';
import type { RecordMark, RecordSubjectName } from '@portal/contract/records/records';
import type { NumberResource } from '@portal/number-resources';
import { rangeOf, valueOf } from '@portal/rpsl';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import { type LedgerRecord, relationOf } from '../resources/index.ts';
import { asNumberOf } from '../whois/index.ts';
import type { HealthPart } from './contributions.ts';
import { type Known, objectAddress } from './known-object.ts';

const routes = ['route', 'route6'];

type Seen = {
  ledger: LedgerRecord;
  known: readonly Known[];
  subject: Known | null;
  own: boolean;
  here: boolean;
};

const newObject = (objectClass: string): string => `/resources/whois-updates-js/all?new=${objectClass}`;
const list = (names: readonly string[]): string =>
  `${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`;

/** Returns the marks of the objects of these numbers, from routes, the ledger and whois, and the state of the registration and of the objects. */
export async function marksOf(
  read: Read,
  account: AdmittedAccount,
  resource: NumberResource,
  { ledger, known, subject, own, here }: Seen,
): Promise<{ marks: RecordMark[]; health: HealthPart[] }> {
  const marks: RecordMark[] = [];
  const add = (about: RecordSubjectName, mark: RecordMark['mark'], code: string, message: string, fix: RecordMark['fix'] = null): void => {
    marks.push({ about, mark, code, message, fix });
  };
  const related = known.filter(each => routes.includes(each.class));
  const origins = new Map<number, Known[]>();
  for (const route of related) {
    const origin = asNumberOf(valueOf(route.object, 'origin') ?? '');
    if (origin !== null) origins.set(origin, [...(origins.get(origin) ?? []), route]);
  }
  const numbers = [...origins.keys()];
  const facts =
    numbers.length === 0
      ? []
      : await read.rows<{ number: number; hasAutNum: boolean; holder: string | null }>(sql`
          select n.number, exists (select from whois_object o where o.class = 'aut-num' and o.key = 'as' || n.number) as has_aut_num, d.account_name as holder
          from unnest(${numbers}::bigint[]) as n (number) left join lateral (select account_name, last_as from delegation where kind = 'asn'
            and status <> 'closed' and first_as <= n.number order by first_as desc limit 1) d on d.last_as >= n.number`);
  const isAddress = resource.family !== 'asn';
  for (const { number, hasAutNum, holder } of facts) {
    const of = origins.get(number)!.map(({ shown }) => shown);
    if (!hasAutNum)
      add(
        'routing',
        'warning',
        'route-without-aut-num',
        `AS${number} originates ${list(of)}, but this registry has no aut-num AS${number}`,
        {
          label: `View AS${number}`,
          link: recordAddress(`AS${number}`),
        },
      );
    if (here && isAddress && holder !== account.accountName)
      add('routing', 'info', 'origin-of-others', `AS${number}, which isn’t an AS number of this account, can originate ${list(of)}`, {
        label: 'View route',
        link: objectAddress(origins.get(number)![0]!.class, origins.get(number)![0]!.key),
      });
  }
  const exact = known.filter(each => relationOfKnown(each, resource) === 'exact');
  const networks = exact.filter(({ class: objectClass }) => !routes.includes(objectClass) && objectClass !== 'domain');
  const isRegistered =
    ledger.holdings.some(({ relation }) => relation === 'exact') || ledger.assignments.some(({ relation }) => relation === 'exact');
  const health: HealthPart[] = [
    {
      about: 'objects',
      mark: exact.length > 0 ? 'valid' : 'info',
      word:
        exact.length > 0
          ? `${exact.length} ${exact.length === 1 ? 'object' : 'objects'} of exactly these numbers`
          : 'None of exactly these numbers',
    },
    {
      about: 'registration',
      mark: own || ledger.holdings.length > 0 ? 'valid' : 'info',
      word:
        ledger.holdings.length === 0
          ? 'No holder in this registry'
          : !own
            ? 'Held by others'
            : isRegistered
              ? networks.length > 0
                ? 'In the ledger and in whois'
                : 'In the ledger'
              : 'Part of a delegation',
    },
  ];
  if (!here) return { marks, health };

  const holding = ledger.holdings.find(each => each.own && each.relation !== 'inside');
  if (holding && !known.some(each => each.class !== 'domain' && each.keptFor === account.accountName))
    add('objects', 'warning', 'no-object', `${holding.resource} has no whois object yet. The registry creates it within minutes`);
  if (isAddress && related.length === 0)
    add('routing', 'info', 'no-route', 'It has no route object', {
      label: 'Create route object',
      link: newObject(resource.family === 'ipv4' ? 'route' : 'route6'),
    });
  if (
    subject &&
    isAddress &&
    relationOf(rangeOf(subject.object)!, resource) !== 'exact' &&
    ledger.holdings.some(each => each.relation === 'exact')
  )
    add('objects', 'warning', 'no-exact-object', 'It has no whois object');
  return { marks, health };
}

function relationOfKnown({ object }: Known, resource: NumberResource): ReturnType<typeof relationOf> | null {
  const range = rangeOf(object);
  return range === null || range.family !== resource.family ? null : relationOf(range, resource);
}
