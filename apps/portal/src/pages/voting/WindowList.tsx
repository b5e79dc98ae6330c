import { useDateFormat, useKit } from '@portal/app-kit';
import { windowKinds } from '@portal/contract/elections/election-windows';
import type { ElectionWindow, VotingElection } from '@portal/contract/elections/voting';
import { DateText, Disclosure, formatDate, Icon, Link, LinkButton, StateMark } from '@portal/ui';
import type { ReactNode } from 'react';
import { actOf, hoursApart, monthsOf, timelineOf, windowMarks } from './voting-words.ts';
import styles from './WindowList.module.css';

/** Shares of the time axis that its words take: a month gives way to “Now”, and keeps its line. */
const MONTH_SHARE = 0.15;
const NOW_SHARE = 0.09;
/** Up to this share a bar leaves room for its words after it, and from the rest before it. */
const ROOM_FROM = 0.62;

type Window = Pick<ElectionWindow, 'opensAt' | 'closesAt'>;

/** The timetable of an election: a lane for each window on the shared time axis, with its days and the time left; and, on demand, each window with its exact times and place. */
export function WindowList({
  election,
  axis,
  asOf,
  as,
  more,
}: {
  election: VotingElection;
  /** The windows of all elections on the page, which the time axis spans. */
  axis: readonly Window[];
  asOf: string;
  as: 'member' | 'attendee';
  /** Text below the times. */
  more: ReactNode;
}) {
  const { windows, timeZone, state, title } = election;
  const own = useDateFormat();
  const apart = hoursApart(windows, timeZone, own.timeZone);
  const timeline = timelineOf(axis, asOf);
  return (
    <div className={styles.timetable}>
      <ul className={styles.lanes} aria-label={`Windows of ${title}, ${as}`}>
        {windows.map(window => (
          <Lane key={window.kind} window={window} line={timeline} timeZone={timeZone} isOff={state === 'cancelled'} />
        ))}
      </ul>
      <div className={styles.more}>
        <Disclosure
          summary={
            <span>
              Exact times
              <span className="vh">. Timetable of {title}</span>
            </span>
          }
        >
          <ul className={styles.windows} aria-label={`Timetable of ${title}, ${as}`}>
            {windows.map(window => (
              <li key={window.kind}>
                <div className={styles.name}>
                  <span className="strong">{windowKinds[window.kind]}</span>
                  {state !== 'cancelled' && (
                    <StateMark state={windowMarks[window.state].state}>{windowMarks[window.state].words}</StateMark>
                  )}
                </div>
                <Times window={window} timeZone={timeZone} explained={apart !== null && apart !== 0} />
                {state === 'published' && <Place window={window} />}
              </li>
            ))}
          </ul>
          {more}
        </Disclosure>
      </div>
    </div>
  );
}

/** Words of a lane are beside its bar, on the side with more room; in the bar where it takes most of the axis. */
function sideOf({ from, to }: { from: number; to: number }): 'after' | 'before' | 'within' {
  if (to <= ROOM_FROM) return 'after';
  return from >= 1 - ROOM_FROM ? 'before' : 'within';
}

/** One window on the time axis: its bar, days and state. */
function Lane({
  window,
  line,
  timeZone,
  isOff,
}: {
  window: ElectionWindow;
  line: ReturnType<typeof timelineOf>;
  timeZone: string;
  /** The election is cancelled: the window won't be. */
  isOff: boolean;
}) {
  const { kind, state, words, opensAt, closesAt } = window;
  const { from, to } = line.of(window);
  const side = sideOf({ from, to });
  const official = { timeZone, hourCycle: 'h23' } as const;
  const place = {
    after: { insetInlineStart: `calc(${to * 100}% + 8px)` },
    before: { insetInlineEnd: `calc(${(1 - from) * 100}% + 8px)` },
    within: { insetInlineStart: `calc(${from * 100}% + 8px)` },
  }[side];
  return (
    <li className={styles.lane} data-state={isOff ? 'closed' : state}>
      <span className={styles.kind}>{windowKinds[kind]}</span>
      <span className={styles.track}>
        <i className={styles.bar} style={{ insetInlineStart: `min(${from * 100}%, 100% - 4px)`, width: `${(to - from) * 100}%` }} />
        {line.now !== null && <i className={styles.now} style={{ insetInlineStart: `${line.now * 100}%` }} />}
        <span className={styles.words} style={place}>
          {daysInWords(formatDate(opensAt, official, 'day-month'), formatDate(closesAt, official, 'day-month'))}
          {!isOff && <b>, {words.charAt(0).toLowerCase() + words.slice(1)}</b>}
        </span>
      </span>
    </li>
  );
}

const daysInWords = (first: string, last: string): string => (first === last ? first : `${first} to ${last}`);

/** The time axis above the timetables: its months, and the current time; beside it the zones of the times. */
export function TimeAxis({ axis, asOf, clock }: { axis: readonly Window[]; asOf: string; clock: string | null }) {
  const timeline = timelineOf(axis, asOf);
  const { appUrl } = useKit().environment;
  return (
    <div className={styles.axis}>
      <p className={styles.clock}>
        <span className="small quiet">{clock}</span>
        <Link href={`${appUrl}/calendar/elections.ics`} target="_blank" className={styles.calendar}>
          Calendar<span className="vh"> of all elections, to subscribe to or download</span>
        </Link>
      </p>
      <div className={styles.months} aria-hidden="true">
        {monthsOf(axis, asOf).map(({ at, label }) => (
          <span key={label + String(at)} style={{ left: `${at * 100}%` }}>
            {timeline.now !== null && at < timeline.now + NOW_SHARE && at + MONTH_SHARE > timeline.now ? '' : label}
          </span>
        ))}
        {timeline.now !== null && (
          <b style={{ left: `${timeline.now * 100}%` }} data-end={timeline.now > 0.9 || undefined}>
            Now
          </b>
        )}
      </div>
    </div>
  );
}

/** In the person's zone and the official one; the latter only for screen readers if the card states the difference. */
function Times({
  window: { opensAt, closesAt },
  timeZone,
  explained,
}: {
  window: ElectionWindow;
  timeZone: string;
  /** The card states the difference between both zones. */
  explained: boolean;
}) {
  const own = useDateFormat();
  const official = { timeZone, hourCycle: own.hourCycle };
  const same = hoursApart([{ opensAt, closesAt }], timeZone, own.timeZone) === 0;
  return (
    <dl className={styles.times}>
      {!same && (
        <div>
          <dt className={explained ? 'vh' : undefined}>Your time</dt>
          <dd>
            <DateText value={opensAt} shape="day-time" /> to <DateText value={closesAt} shape="day-time" />
          </dd>
        </div>
      )}
      <div className={explained && !same ? 'vh' : undefined}>
        <dt className={same ? 'vh' : undefined}>Official time</dt>
        <dd>
          <DateText value={opensAt} shape="day-time" format={official} /> to{' '}
          <DateText value={closesAt} shape="day-time" format={official} />
        </dd>
      </div>
    </dl>
  );
}

/** The links to take part now, for those who may. */
export function VotingLinks({ election: { windows, title, electionId, state } }: { election: VotingElection }) {
  if (state !== 'published') return null;
  // Those who can vote see that first.
  const ways = windows.filter(window => window.state !== 'closed' && window.eligibility?.url).toSorted((a, b) => rank(a) - rank(b));
  if (ways.length === 0) return null;
  return (
    <div className={styles.ways}>
      {ways.map((window, place) => (
        <WayIn key={window.kind} window={window} title={title} electionId={electionId} isFirst={place === 0} />
      ))}
    </div>
  );
}

const isVote = ({ kind }: Pick<ElectionWindow, 'kind'>): boolean => kind === 'member-vote' || kind === 'attendee-vote';
const rank = (window: ElectionWindow): number => (isVote(window) ? 0 : 1);

function WayIn({ window, title, electionId, isFirst }: { window: ElectionWindow; title: string; electionId: string; isFirst: boolean }) {
  const { kind, eligibility, host } = window;
  const inPortal =
    (kind === 'member-vote' && `/voting/${electionId}/cast`) ||
    (kind === 'attendee-vote' && `/voting/${electionId}/cast?as=attendee`) ||
    (eligibility!.url!.startsWith('/') && eligibility!.url!);
  const variant = isFirst && kind !== 'nomination' ? 'primary' : undefined;
  const label = `${actOf[kind]}: ${title}`;
  if (inPortal)
    return (
      <LinkButton href={inPortal} size="s" variant={variant} aria-label={label}>
        {actOf[kind]}
      </LinkButton>
    );
  return (
    <>
      <LinkButton href={eligibility!.url!} target="_blank" size="s" variant={variant} aria-label={label}>
        {actOf[kind]} <Icon name="external" />
      </LinkButton>
      <span className="vh">Opens {host} in a new window</span>
    </>
  );
}

/** Where to take part in a window, or why the reader can't. */
function Place({ window: { kind, state, eligibility, host } }: { window: ElectionWindow }) {
  if (state === 'closed' || eligibility?.url) return null;
  if (eligibility?.reason === 'PROXY_APPOINTED' || eligibility?.reason === 'ALREADY_VOTED')
    return (
      <p className="small quiet">
        {eligibility.message}. {eligibility.detail}.
      </p>
    );
  if (host === null)
    return kind === 'proxy-appoint' && eligibility?.reason === 'CORPORATE_ONLY' && state === 'open' ? (
      <p className="small quiet">{eligibility.detail}.</p>
    ) : null;
  const place = kind === 'nomination' || kind === 'proxy-appoint' ? `At ${host}` : `In the voting system ${host}`;
  return (
    <p className="small quiet">
      {place}
      {eligibility === null && '. Proxies get the address by e-mail'}
      {eligibility?.reason === 'CORPORATE_ONLY' && `. ${eligibility.detail}`}
    </p>
  );
}
