import { read, useAccount, useRead } from '@portal/app-kit';
import { home } from '@portal/contract/home/home';
import { answering } from '@portal/contract/reverse-dns/answering';
import { type CallAnswer } from '@portal/app-kit';
import { DateText, formatCount, Icon, Link, Stat } from '@portal/ui';
import styles from './HoldingTile.module.css';

export const networkOf = (account: string) => read(home.getNetwork, { account });
type Network = CallAnswer<typeof home.getNetwork>;

/** How the account's space is announced, and whether its reverse zones answer; each opens its page. */
export function NetworkTiles() {
  const { accountName } = useAccount();
  const { routes, reverse } = useRead(networkOf(accountName));
  return (
    <>
      {routes && <RoutesTile routes={routes} />}
      {reverse && <ReverseTile reverse={reverse} />}
    </>
  );
}

function RoutesTile({ routes: { valid, invalid, notFound, collectedAt } }: { routes: NonNullable<Network['routes']> }) {
  const all = valid + invalid + notFound;
  const parts = [
    { state: 'valid', words: 'Valid', count: valid },
    { state: 'invalid', words: 'Invalid', count: invalid },
    { state: 'notFound', words: 'Not found', count: notFound },
  ] as const;
  return (
    <Link href="/resources/routes/index" className={styles.tile}>
      <Head title="Routes" />
      {all === 0 ? (
        <p className={styles.none}>{collectedAt === null ? 'No table of BGP was read yet.' : 'None of your space is announced.'}</p>
      ) : (
        <>
          <Stat value={`${formatCount(valid)} of ${formatCount(all)}`} unit={`${all === 1 ? 'announcement' : 'announcements'} valid`} />
          <span className={styles.validity} aria-hidden="true">
            {parts.map(({ state, count }) => count > 0 && <i key={state} data-is={state} style={{ flexGrow: count }} />)}
          </span>
          <p className={styles.legend}>
            {parts.map(({ state, words, count }) => (
              <span key={state} className={styles.key} data-is={state}>
                {words} {formatCount(count)}
              </span>
            ))}
          </p>
          {collectedAt !== null && (
            <p className={styles.legend}>
              <span>
                Collectors, <DateText value={collectedAt} />
              </span>
            </p>
          )}
        </>
      )}
    </Link>
  );
}

const looks = {
  ok: 'ok',
  warning: 'ok',
  lame: 'lame',
  unchecked: 'unchecked',
  missing: 'missing',
  covered: 'ok',
  partly: 'missing',
} as const;

function ReverseTile({ reverse: { needed, ok, warning, lame, unchecked, missing, cells } }: { reverse: NonNullable<Network['reverse']> }) {
  const delegated = ok + warning + lame + unchecked;
  return (
    <Link href="/resources/ReverseDNSSummary" className={styles.tile}>
      <Head title="Reverse DNS" />
      {needed === 0 && delegated === 0 ? (
        <p className={styles.none}>No reverse zones of this registry.</p>
      ) : (
        <>
          {delegated === 0 ? (
            <Stat value="0" unit={`of ${formatCount(needed)} ${needed === 1 ? 'zone' : 'zones'} delegated`} />
          ) : (
            <Stat
              value={`${formatCount(answering({ ok, warning }))} of ${formatCount(delegated)}`}
              unit={`${delegated === 1 ? 'delegation answers' : 'delegations answer'}`}
            />
          )}
          {cells.length > 0 && (
            <span className={styles.cells} aria-hidden="true">
              {cells.map((state, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
                <i key={index} data-is={looks[state]} />
              ))}
            </span>
          )}
          <p className={styles.legend}>
            {delegated > 0 && (
              <span className={styles.key} data-is="ok">
                Answer {formatCount(answering({ ok, warning }))}
              </span>
            )}
            {lame > 0 && (
              <span className={styles.key} data-is="lame">
                Lame {formatCount(lame)}
              </span>
            )}
            {unchecked > 0 && (
              <span className={styles.key} data-is="unchecked">
                Not checked {formatCount(unchecked)}
              </span>
            )}
            <span className={styles.key} data-is="missing">
              Not delegated {formatCount(missing)}
            </span>
          </p>
        </>
      )}
    </Link>
  );
}

const Head = ({ title }: { title: string }) => (
  <div className={styles.head}>
    <h2>{title}</h2>
    <Icon name="chevron-right" />
  </div>
);
