import { type Kit, reading } from '@portal/app-kit';
import { type RecordHealth, type ResourceRecord, whoisRecords } from '@portal/contract/records/records';
import { resources } from '@portal/contract/resources/resources';
import { enclosingPrefix, parseRange, printPrefix } from '@portal/number-resources';
import { DateText, Icon, type IconName, SkeletonLines } from '@portal/ui';
import type { PaletteItem } from '@portal/ui/picker/CommandPalette';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import styles from './PalettePreview.module.css';

/** The cursor rests this long on an item before its details are read. */
const REST_MS = 250;

const subjects: Readonly<Record<string, string>> = {
  registration: 'Registration',
  routing: 'Routing',
  'reverse-dns': 'Reverse DNS',
  abuse: 'Abuse contact',
  objects: 'Whois',
  tickets: 'Tickets',
  fee: 'Annual fee',
};
const icons: Readonly<Record<RecordHealth['mark'], IconName>> = { valid: 'valid', info: 'info', warning: 'warning', invalid: 'invalid' };

/** The item under the cursor of the palette: of numbers their health, of all others the words beside the name. */
export function PalettePreview({ item, account, call }: { item: PaletteItem; account: string; call: Kit['call'] }) {
  const [rested, setRested] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setRested(item.id), REST_MS);
    return () => clearTimeout(timer);
  }, [item.id]);
  const isNumber = item.kind !== undefined && account !== '';
  const { data, isLoading } = useQuery({
    ...reading(call, whoisRecords.getRecord, { account, query: { resource: item.text } }),
    enabled: isNumber && rested === item.id,
    retry: false,
  });
  return (
    <div className={styles.preview}>
      <p className={item.kind || item.mono ? `mono ${styles.name}` : styles.name}>{item.text}</p>
      {item.note && <p className="small quiet">{item.note}</p>}
      {isNumber && (isLoading || rested !== item.id) && <SkeletonLines lines={4} label="Loading details" />}
      {data && (item.kind === 'ipv4' || item.kind === 'ipv6') && <Strip record={data} kind={item.kind} account={account} call={call} />}
      {data && (
        <ul className={styles.health}>
          {data.health.map(({ about, mark, word }) => (
            <li key={about} data-mark={mark}>
              <Icon name={icons[mark]} />
              <b>{subjects[about] ?? about}</b>
              <span>{word}</span>
            </li>
          ))}
          {data.history[0] && (
            <li>
              <Icon name="clock" />
              <b>Changed</b>
              <span>
                <DateText value={data.history[0].at} shape="date" />
              </span>
            </li>
          )}
        </ul>
      )}
    </div>
  );
}

/** Where the numbers lie in the account's delegation around them, among what is registered in it. */
function Strip({ record, kind, account, call }: { record: ResourceRecord; kind: 'ipv4' | 'ipv6'; account: string; call: Kit['call'] }) {
  const holding = record.holdings.find(({ own, relation }) => own && relation === 'around');
  const within = holding && printPrefix(enclosingPrefix(parseRange(holding.resource)));
  const { data: map } = useQuery({
    ...reading(call, resources.getAddressMap, { account, query: { kind, ...(within !== undefined && { within }) } }),
    enabled: within !== undefined,
    retry: false,
  });
  if (!holding || !within || !map) return null;
  const { first } = parseRange(within);
  const shareOf = (addresses: bigint): number => Number((addresses * 10_000n) / (1n << BigInt(map.sizeLog2))) / 100;
  const range = parseRange(record.resource);
  return (
    <figure className={styles.strip} data-kind={kind}>
      <div aria-hidden="true">
        {map.blocks.map(({ id, kind: is, offset, size }) => (
          <i key={id} data-is={is} style={{ left: `${shareOf(BigInt(offset))}%`, width: `${shareOf(BigInt(size))}%` }} />
        ))}
        <b style={{ left: `${shareOf(range.first - first)}%`, width: `max(4px, ${shareOf(range.last - range.first + 1n)}%)` }} />
      </div>
      <figcaption>
        In <span className="mono">{holding.resource}</span>
      </figcaption>
    </figure>
  );
}
