import { useDateFormat } from '@portal/app-kit';
import { windowKinds } from '@portal/contract/elections/election-windows';
import type { ElectionWindow, VotingElection } from '@portal/contract/elections/voting';
import { DateText, Icon, LinkButton, StateMark } from '@portal/ui';
import { actOf, hoursApart, monthsOf, timelineOf, windowMarks } from './voting-words.ts';
import styles from './WindowList.module.css';

type Window = Pick<ElectionWindow, 'opensAt' | 'closesAt'>;

/** The windows of an election, each with its state, its place on the line of time that all elections share, its times, and the way in. */
export function WindowList({
  election,
  axis,
  asOf,
  as,
}: {
  election: VotingElection;
  /** The windows of all elections on the page: what the line of time spans. */
  axis: readonly Window[];
  asOf: string;
  as: 'member' | 'attendee';
}) {
  const { windows, timeZone, state, title } = election;
  const own = useDateFormat();
  const apart = hoursApart(windows, timeZone, own.timeZone);
  const timeline = timelineOf(axis, asOf);
  return (
    <ul className={styles.windows} aria-label={`Timetable of ${title}, ${as}`}>
      {windows.map(window => {
        const { from, to } = timeline.of(window);
        const mark = windowMarks[window.state];
        return (
          <li key={window.kind}>
            <div className={styles.name}>
              <span className="strong">{windowKinds[window.kind]}</span>
              {state !== 'CANCELLED' && (
                <span className={styles.state}>
                  {window.state === 'NOT_YET_OPEN' ? (
                    <span className="small quiet">{window.words}</span>
                  ) : (
                    <StateMark state={mark.state}>{window.words}</StateMark>
                  )}
                </span>
              )}
            </div>
            <div className={styles.track} aria-hidden="true">
              <i
                className={styles.bar}
                data-state={window.state}
                style={{ left: `${from * 100}%`, width: `${Math.max(to - from, 0.005) * 100}%` }}
              />
              {timeline.now !== null && <i className={styles.now} style={{ left: `${timeline.now * 100}%` }} />}
            </div>
            <Times window={window} timeZone={timeZone} explained={apart !== null && apart !== 0} />
            {state === 'PUBLISHED' && <WayIn window={window} title={title} electionId={election.electionId} />}
          </li>
        );
      })}
    </ul>
  );
}

/** The line of time above the timetables: its months, and where now is. */
export function TimeAxis({ axis, asOf }: { axis: readonly Window[]; asOf: string }) {
  const timeline = timelineOf(axis, asOf);
  return (
    <div className={styles.axis} aria-hidden="true">
      <div className={styles.months}>
        {monthsOf(axis, asOf).map(({ at, label }) => (
          <span key={label + String(at)} style={{ left: `${at * 100}%` }}>
            {label}
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

/** In the person's zone and the official one; the latter for readers of screens only where the card says how far both are apart. */
function Times({
  window: { opensAt, closesAt },
  timeZone,
  explained,
}: {
  window: ElectionWindow;
  timeZone: string;
  /** The card names the difference between both zones. */
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
            <DateText value={opensAt} /> to <DateText value={closesAt} />
          </dd>
        </div>
      )}
      <div className={explained && !same ? 'vh' : undefined}>
        <dt className={same ? 'vh' : undefined}>Official time</dt>
        <dd>
          <DateText value={opensAt} format={official} /> to <DateText value={closesAt} format={official} />
        </dd>
      </div>
    </dl>
  );
}

/** For who may take part, the way there; for the others, where it happens. */
function WayIn({
  window: { kind, state, eligibility, host },
  title,
  electionId,
}: {
  window: ElectionWindow;
  title: string;
  electionId: string;
}) {
  if (state === 'CLOSED') return null;
  const inPortal =
    kind === 'MEMBER_VOTE' && eligibility?.url ? `/voting/${electionId}/cast` : eligibility?.url?.startsWith('/') && eligibility.url;
  if (inPortal)
    return (
      <div className={styles.way}>
        <LinkButton
          href={inPortal}
          size="s"
          variant={kind === 'NOMINATION' ? undefined : 'primary'}
          aria-label={`${actOf[kind]}: ${title}`}
        >
          {actOf[kind]}
        </LinkButton>
      </div>
    );
  if (eligibility?.url)
    return (
      <div className={styles.way}>
        <LinkButton
          href={eligibility.url}
          target="_blank"
          size="s"
          variant={kind === 'NOMINATION' ? undefined : 'primary'}
          aria-label={`${actOf[kind]}: ${title}`}
        >
          {actOf[kind]} <Icon name="external" />
        </LinkButton>
        <span className="vh">
          {kind === 'NOMINATION' || kind === 'PROXY_APPOINT'
            ? `Opens ${host} in a new window`
            : `Opens the voting system ${host} in a new window`}
        </span>
      </div>
    );
  const alreadyDone = eligibility?.reason === 'PROXY_APPOINTED' || eligibility?.reason === 'ALREADY_VOTED';
  if (alreadyDone)
    return (
      <p className={`${styles.way} small quiet`}>
        {eligibility.message}. {eligibility.detail}.
      </p>
    );
  if (host === null)
    return kind === 'PROXY_APPOINT' && eligibility?.reason === 'CORPORATE_ONLY' && state === 'OPEN' ? (
      <p className={`${styles.way} small quiet`}>{eligibility.detail}.</p>
    ) : null;
  const place = kind === 'NOMINATION' || kind === 'PROXY_APPOINT' ? `At ${host}` : `In the voting system ${host}`;
  // What is far off needs no address yet, but for voting itself.
  if (kind !== 'MEMBER_VOTE' && kind !== 'ATTENDEE_VOTE' && state !== 'OPEN') return null;
  return (
    <p className={`${styles.way} small quiet`}>
      {place}
      {eligibility === null && '. Proxies get the address by e-mail'}
      {eligibility?.reason === 'CORPORATE_ONLY' && `. ${eligibility.detail}`}
    </p>
  );
}
