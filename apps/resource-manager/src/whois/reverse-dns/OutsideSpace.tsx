import type { AnswerOf } from '@portal/contract';
import { recordAddress } from '@portal/contract/records/record-address';
import type { reverseDns } from '@portal/contract/reverse-dns/reverse-dns';
import { formatCount, Link, Sheet } from '@portal/ui';
import rowStyles from '../../resources/RowList.module.css';

type Outside = AnswerOf<typeof reverseDns.getSummary>['outside'];

/** Space of the account whose reverse zones this registry doesn’t delegate, and who does. `isAll`: it has no other. */
export function OutsideSpace({ outside, isAll }: { outside: Outside; isAll: boolean }) {
  return (
    <Sheet
      title={isAll ? 'Your reverse zones are served elsewhere' : 'Served elsewhere'}
      meta={<span>Outside the zones of this registry</span>}
      flush
    >
      <ul className={rowStyles.list} aria-label="Space outside the zones of this registry">
        {outside.map(({ why, registry, prefixes, count }) => (
          <li key={registry ?? why}>
            <span className={rowStyles.words}>
              {prefixes.map((prefix, index) => (
                <span key={prefix}>
                  {index > 0 && ', '}
                  <Link href={recordAddress(prefix)} className="mono">
                    {prefix}
                  </Link>
                </span>
              ))}
              {count > prefixes.length && ` and ${formatCount(count - prefixes.length)} more`}
            </span>
            <span className="quiet">
              {why === 'registry'
                ? `Delegated by ${registry}, which serves the reverse zones. Change name servers there.`
                : 'Parts of a /24 have no zone of their own. The holder of the /24 hands their names on (RFC 2317).'}
            </span>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
