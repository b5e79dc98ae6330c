import { type CallAnswer, useDateFormat, useKit, useQueryValue } from '@portal/app-kit';
import { DAY_MS, dayIn, daysBetween } from '@portal/contract/days';
import type { home } from '@portal/contract/home/home';
import { Banner, Button, formatDate, Icon, type IconName, LinkButton, Segmented, Sheet, StateMark } from '@portal/ui';
import { Fragment, useState } from 'react';
import styles from './HomePage.module.css';

type Attention = NonNullable<CallAnswer<typeof home.getHome>['attention']>[number];

const looks: Record<Attention['urgency'], string | undefined> = { urgent: styles.urgent, soon: styles.soon, note: styles.note };

/** Icons by the beginning of what an item is about; the first that fits counts. */
const icons: readonly (readonly [string, IconName])[] = [
  ['routes', 'route'],
  ['rpki', 'route'],
  ['rdns', 'reverse'],
  ['consent', 'route'],
  ['irt', 'mail'],
  ['access', 'inbox'],
  ['application', 'inbox'],
  ['organisation', 'building'],
  ['sign', 'document'],
  ['vote', 'vote'],
  ['invoice', 'billing'],
  ['membership', 'billing'],
  ['account', 'billing'],
  ['ticket', 'ticket'],
  ['request', 'inbox'],
  ['transfer', 'transfer'],
  ['hold', 'lock'],
  ['proposal', 'check'],
  ['contact', 'contacts'],
  ['unreachable', 'contacts'],
  ['single', 'contacts'],
  ['no-second', 'shield'],
  ['second', 'shield'],
];
const iconOf = ({ attentionId, urgency }: Attention): IconName =>
  urgency === 'urgent' ? 'invalid' : (icons.find(([start]) => attentionId.startsWith(start))?.[1] ?? 'info');

/** Of a longer list this many are shown, plus all urgent ones, so that the holdings stay visible. */
const SHOWN_FIRST = 6;
/** Days that the bar of a date shows. */
const BAR_DAYS = 14;

const groups = ['Happening now', 'Lapses on a date', 'Waiting for you'] as const;
type Group = (typeof groups)[number];
/** The instant of a due day or time: days last until they end. */
const instantOf = (due: string): number => Date.parse(due.length === 10 ? `${due}T23:59:59Z` : due);
/** A day that is over is the one since which it waits. */
const groupOf = ({ urgency, due }: Attention, now: number): Group =>
  urgency === 'urgent' ? 'Happening now' : due === null || instantOf(due) < now ? 'Waiting for you' : 'Lapses on a date';

/** Items in the order of their groups; among those that lapse on a date the earliest first, however harmful. The others keep their order. */
const inGroups = (items: readonly Attention[], now: number): Attention[] =>
  items.toSorted((a, b) => {
    const [group, other] = [groupOf(a, now), groupOf(b, now)];
    if (group !== other) return groups.indexOf(group) - groups.indexOf(other);
    return group === 'Lapses on a date' ? instantOf(a.due!) - instantOf(b.due!) : 0;
  });

/** Everything that the person or the account has to deal with: what happens now, what lapses on a date with its days, and what waits. */
export function AttentionList({ attention }: { attention: readonly Attention[] | null }) {
  const [view, setView] = useQueryValue('attention');
  const [isWhole, setWhole] = useState(false);
  const [now] = useState(() => Date.now());
  if (!attention)
    return (
      <Banner kind="warning" title="The list of what needs attention couldn’t be loaded.">
        The rest of the page is up to date. Reload the page to try again.
      </Banner>
    );
  const mine = attention.filter(item => item.forWhom === 'me');
  const shown = inGroups(view === 'me' ? mine : attention, now);
  const urgent = shown.filter(item => item.urgency === 'urgent').length;
  const dated = shown.filter(item => groupOf(item, now) === 'Lapses on a date').length;
  // Two lines more are shorter than the button that would show them.
  const first = isWhole || shown.length <= SHOWN_FIRST + 2 ? shown : shown.slice(0, Math.max(SHOWN_FIRST, urgent));
  return (
    <Sheet
      title="Needs attention"
      meta={
        shown.length > 0 && (
          <>
            {urgent > 0 && <StateMark state="invalid">{urgent} urgent</StateMark>}
            <span className="small quiet">
              {dated > 0 ? `${dated} with a date, ` : ''}
              {shown.length} in all
            </span>
          </>
        )
      }
      actions={
        <Segmented
          label="Whose"
          value={view === 'me' ? 'me' : 'account'}
          options={[
            { value: 'me', label: 'For me' },
            { value: 'account', label: 'Whole account' },
          ]}
          onChange={value => setView(value === 'me' ? 'me' : null)}
        />
      }
      flush
    >
      {shown.length === 0 ? (
        <p className={styles.nothing}>
          <Icon name="valid" className={styles.calm} /> {view === 'me' ? 'You’re up to date.' : 'This account is up to date.'}
        </p>
      ) : (
        groups.map(group => {
          const items = first.filter(item => groupOf(item, now) === group);
          return (
            items.length > 0 && (
              <Fragment key={group}>
                <div className={styles.group}>
                  <h3>{group}</h3>
                  {group === 'Lapses on a date' && (
                    <span className={styles.scale} aria-hidden="true">
                      <b>today</b>
                      <span>7 days</span>
                      <span>14 days</span>
                    </span>
                  )}
                </div>
                <ul>
                  {items.map(item => (
                    <Item key={item.attentionId} item={item} now={now} />
                  ))}
                </ul>
              </Fragment>
            )
          );
        })
      )}
      {shown.length > SHOWN_FIRST + 2 && shown.length > urgent && (
        <p className={styles.rest}>
          <Button variant="quiet" size="s" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Show fewer' : `Show ${shown.length - first.length} more`}
          </Button>
        </p>
      )}
    </Sheet>
  );
}

function Item({ item, now }: { item: Attention; now: number }) {
  return (
    <li className={styles.item}>
      <Icon name={iconOf(item)} className={looks[item.urgency]} label={item.urgency} />
      <div className={styles.words}>
        <div className="strong">{item.title}</div>
        <div className="small quiet">{item.detail}</div>
      </div>
      {item.due !== null && <Due due={item.due} now={now} />}
      {item.attentionId === 'no-second-factor' ? (
        <SecondFactorButton has={item.action === null} />
      ) : (
        item.action && (
          <LinkButton size="s" href={item.action.link} className={styles.act}>
            {item.action.label}
          </LinkButton>
        )
      )}
    </li>
  );
}

/** The day on which something lapses, in how many days, and where that is on a bar of two weeks. */
function Due({ due, now }: { due: string; now: number }) {
  const format = useDateFormat();
  const { timeZone } = format;
  const isDay = due.length === 10;
  const at = instantOf(due);
  const day = formatDate(due, format, 'day-month');
  // Days of the calendar, as in "29 Nov, in 2 days", however late it is today.
  const days = daysBetween(dayIn(timeZone, new Date(now)), isDay ? due : dayIn(timeZone, new Date(at)));
  const share = Math.min(1, Math.max(0, (at - now) / (BAR_DAYS * DAY_MS)));
  const soon = days < 3 ? styles.near : undefined;
  if (at < now)
    return (
      <div className={styles.due}>
        <span>since {day}</span>
      </div>
    );
  return (
    <div className={styles.due}>
      <span>
        {day}, {days <= 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`}
      </span>
      <span className={styles.bar} aria-hidden="true">
        {share < 1 ? (
          <>
            <i className={soon} style={{ width: `${share * 100}%` }} />
            <b className={soon} style={{ insetInlineStart: `${share * 100}%` }} />
          </>
        ) : (
          // Beyond the scale: an empty track with an arrow at its end.
          <em />
        )}
      </span>
    </div>
  );
}

/** Leads to the second factor, or to enrolment, and back to this page with a session that has it. */
function SecondFactorButton({ has }: { has: boolean }) {
  const { askForSecondFactor } = useKit();
  return (
    <Button size="s" className={styles.act} onClick={askForSecondFactor}>
      {has ? 'Confirm it’s you' : 'Turn on two-factor'}
    </Button>
  );
}
