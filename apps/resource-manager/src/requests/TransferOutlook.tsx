import { read, useAccount, useAnswer } from '@portal/app-kit';
import { money } from '@portal/app-kit/words/billing-words';
import { type MovableResource, type RequestTerms, requests, type TransferOutlook as Outlook } from '@portal/contract/requests/requests';
import { formatCount, Grid, Sheet, Stack } from '@portal/ui';
import { ResourceName } from '@portal/ui/text/ResourceName';
import { FirstRead } from '../shell/FirstRead.tsx';
import { counted, Lines, Terms, useHeld } from './PartyLines.tsx';
import { PartyTimeline } from './PartyTimeline.tsx';
import type { Course } from './party-steps.ts';
import styles from './TransferOutlook.module.css';

/**
 * A transfer before a block is chosen: its steps with their times, what each size costs, what changes on completion, and what either party has afterwards.
 * @param to the recipient, where one is named already
 */
export function TransferOutlook({ rows, to = '' }: { rows: readonly MovableResource[]; to?: string }) {
  const { accountName: account } = useAccount();
  return (
    <FirstRead reads={[read(requests.getEligibility, { account, kind: 'transfer' })]} fallback={null}>
      <Shown rows={rows} to={to} />
    </FirstRead>
  );
}

function Shown({ rows, to }: { rows: readonly MovableResource[]; to: string }) {
  const { accountName: account } = useAccount();
  const { transfer, terms } = useAnswer(requests.getEligibility, { account, kind: 'transfer' });
  if (!transfer) return null;
  const course = courseOf({ account, to, terms, outlook: transfer });
  return (
    <Stack gap={16}>
      <PartyTimeline request={course} />
      <Grid columns={2}>
        <FeesBySize outlook={transfer} rows={rows} />
        <OnCompletion />
      </Grid>
      <Parties outlook={transfer} rows={rows} course={course} to={to} />
    </Stack>
  );
}

/** The smallest fee, which says that one is due before its amount is known. */
const feeFrom = ({ sizes }: Outlook): string | null => sizes[0]?.fee ?? null;

function courseOf({ account, to, terms, outlook }: { account: string; to: string; terms: RequestTerms; outlook: Outlook }): Course {
  const { currency, unless, typicalDays } = outlook;
  const fee = feeFrom(outlook);
  return {
    kind: 'transfer',
    state: 'draft',
    accountName: account,
    otherParty: to === '' ? null : to,
    form: { recipient: to, otherRegistry: '' },
    plan: { fee: fee === null ? null : { currency, amount: null, payer: null, why: '', unless }, typicalDays },
    submittedAt: null,
    resolvedAt: null,
    expiresAt: null,
    events: [],
    due: null,
    place: null,
    terms,
  };
}

const transferable = (rows: readonly MovableResource[]): MovableResource[] => rows.filter(({ against }) => against.transfer === null);
const sizeOf = (length: number): number => 2 ** (32 - length);

/** The fee of each size that the account could transfer, and its annual fee afterwards. */
function FeesBySize({ outlook: { sizes, currency, annualNow, unless }, rows }: { outlook: Outlook; rows: readonly MovableResource[] }) {
  const blocks = transferable(rows).filter(({ kind }) => kind === 'ipv4');
  if (sizes.length === 0) return null;
  const amount = (value: string | null): string => (value === null ? 'None' : money(currency, value));
  return (
    <Sheet
      title="Fees by size"
      meta="Without tax, by today’s schedule"
      flush
      footer={
        <span>
          The recipient pays the transfer fee before completion{unless !== null && `; none if ${unless}`}. No refund for your current term.
        </span>
      }
    >
      <table className={styles.sizes} aria-label="Fees by size">
        <thead>
          <tr>
            <th scope="col">Block</th>
            <th scope="col" className="num">
              Transfer fee
            </th>
            <th scope="col" className="num">
              Your annual fee{annualNow !== null && `, now ${money(currency, annualNow)}`}
            </th>
            <th scope="col">Fits in</th>
          </tr>
        </thead>
        <tbody>
          {sizes.map(({ length, fee, annual }) => (
            <tr key={length}>
              <th scope="row">
                <span className="mono">/{length}</span> <span className="quiet">{formatCount(sizeOf(length))}</span>
              </th>
              <td className="num">{amount(fee)}</td>
              <td className="num">{amount(annual)}</td>
              <td className="small nw">
                {counted(blocks.filter(({ size }) => BigInt(size) >= BigInt(sizeOf(length))).length, 'delegation', 'delegations')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Sheet>
  );
}

const kinds = [
  { name: 'Delegation', before: 'Yours, locked', after: 'Moves' },
  { name: 'ROAs', before: 'Unchanged', after: 'Move, or end if you don’t hand them over' },
  { name: 'Routes in whois', before: 'Unchanged', after: 'End or are split with the block' },
  { name: 'Assignments and whois objects', before: 'Unchanged', after: 'Move, are held or end, as you choose for each' },
  { name: 'Reverse zones', before: 'Served', after: 'Move, are held or end; served within seconds' },
] as const;

/** Says when objects change: nothing does before completion, and then everything in one change. */
function OnCompletion() {
  return (
    <Sheet title="No gap" meta="Nothing changes before completion; then everything changes in one step" flush>
      <table className={styles.sizes} aria-label="What changes on completion">
        <thead>
          <tr>
            <th scope="col">Object</th>
            <th scope="col">Until completion</th>
            <th scope="col">On completion</th>
          </tr>
        </thead>
        <tbody>
          {kinds.map(({ name, before, after }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{before}</td>
              <td>{after}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={`small quiet ${styles.note}`}>
        Choose a block to see the validity of each announcement by step, and the plan for every object on it.
      </p>
    </Sheet>
  );
}

/** `AUD 170.94 to AUD 902.56`; one amount where they are equal. */
function rangeOf(currency: string, amounts: readonly (string | null)[]): string | null {
  const known = amounts.filter(amount => amount !== null);
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return null;
  return first === last ? money(currency, first) : `${money(currency, first)} to ${money(currency, last)}`;
}

function Parties({
  outlook: { sizes, currency, annualNow },
  rows,
  course,
  to,
}: {
  outlook: Outlook;
  rows: readonly MovableResource[];
  course: Course;
  to: string;
}) {
  const held = useHeld();
  const free = transferable(rows);
  const other = to || 'The recipient';
  const fee = rangeOf(
    currency,
    sizes.map(each => each.fee),
  );
  const annual = rangeOf(
    currency,
    sizes.map(each => each.annual),
  );
  return (
    <Grid columns={3}>
      <Sheet title="You keep" meta={held !== null && `${formatCount(held)} addresses now`}>
        <Lines
          lines={[
            {
              icon: 'resources',
              words: 'All of your resources until completion',
              aside: counted(rows.length, 'delegation', 'delegations'),
            },
            { icon: 'route', words: 'ROAs and routes of what you keep', aside: 'unchanged' },
            { icon: 'contacts', words: 'Your contacts and maintainers', aside: 'unchanged' },
            ...(annualNow !== null && annual !== null
              ? [{ icon: 'billing' as const, words: `Annual fee afterwards, now ${money(currency, annualNow)}`, aside: annual }]
              : []),
            { icon: 'document', words: 'An entry in the public transfer log', aside: 'daily' },
          ]}
        />
      </Sheet>
      <Sheet title={`${other} gets`} meta={counted(free.length, 'delegation can be chosen', 'delegations can be chosen')}>
        <Lines
          lines={[
            ...free.slice(0, 4).map(({ resource, kind }) => ({
              icon: 'resources' as const,
              words: <ResourceName kind={kind} text={resource} />,
              aside: kind === 'ipv4' ? 'all or a part' : 'as a whole',
            })),
            ...(fee === null ? [] : [{ icon: 'billing' as const, words: 'Transfer fee before completion, without tax', aside: fee }]),
          ]}
        />
      </Sheet>
      <Terms request={course} isSender other={to} />
    </Grid>
  );
}

/** The fee of a draft without a block: of the smallest and of the largest that could be chosen. */
export function FeeRange() {
  const { accountName: account } = useAccount();
  const { transfer } = useAnswer(requests.getEligibility, { account, kind: 'transfer' });
  return (
    transfer &&
    (rangeOf(
      transfer.currency,
      transfer.sizes.map(({ fee }) => fee),
    ) ??
      'None')
  );
}
