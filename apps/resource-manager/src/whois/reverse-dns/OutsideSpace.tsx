import type { AnswerOf } from '@portal/contract';
import { recordAddress } from '@portal/contract/records/record-address';
import type { reverseDns } from '@portal/contract/reverse-dns/reverse-dns';
import { formatCount, KeyValueList, Link, Sheet } from '@portal/ui';

type Outside = AnswerOf<typeof reverseDns.getSummary>['outside'];

/** Space of the account whose reverse zones this registry doesn’t delegate, and who does. `isAll`: it has no other. */
export function OutsideSpace({ outside, isAll }: { outside: Outside; isAll: boolean }) {
  return (
    <Sheet
      title={isAll ? 'Your reverse zones are served elsewhere' : 'Served elsewhere'}
      meta={<span>Outside the zones of this registry</span>}
    >
      <KeyValueList
        align="left"
        items={outside.map(({ why, registry, prefixes, count }) => ({
          id: registry ?? why,
          key: (
            <>
              {prefixes.map((prefix, index) => (
                <span key={prefix}>
                  {index > 0 && ', '}
                  <Link href={recordAddress(prefix)} className="mono">
                    {prefix}
                  </Link>
                </span>
              ))}
              {count > prefixes.length && ` and ${formatCount(count - prefixes.length)} more`}
            </>
          ),
          value:
            why === 'registry'
              ? `Delegated by ${registry}, which serves the reverse zones. Change name servers there.`
              : 'Parts of a /24 have no zone of their own. The holder of the /24 hands their names on (RFC 2317).',
        }))}
      />
    </Sheet>
  );
}
