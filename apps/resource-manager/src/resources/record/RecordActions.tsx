import { useAnswer } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import { whoisRecords } from '@portal/contract/records/records';
import { LinkButton } from '@portal/ui';
import type { RecordInput } from './RecordSummary.tsx';
import { isNetwork } from './record-networks.ts';

/** Actions on the numbers: edit their own whois object, assign in them, see them on the map. */
export function RecordActions({ input }: { input: RecordInput }) {
  const { kind, resource, on, objects, mayAssign, holdings } = useAnswer(whoisRecords.getRecord, input);
  if (on !== null) return null;
  const own = objects.find(each => each.relation === 'exact' && (isNetwork(each) || each.class === 'aut-num'));
  const isMine = holdings.some(each => each.own && each.relation !== 'inside');
  return (
    <>
      {isMine && own && <LinkButton href={own.link}>Edit whois</LinkButton>}
      {isMine && kind !== 'asn' && (
        <LinkButton href={`${pages[kind].path}?${new URLSearchParams({ selected: resource })}`}>Address map</LinkButton>
      )}
      {mayAssign && (
        <LinkButton
          variant="primary"
          icon="plus"
          href={`/resources/customers/customer_management?${new URLSearchParams({ add: 'yes', within: resource })}`}
        >
          Assign
        </LinkButton>
      )}
    </>
  );
}
