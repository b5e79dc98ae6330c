import { useAccount, useAddress, useSteadyAnswer } from '@portal/app-kit';
import { nirSubaccounts, type SubaccountHolding } from '@portal/contract/nir/subaccounts';
import { formatCount } from '@portal/ui';
import { amountOf } from '../../shell/amounts.ts';
import { useIpv4Limit } from './ipv4-limit.ts';
import { subaccountFilter } from './subaccount-filters.ts';
import styles from './Nir.module.css';

/** Sizes of holdings with their names, by the policy’s limit for a member. */
const holdingsFor = (limit: number | null): readonly { holding: SubaccountHolding; label: string }[] => [
  { holding: 'none', label: 'No IPv4' },
  { holding: 'one', label: limit === null ? 'Up to half the limit' : `Up to a /${limit + 1}` },
  { holding: 'two', label: limit === null ? 'Up to the limit' : `Up to a /${limit}` },
  { holding: 'more', label: 'More IPv4' },
];

function useCounts() {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const { answer } = useSteadyAnswer(nirSubaccounts.countSubaccounts, { account, query: subaccountFilter(address) });
  return { answer, address };
}

/** How many sub-accounts hold how much IPv4, as buttons that filter the list, and to scale below them. */
export function SubaccountTotals() {
  const { answer, address } = useCounts();
  const holdings = holdingsFor(useIpv4Limit());
  const chosen = address.get('holding');
  const choose = (holding: string | null) => address.set({ holding, after: null });
  return (
    <div>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- buttons of one row, not fields of a form */}
      <div className={styles.totals} role="group" aria-label="By IPv4 holding">
        <button type="button" aria-pressed={chosen === null} onClick={() => choose(null)}>
          <span>All</span>
          <b>{formatCount(answer.total)}</b>
        </button>
        {holdings.map(({ holding, label }) => (
          <button
            key={holding}
            type="button"
            data-is={holding}
            aria-pressed={chosen === holding}
            onClick={() => choose(chosen === holding ? null : holding)}
          >
            <span>{label}</span>
            <b>{formatCount(answer.holdings[holding])}</b>
          </button>
        ))}
      </div>
      <div className={styles.scale} aria-hidden="true">
        {holdings.map(
          ({ holding }) =>
            answer.holdings[holding] > 0 && <i key={holding} data-is={holding} style={{ flexGrow: answer.holdings[holding] }} />,
        )}
      </div>
    </div>
  );
}

/** The first characters of names beside a long list: a press goes to the page that begins with it; the mark is as long as its share. */
export function LetterIndex() {
  const { answer, address } = useCounts();
  if (answer.letters.length < 2 || answer.total <= 50) return null;
  const most = Math.max(...answer.letters.map(({ count }) => count));
  return (
    <nav className={styles.letters} aria-label="Sub-accounts by first character">
      {answer.letters.map(({ letter, count, after }) => (
        <button
          key={letter}
          type="button"
          aria-label={`${letter}, ${count} ${count === 1 ? 'sub-account' : 'sub-accounts'}`}
          aria-current={address.get('after') === after ? 'true' : undefined}
          onClick={() => address.set({ after }, { step: true })}
        >
          <i style={{ height: `${Math.max(8, (count / most) * 100)}%` }} />
          {letter}
        </button>
      ))}
    </nav>
  );
}

/** IPv4 as cells of a /24, the first two of them drawn; what is beyond a /23 as one long cell. */
export function Ipv4Cells({ size }: { size: bigint }) {
  const cells = Number(size > 512n ? 2n : (size + 255n) / 256n);
  return (
    <span className={styles.cells}>
      <span aria-hidden="true">
        <i data-on={cells > 0 ? '' : undefined} />
        <i data-on={cells > 1 ? '' : undefined} />
        {size > 512n && <i data-more="" />}
      </span>
      {size === 0n ? '–' : lengthOf(size)}
    </span>
  );
}

/** The length of a prefix of this size; the number of addresses where no prefix has it. */
function lengthOf(size: bigint): string {
  const bits = size.toString(2);
  return /^10*$/.test(bits) ? `/${33 - bits.length}` : amountOf('ipv4', size);
}
