import type { RecordObject, RecordSection, ResourceRecord } from '@portal/contract/records/records';
import { valueOf } from '@portal/rpsl';
import type { Read } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/caller.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { abuseMailboxes } from './record-contacts.ts';
import { aboutNumbers, askedResource, numbersShown, partsAbout, recordObject, sectionsOf } from './resource-record.ts';

/** No account is named so: whatever is shown to holders, contacts or staff alone is not shown to it. */
const stranger: AdmittedAccount = {
  accountName: '',
  accountStatus: 'active',
  accountType: 'REGULAR',
  nir: false,
  contactId: null,
  contactTypes: [],
  permissions: new Set(),
  asStaff: false,
};

/** Parts of the page of numbers that are shown to anyone. A new one is not public before it is named here. */
const publicParts: ReadonlySet<string> = new Set(['announcements', 'reverse-zones', 'roas', 'aspas']);

/** Numbers as anyone may know them: nothing is passed on that isn't named here. */
export type PublicRecord = Pick<
  ResourceRecord,
  'kind' | 'resource' | 'first' | 'last' | 'size' | 'moreHoldings' | 'pools' | 'moreObjects' | 'routing'
> & {
  holdings: Pick<
    ResourceRecord['holdings'][number],
    'relation' | 'resource' | 'size' | 'type' | 'statusText' | 'delegatedOn' | 'economy' | 'holder' | 'registry'
  >[];
  objects: (Pick<RecordObject, 'relation' | 'class' | 'shown' | 'resource' | 'name' | 'changedAt' | 'maintainers'> & {
    /** The status as the object has it: ASSIGNED NON-PORTABLE. */
    status: string | null;
  })[];
  sections: { id: string; title: string; rows: Pick<RecordSection['rows'][number], 'label' | 'text' | 'state'>[]; more: boolean }[];
  /** Mailboxes for abuse reports and what whois says of them: whether they answered the last check; null where one is under way. */
  mailboxes: { mailbox: string; answered: boolean | null }[];
};

/**
 * Returns what anyone may know of a prefix, range or AS number: what whois, the statistics files and the RPKI publish, and what route collectors see.
 * Contacts are left out: port 43 counts how many of them an address asks for.
 * @throws Failure INVALID_REQUEST for text that isn't a prefix, address, range or AS number
 */
export async function publicRecord(read: Read, text: string, registry: ModuleContext): Promise<PublicRecord> {
  const resource = askedResource(text);
  const caller = { loginId: '', amr: [] };
  const { ledger, known, subject, recorded } = await aboutNumbers({ read, account: stranger, caller, resource, on: null });
  const [mailboxes, parts] = await Promise.all([
    abuseMailboxes(read, subject?.object ?? null, registry.config),
    partsAbout(recorded, registry, publicParts),
  ]);
  return {
    ...numbersShown(resource),
    holdings: ledger.holdings.map(({ relation, resource, size, type, statusText, delegatedOn, economy, holder, registry }) => ({
      relation,
      resource,
      size,
      type,
      statusText,
      delegatedOn,
      economy,
      holder,
      registry,
    })),
    moreHoldings: ledger.moreHoldings,
    pools: ledger.pools,
    objects: known.map(each => {
      const { relation, class: name, shown, resource: range, name: called, changedAt, maintainers } = recordObject(each, resource);
      const status = valueOf(each.object, 'status')?.toUpperCase() ?? null;
      return { relation, class: name, shown, resource: range, name: called, changedAt, maintainers, status };
    }),
    moreObjects: recorded.moreObjects,
    routing: parts.find(part => part.routing)?.routing ?? null,
    sections: sectionsOf(parts).map(({ id, title, rows, more }) => ({
      id,
      title,
      rows: rows.map(({ label, text, state }) => ({ label, text, state })),
      more,
    })),
    mailboxes: mailboxes.map(({ mailbox, state }) => ({
      mailbox,
      answered: state === 'valid' ? true : state === 'pending' ? null : false,
    })),
  };
}
