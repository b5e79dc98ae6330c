import { useAccount } from '@portal/app-kit';
import { money } from '@portal/app-kit/words/billing-words';
import type { PlannedEffect, ResourceRequestDetail } from '@portal/contract/requests/requests';
import { type AddressRange, parseRange } from '@portal/number-resources';
import { formatCount, Grid, type IconName, Sheet } from '@portal/ui';
import type { ReactNode } from 'react';
import styles from './KeepsAndGets.module.css';
import { counted, type Line, Lines, Terms, useHeld } from './PartyLines.tsx';

/** Shows the holdings of each party after completion: the space to scale, and everything that goes along. */
export function KeepsAndGets({ request }: { request: ResourceRequestDetail }) {
  const { accountName: account } = useAccount();
  const { plan, form, fee, kind } = request;
  const held = useHeld();
  if (!plan || plan.moves.length === 0) return null;
  const isSender = request.accountName === account;
  const other = request.otherParty ?? (form.recipient.trim().toUpperCase() || form.otherRegistry);
  const names = isSender
    ? { keeps: 'You keep', gets: `${receiverOf(kind, other)} gets` }
    : { keeps: `${request.accountName} keeps`, gets: 'You get' };
  const [moves, keeps] = [readable(plan.moves), readable(plan.keeps)];
  const goes = (what: PlannedEffect['what']): PlannedEffect[] =>
    plan.effects.filter(each => each.what === what && (each.act === 'moves' || each.act === 'holds'));
  const stays = plan.announcements.rows.filter(row => !row.moves);
  const stillValid = stays.filter(({ before, after }) => before === 'valid' && after === 'valid').length;
  const wasValid = stays.filter(({ before }) => before === 'valid').length;

  const moving = (icon: IconName, what: PlannedEffect['what'], one: string, several: string): Line[] =>
    goes(what).length === 0 ? [] : [{ icon, words: namesIn(goes(what)), aside: counted(goes(what).length, one, several) }];
  const keptOfThese = addressesOf(keeps);
  const moved = addressesOf(moves);
  return (
    <Grid columns={3}>
      <Sheet
        title={names.keeps}
        meta={isSender && held !== null ? `${counted(held - moved, 'address', 'addresses')} in all` : sizeOf(keptOfThese)}
      >
        <Strip
          label={`${names.keeps}: ${plan.keeps.join(', ') || 'nothing of these delegations'}`}
          whole={[...moves, ...keeps]}
          filled={keeps}
        />
        <Lines
          lines={[
            {
              icon: 'resources',
              words: plan.keeps.length > 0 ? <span className="mono">{plan.keeps.join(', ')}</span> : 'These delegations move as a whole',
              aside:
                plan.keeps.length > 0 ? `${sizeOf(keptOfThese) || counted(plan.keeps.length, 'delegation', 'delegations')} of these` : '',
            },
            ...(wasValid > 0
              ? [{ icon: 'route' as const, words: 'Valid announcements that stay valid', aside: `${stillValid} of ${wasValid}` }]
              : []),
            ...(isSender && fee
              ? [
                  {
                    icon: 'billing' as const,
                    words: 'Annual fee by today’s schedule, without tax',
                    aside: `${money(fee.currency, fee.now)} → ${money(fee.currency, fee.after)}`,
                  },
                ]
              : []),
            ...(isSender && kind !== 'return'
              ? [{ icon: 'document' as const, words: 'An entry in the public transfer log', aside: 'daily' }]
              : []),
          ]}
        />
      </Sheet>
      <Sheet
        title={names.gets}
        meta={!isSender && held !== null ? `${sizeOf(moved)}, ${counted(held + moved, 'address', 'addresses')} in all` : sizeOf(moved)}
      >
        <Strip label={`${names.gets}: ${plan.moves.join(', ')}`} whole={[...moves, ...keeps]} filled={moves} moving />
        <Lines
          lines={[
            {
              icon: 'resources',
              words: <span className="mono">{plan.moves.join(', ')}</span>,
              aside: counted(plan.moves.length, 'delegation', 'delegations'),
            },
            ...moving('whois', 'registration', 'assignment', 'assignments'),
            ...moving('route', 'roa', 'ROA', 'ROAs'),
            ...moving('route', 'route', 'route', 'routes'),
            ...moving('reverse', 'reverse', 'zone', 'zones'),
            ...moving('contacts', 'contact', 'contact', 'contacts'),
            ...(plan.fee?.amount
              ? [
                  {
                    icon: 'billing' as const,
                    words: `Transfer fee, paid by ${plan.fee.payer === account ? 'you' : (plan.fee.payer ?? 'the recipient')} before completion, without tax`,
                    aside: money(plan.fee.currency, plan.fee.amount),
                  },
                ]
              : []),
            ...(!isSender && fee
              ? [
                  {
                    icon: 'billing' as const,
                    words: 'Your annual fee by today’s schedule, without tax',
                    aside: `${money(fee.currency, fee.now)} → ${money(fee.currency, fee.after)}`,
                  },
                ]
              : []),
          ]}
        />
      </Sheet>
      {kind !== 'return' && <Terms request={request} isSender={isSender} other={other} />}
    </Grid>
  );
}

const receiverOf = (kind: ResourceRequestDetail['kind'], other: string): string =>
  kind === 'return' ? 'The registry' : other || 'The recipient';

const namesIn = (effects: readonly PlannedEffect[]): ReactNode => (
  <span className="mono">
    {effects
      .slice(0, 3)
      .map(({ name }) => name.replace(/(\/\d+)(AS\d+)$/, '$1 $2'))
      .join(', ')}
    {effects.length > 3 && ` and ${formatCount(effects.length - 3)} more`}
  </span>
);

/** The parts of delegations that are split or moved, to scale; AS numbers have none. */
function Strip({
  label,
  whole,
  filled,
  moving,
}: {
  label: string;
  whole: readonly AddressRange[];
  filled: readonly AddressRange[];
  moving?: boolean;
}) {
  const addresses = whole.filter(({ family }) => family === 'ipv4').toSorted((a, b) => (a.first < b.first ? -1 : 1));
  const total = addresses.reduce((sum, each) => sum + Number(sizeIn(each)), 0);
  if (addresses.length === 0) return null;
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn from data
    <div className={styles.strip} role="img" aria-label={label} data-moving={moving || undefined}>
      {addresses.map(each => (
        <i
          key={String(each.first)}
          data-filled={filled.includes(each) || undefined}
          style={{ flexGrow: Math.max(Number(sizeIn(each)) / total, 0.01) }}
        />
      ))}
    </div>
  );
}

const sizeIn = ({ first, last }: AddressRange): bigint => last - first + 1n;

/** The addresses among resources, as the registry writes them. */
const readable = (texts: readonly string[]): AddressRange[] => texts.flatMap(text => (/^AS/i.test(text) ? [] : [parseRange(text)]));

/** The number of addresses, of IPv4 alone. */
const addressesOf = (resources: readonly AddressRange[]): bigint =>
  resources.filter(({ family }) => family === 'ipv4').reduce((sum, each) => sum + sizeIn(each), 0n);

/** `7 168 addresses`; empty for none. */
const sizeOf = (addresses: bigint): string => (addresses === 0n ? '' : counted(addresses, 'address', 'addresses'));
