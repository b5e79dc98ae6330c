import { useAnswer } from '@portal/app-kit';
import { whoisRecords } from '@portal/contract/records/records';
import { LinkButton } from '@portal/ui';
import { hrefOfNewRoute } from '../routes/route-words.ts';
import type { RecordInput } from './RecordSummary.tsx';
import { isNetwork } from './record-networks.ts';

/** Actions on the numbers: edit their own whois object, their zones and routes, assign in them. */
export function RecordActions({ input }: { input: RecordInput }) {
  const { kind, resource, on, objects, mayAssign, holdings, sections } = useAnswer(whoisRecords.getRecord, input);
  if (on !== null) return null;
  const own = objects.find(each => each.relation === 'exact' && (isNetwork(each) || each.class === 'aut-num'));
  const isMine = holdings.some(each => each.own && each.relation !== 'inside');
  const zones = sections.find(section => section.id === 'reverse-zones')?.rows ?? [];
  const zone = zones.length === 1 ? zones[0]!.label : null;
  return (
    <>
      {isMine && own && <LinkButton href={own.link}>Edit whois</LinkButton>}
      {isMine && kind !== 'asn' && (
        <LinkButton
          href={
            zone
              ? `/resources/ReverseDNS?zone=${zone}`
              : `/resources/ReverseDNSSummary?${new URLSearchParams({ view: 'table', q: resource })}`
          }
        >
          Reverse DNS
        </LinkButton>
      )}
      {isMine && kind !== 'asn' && (
        <LinkButton icon="plus" href={hrefOfNewRoute({ prefix: resource })}>
          Add route
        </LinkButton>
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
