import type { RecordObject, RecordSection, ResourceRecord } from '@portal/contract/records/records';
import type { Read } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/caller.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { getRecord } from './resource-record.ts';

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
  objects: Pick<RecordObject, 'relation' | 'class' | 'shown' | 'resource' | 'name' | 'changedAt' | 'maintainers'>[];
  sections: { id: string; title: string; rows: Pick<RecordSection['rows'][number], 'label' | 'text' | 'state'>[]; more: boolean }[];
  /** Mailboxes for abuse reports and what whois says of them: whether they answered the last check; null where one is under way. */
  mailboxes: { mailbox: string; answered: boolean | null }[];
};

/**
 * Returns what anyone may know of a prefix, range or AS number: what whois, the statistics files and the RPKI publish, and what route collectors see.
 * Contacts are left out: port 43 counts how many of them an address asks for.
 */
export async function publicRecord(read: Read, resource: string, registry: ModuleContext): Promise<PublicRecord> {
  const known = await getRecord({
    read,
    account: stranger,
    caller: { loginId: '', amr: [] },
    query: { resource },
    registry,
    parts: publicParts,
  });
  const { kind, first, last, size, moreHoldings, pools, moreObjects, routing } = known;
  return {
    kind,
    resource: known.resource,
    first,
    last,
    size,
    holdings: known.holdings.map(({ relation, resource, size, type, statusText, delegatedOn, economy, holder, registry }) => ({
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
    moreHoldings,
    pools,
    objects: known.objects.map(({ relation, class: name, shown, resource, name: called, changedAt, maintainers }) => ({
      relation,
      class: name,
      shown,
      resource,
      name: called,
      changedAt,
      maintainers,
    })),
    moreObjects,
    routing,
    sections: known.sections.map(({ id, title, rows, more }) => ({
      id,
      title,
      rows: rows.map(({ label, text, state }) => ({ label, text, state })),
      more,
    })),
    mailboxes: known.irtMailboxes.map(({ mailbox, state }) => ({
      mailbox,
      answered: state === 'valid' ? true : state === 'pending' ? null : false,
    })),
  };
}
