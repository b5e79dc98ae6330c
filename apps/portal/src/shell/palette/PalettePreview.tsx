import { type Kit, reading } from '@portal/app-kit';
import { type RecordHealth, whoisRecords } from '@portal/contract/records/records';
import { Icon, type IconName, SkeletonLines } from '@portal/ui';
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
      {data && (
        <ul className={styles.health}>
          {data.health.map(({ about, mark, word }) => (
            <li key={about} data-mark={mark}>
              <Icon name={icons[mark]} />
              <b>{subjects[about] ?? about}</b>
              <span>{word}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
