import type { ResourceRecord } from '@portal/contract/records/records';
import { spacedKey } from '@portal/contract/whois/spaced-key';
import { classNames, EmptyState, Link, Sheet } from '@portal/ui';
import rowStyles from '../RowList.module.css';
import styles from './ResourceRecord.module.css';
import { isNetwork } from './record-networks.ts';

const groups = [
  { relation: 'exact', title: 'Exactly these numbers' },
  { relation: 'around', title: 'Less specific' },
  { relation: 'inside', title: 'More specific' },
] as const;

/** Whois objects about the numbers: about exactly these, about larger space around them, about parts of them. */
export function WhoisObjects({ record }: { record: ResourceRecord }) {
  const { moreObjects, on, kind } = record;
  // Surrounding and inner networks are shown in their own sections.
  // Reverse zones have a section of their own, with the answers of their servers.
  const zones = record.sections.some(section => section.id === 'reverse-zones');
  const objects = record.objects.filter(
    each => each.relation === 'exact' || (!isNetwork(each) && !(zones && each.class === 'domain' && each.relation === 'inside')),
  );
  return (
    <Sheet title="Whois objects" flush>
      {objects.length === 0 ? (
        <EmptyState title="No whois object">No whois object covers it{on === null ? '' : ' on that day'}.</EmptyState>
      ) : (
        groups.map(({ relation, title }) => {
          const rows = objects.filter(each => each.relation === relation);
          return rows.length === 0 ? null : (
            <div key={relation}>
              <h3 className={styles.part}>{kind === 'asn' && relation === 'inside' ? 'Routes and sets' : title}</h3>
              <ul className={classNames(rowStyles.list, styles.more)} aria-label={title}>
                {rows.map(each => (
                  <li key={each.link}>
                    <span className={styles.object}>
                      <span className="mono quiet">{each.class}</span>
                      <Link href={on === null ? each.link : `${each.link}&view=history&version=${each.version}`} className="mono">
                        {spacedKey(each.shown)}
                      </Link>
                    </span>
                    <span className="quiet">{each.name}</span>
                    <span className={classNames('mono quiet small', styles.end)}>{each.maintainers.slice(0, 2).join(', ')}</span>
                    {each.mayReclaim && <Link href={`${each.link}&act=reclaim`}>Reclaim</Link>}
                  </li>
                ))}
              </ul>
            </div>
          );
        })
      )}
      {moreObjects && <p className={styles.part}>There are more. Search for a part of it to see them.</p>}
    </Sheet>
  );
}
