/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a drawing with numbers in words: no element of HTML is one */
import type { CallAnswer } from '@portal/app-kit';
import type { voting } from '@portal/contract/elections/voting';
import { countUpTo, type VotingTier, votingTierOf } from '@portal/contract/elections/voting-tiers';
import { Disclosure, formatCount, Stack } from '@portal/ui';
import styles from './VoteTiers.module.css';
import { countVotes } from './voting-words.ts';

type Weight = CallAnswer<typeof voting.getMemberVoting>['weight'];

/** More tiers than this are read in the table only. */
const MAX_BARS = 12;
/** Height of a bar of one vote, and what each doubling of the votes adds, in pixels. */
const FIRST_HEIGHT = 10;
const STEP_HEIGHT = 13;

/** The most IPv4 addresses of a tier, in two or three letters. */
const shortSize = (size: string): string => (size === 'any' ? 'more' : size);

const sizeInWords = (family: 'ipv4' | 'ipv6', size: string): string => {
  const count = countUpTo(family, size);
  return count === null ? 'more' : count === 0n ? 'none' : `up to a ${size} (${formatCount(count)})`;
};

/** Why an account has its votes: the tiers by holding as steps, its own marked, what each family alone would give, and the table behind them. */
export function VoteTiers({ tiers, weight: { tier, holdings } }: { tiers: readonly VotingTier[]; weight: Weight }) {
  const own = tiers.find(({ name }) => name === tier);
  return (
    <Stack gap={12}>
      <p className="small quiet">Votes follow the larger of your IPv4 and IPv6 tiers. IPv6 is counted in /56 blocks.</p>
      {own && tiers.length <= MAX_BARS && (
        <div
          className={styles.picture}
          role="img"
          aria-label={`Votes by IPv4 holding. Your tier is ${own.name}, with ${countVotes(own.votes)}.`}
        >
          {tiers.map(({ name, ipv4, votes }) => (
            <span key={name} data-own={name === tier || undefined}>
              <b>{votes}</b>
              <i style={{ height: FIRST_HEIGHT + STEP_HEIGHT * Math.log2(votes) }} />
              <span>{shortSize(ipv4)}</span>
            </span>
          ))}
        </div>
      )}
      {own && holdings && <HoldingWords tiers={tiers} holdings={holdings} own={own} />}
      <TierTable tiers={tiers} own={tier} />
    </Stack>
  );
}

/** The holdings of the account with the votes that either family alone would give. */
function HoldingWords({
  tiers,
  holdings,
  own,
}: {
  tiers: readonly VotingTier[];
  holdings: NonNullable<Weight['holdings']>;
  own: VotingTier;
}) {
  const ipv4Addresses = BigInt(holdings.ipv4Addresses);
  const ipv6Blocks = BigInt(holdings.ipv6Blocks);
  const byIpv4 = votingTierOf(tiers, { ipv4Addresses, ipv6Blocks: 0n });
  const byIpv6 = votingTierOf(tiers, { ipv4Addresses: 0n, ipv6Blocks });
  return (
    <dl className={styles.holdings}>
      <div>
        <dt>{formatCount(ipv4Addresses)} IPv4 addresses</dt>
        <dd>{countVotes(byIpv4.votes)}</dd>
      </div>
      <div>
        <dt>{formatCount(ipv6Blocks)} IPv6 blocks of /56</dt>
        <dd>{countVotes(byIpv6.votes)}</dd>
      </div>
      <div data-sum>
        <dt>The larger: {own.name}</dt>
        <dd>{countVotes(own.votes)}</dd>
      </div>
    </dl>
  );
}

/** Votes by holdings of both families, the account's own tier marked. */
function TierTable({ tiers, own }: { tiers: readonly VotingTier[]; own: string | null }) {
  return (
    <Disclosure summary="All tiers">
      <div className={styles.scroll}>
        <table className={styles.tiers}>
          <thead>
            <tr>
              <th scope="col">Tier</th>
              <th scope="col">IPv4 addresses</th>
              <th scope="col">IPv6 blocks</th>
              <th scope="col">Votes</th>
            </tr>
          </thead>
          <tbody>
            {tiers.map(({ name, ipv4, ipv6, votes }) => (
              <tr key={name} data-own={name === own || undefined}>
                <th scope="row">
                  {name}
                  {name === own && <span className="vh">, your organisation</span>}
                </th>
                <td>{sizeInWords('ipv4', ipv4)}</td>
                <td>{sizeInWords('ipv6', ipv6)}</td>
                <td>{votes}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Disclosure>
  );
}
