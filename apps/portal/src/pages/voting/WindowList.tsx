import { useDateFormat, useKit } from '@portal/app-kit';
import { windowKinds } from '@portal/contract/elections/election-windows';
import type { ElectionWindow, VotingElection } from '@portal/contract/elections/voting';
import { DateText, Disclosure, Icon, Link, LinkButton, StateMark } from '@portal/ui';
import type { ReactNode } from 'react';
import { actOf, hoursApart, monthsOf, timelineOf, windowMarks } from './voting-words.ts';
import styles from './WindowList.module.css';

/** Shares of the time axis that its words take: a month gives way to “Now”, and keeps its line. */
const MONTH_SHARE = 0.15;
const NOW_SHARE = 0.09;

type Window = Pick<ElectionWindow, 'opensAt' | 'closesAt'>;

/**
 * The timetable of an election: one bar on the shared time axis, with a lane for each window; a text about what is open or next; and, on demand, each
 * window with its times and place.
 */
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
  const ahead = windows.filter(window => window.state !== 'closed');
  return (
    <div className={styles.timetable}>
      <div className={styles.track} aria-hidden="true">
        {windows.map(window => {
          const { from, to } = timeline.of(window);
          return (
            <i
              key={window.kind}
              className={styles.bar}
              data-state={window.state}
              style={{ marginLeft: `min(${from * 100}%, 100% - 4px)`, width: `${(to - from) * 100}%` }}
            />
          );
        })}
        {timeline.now !== null && <i className={styles.now} style={{ left: `${timeline.now * 100}%` }} />}
      </div>
      <div className={styles.more}>
        <Disclosure
          summary={
            <span className={styles.phases}>
              {state === 'cancelled'
                ? 'Timetable'
                : ahead.map(({ kind, state: of, words }) => (
                    <span key={kind} data-state={of}>
                      {windowKinds[kind]}: {words.charAt(0).toLowerCase() + words.slice(1)}
                    </span>
                  ))}
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

/** The time axis above the timetables: its months, and the current time; beside it the zones of the times. */
export function TimeAxis({ axis, asOf, clock }: { axis: readonly Window[]; asOf: string; clock: string | null }) {
  const timeline = timelineOf(axis, asOf);
  const { appUrl } = useKit().environment;
  return (
    <div className={styles.axis}>
      <p className="small quiet">{clock}</p>
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
      <Link href={`${appUrl}/calendar/elections.ics`} target="_blank" className={styles.calendar}>
        Calendar<span className="vh"> of all elections, to subscribe to or download</span>
      </Link>
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
