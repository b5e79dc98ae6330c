import type { AccountPicture } from '@portal/contract/staff/account-pictures';
import { DateText, formatCount, Meter, ResourceName, Sheet, StateMark } from '@portal/ui';
import styles from './Picture.module.css';

type Resource = NonNullable<AccountPicture['resources']>['rows'][number];

/** Each delegation of an account with its use, the routes that are seen of it and its reverse zones. */
export function AccountResources({
  resources: { rows, delegations },
  votes,
  holdsElsewhere,
}: {
  resources: NonNullable<AccountPicture['resources']>;
  votes: AccountPicture['votes'];
  /** It holds number resources that another registry delegated. */
  holdsElsewhere: boolean;
}) {
  return (
    <Sheet
      flush
      id="resources"
      title="Resources"
      meta={
        <span>
          {[votes && votesInWords(votes), delegations === 1 ? '1 delegation' : `${formatCount(delegations)} delegations`]
            .filter(Boolean)
            .join(', ')}
        </span>
      }
      footer={delegations > rows.length && `The first ${rows.length} in order of their numbers.`}
    >
      {rows.length === 0 ? (
        <p className={`quiet small ${styles.none}`}>
          {holdsElsewhere
            ? 'This registry delegated none of what it holds. Another registry did, and its statistics are counted above.'
            : 'It holds no number resources.'}
        </p>
      ) : (
        <table className={styles.resources}>
          <caption className="vh">Delegations</caption>
          <thead>
            <tr>
              <th scope="col">Resource</th>
              <th scope="col">Since</th>
              <th scope="col">Use</th>
              <th scope="col">Routes</th>
              <th scope="col">Reverse zones</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(row => (
              <tr key={row.kind + row.resource}>
                <th scope="row">
                  <ResourceName kind={row.kind} text={row.resource} />
                </th>
                <td data-label="Since">
                  {row.since ? <DateText value={row.since} shape="date" /> : <span className="quiet">not known</span>}
                </td>
                <td data-label="Use">
                  {row.kind !== 'asn' && (
                    <Meter kind={row.kind} share={Number((BigInt(row.used) * 1000n) / (BigInt(row.size) || 1n)) / 1000} label="Used" />
                  )}
                </td>
                <td data-label="Routes">{row.kind === 'asn' ? <Origin {...row} /> : <Routes {...row} />}</td>
                <td data-label="Reverse zones">
                  <Zones zones={row.zones} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Sheet>
  );
}

const votesInWords = ({ votes, tier }: NonNullable<AccountPicture['votes']>): string =>
  [votes === 1 ? '1 vote' : `${formatCount(votes)} votes`, tier && `size step ${tier}`].filter(Boolean).join(', ');

/** How many routes begin at an AS number. Their validity is said once, at the addresses. */
function Origin({ routes: { valid, invalid, notFound } }: Pick<Resource, 'routes'>) {
  const routes = valid + invalid + notFound;
  if (routes === 0)
    return (
      <StateMark plain state="not-found">
        unseen
      </StateMark>
    );
  return <span className="quiet">{routes === 1 ? 'origin of 1 route' : `origin of ${formatCount(routes)} routes`}</span>;
}

function Routes({ routes: { valid, invalid, notFound } }: Pick<Resource, 'routes'>) {
  if (invalid > 0) return <StateMark plain state="invalid">{`${invalid} invalid`}</StateMark>;
  if (valid + notFound === 0)
    return (
      <StateMark plain state="not-found">
        unseen
      </StateMark>
    );
  if (notFound > 0) return <StateMark plain state="warning">{`${notFound} without a ROA`}</StateMark>;
  return <StateMark plain state="valid">{`${valid} valid`}</StateMark>;
}

function Zones({ zones }: Pick<Resource, 'zones'>) {
  if (zones === null) return null;
  if (zones.lame > 0) return <StateMark plain state="warning">{`${zones.lame} lame`}</StateMark>;
  return <StateMark plain state={zones.covered < zones.needed ? 'not-found' : 'valid'}>{`${zones.covered} of ${zones.needed}`}</StateMark>;
}
