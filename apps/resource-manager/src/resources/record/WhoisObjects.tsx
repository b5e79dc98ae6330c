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

type Relation = (typeof groups)[number]['relation'];

/** Whois objects about the numbers, without networks around and inside, which have places of their own. */
function shownObjects(record: ResourceRecord): ResourceRecord['objects'] {
  // Surrounding and inner networks are shown in their own sections.
  // Reverse zones have a section of their own, with the answers of their servers.
  const zones = record.sections.some(section => section.id === 'reverse-zones');
  return record.objects.filter(
    each => each.relation === 'exact' || (!isNetwork(each) && !(zones && each.class === 'domain' && each.relation === 'inside')),
  );
}

export const exactObjects = ({ objects }: ResourceRecord): ResourceRecord['objects'] => objects.filter(each => each.relation === 'exact');

/** Whois objects on a past day: about exactly these numbers, about larger space around them, about parts of them. */
export function WhoisObjects({ record }: { record: ResourceRecord }) {
  return (
    <Sheet title="Whois objects" flush>
      {shownObjects(record).length === 0 ? (
        <EmptyState title="No whois object">No whois object covers it{record.on === null ? '' : ' on that day'}.</EmptyState>
      ) : (
        <WhoisObjectLists record={record} relations={['exact', 'around', 'inside']} />
      )}
    </Sheet>
  );
}

/** A list for each of these relations that has objects. */
export function WhoisObjectLists({ record, relations }: { record: ResourceRecord; relations: readonly Relation[] }) {
  const { moreObjects, on, kind } = record;
  const objects = shownObjects(record);
  return (
    <>
      {groups
        .filter(({ relation }) => relations.includes(relation))
        .map(({ relation, title }) => {
          const rows = objects.filter(each => each.relation === relation);
          return rows.length === 0 ? null : (
            <div key={relation}>
              <h4 className={relations.length > 1 ? styles.part : 'vh'}>
                {kind === 'asn' && relation === 'inside' ? 'Routes and sets' : title}
              </h4>
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
        })}
      {moreObjects && relations.includes('inside') && <p className={styles.part}>There are more. Search for a part of it to see them.</p>}
    </>
  );
}
