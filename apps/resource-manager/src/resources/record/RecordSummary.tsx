import { useAnswer } from '@portal/app-kit';
import { whoisRecords } from '@portal/contract/records/records';
import { Badge, Mono } from '@portal/ui';
import { amountWords } from '../../shell/amounts.ts';
import { isNetwork } from './record-networks.ts';

/** The input of a read of a record; `on` is a day (UTC). */
export type RecordInput = { account: string; query: { resource: string; on?: string } };

/** A status as a word of a sentence: Allocated portable. */
export const capital = (text: string): string => text.charAt(0) + text.slice(1).toLowerCase();

/** "CUST-NORTHWIND, 512 addresses, 198.18.12.0 – 198.18.13.255" */
export function RecordSummary({ input }: { input: RecordInput }) {
  const { kind, first, last, size, assignments, objects, holdings } = useAnswer(whoisRecords.getRecord, input);
  const netname =
    assignments.find(each => each.relation === 'exact')?.netname ??
    objects.find(each => each.relation === 'exact' && isNetwork(each))?.name;
  const status =
    assignments.find(each => each.relation === 'exact')?.statusText ?? holdings.find(each => each.relation === 'exact')?.statusText;
  return (
    <>
      {status && <Badge kind="line">{capital(status)}</Badge>}
      <span>
        {netname && (
          <>
            <Mono>{netname}</Mono>,{' '}
          </>
        )}
        {amountWords(kind, BigInt(size))}
        {first !== last && (
          <>
            , <Mono nowrap={false}>{`${first} – ${last}`}</Mono>
          </>
        )}
      </span>
    </>
  );
}
