import type { AnswerOf } from '@portal/contract';
import type { whois, WhoisIrt } from '@portal/contract/whois/whois';
import { valuesOf } from '@portal/rpsl';
import { sql } from 'kysely';
import { maintainersIn, objectOfRow } from '../store/object-facts.ts';
import { rightsOf } from '../rights/rights.ts';
import type { StoredObject } from '../store/update.ts';
import type { Act } from '../../../platform/http/endpoints.ts';

/** Maximum number of listed resources without an irt of their own. */
const MAX_WITHOUT_IRT = 100;

type Mailbox = WhoisIrt['mailboxes'][number];

/** Returns the irts of an account: those it maintains, those its resources name; and resources with the registry's placeholder or no irt of their own. */
export async function listIrts({ read, account }: Act<typeof whois.listIrts>): Promise<AnswerOf<typeof whois.listIrts>> {
  const { accountName } = account;
  const resources = sql`select object_id from whois_object where kept_for = ${accountName} and class in ('inetnum', 'inet6num', 'aut-num')`;
  const own = sql`select r.object_id from maintainer_link l join whois_reference r on r.value = l.maintainer and r.of_irt where l.account_name = ${accountName}
    union select object_id from whois_object where class = 'irt' and kept_for = ${accountName}`;
  const [rows, uses, without, rights] = await Promise.all([
    read.rows<StoredObject>(sql`select * from whois_object o where class = 'irt' and (object_id in (${own})
      or key in (select value from whois_reference where attribute = 'mnt-irt' and object_id in (${resources}))) order by key`),
    read.rows<{
      irt: string;
      class: string;
      objects: number;
    }>(sql`select r.value as irt, o.class, count(*)::int as objects from whois_reference r join whois_object o using (object_id)
      where r.attribute = 'mnt-irt' and r.object_id in (${resources} union ${own}) group by 1, 2 order by 2`),
    read.rows<{
      class: string;
      key: string;
      shown: string;
      total: number;
    }>(sql`with own_irts as materialized (select key from whois_object where class = 'irt' and object_id in (${own}))
      select class, key, shown, count(*) over ()::int as total from whois_object o where object_id in (${resources})
        and object_id not in (select r.object_id from own_irts i join whois_reference r on r.value = i.key and r.attribute = 'mnt-irt')
      order by class, first, first_as limit ${MAX_WITHOUT_IRT}`),
    rightsOf(read, accountName, account.contactId),
  ]);
  const mailboxes =
    rows.length === 0
      ? []
      : await read.rows<Mailbox & { irt: string }>(sql`select irt, mailbox, attribute, state, validated_at, due_at, sent_at from irt_contact
    where irt = any(${rows.map(({ key }) => key)}::text[])`);
  return {
    rows: rows.map((row): WhoisIrt => {
      const object = objectOfRow(row);
      return {
        irt: row.shown,
        version: row.version,
        mine: maintainersIn(object, 'mnt-by').some(each => rights.maintainers.has(each)),
        mailboxes: (['e-mail', 'abuse-mailbox'] as const).flatMap(attribute =>
          [...new Set(valuesOf(object, attribute).map(mailbox => mailbox.toLowerCase()))].map((mailbox): Mailbox => {
            const known = mailboxes.find(each => each.irt === row.key && each.attribute === attribute && each.mailbox === mailbox);
            return {
              mailbox,
              attribute,
              state: known?.state ?? 'pending',
              validatedAt: known?.validatedAt ?? null,
              dueAt: known?.dueAt ?? null,
              sentAt: known?.sentAt ?? null,
            };
          }),
        ),
        usedBy: uses.filter(({ irt }) => irt === row.key).map(({ class: objectClass, objects }) => ({ class: objectClass, objects })),
      };
    }),
    without: without.map(({ class: objectClass, key, shown }) => ({ class: objectClass, key, shown })),
    withoutTotal: without[0]?.total ?? 0,
  };
}
