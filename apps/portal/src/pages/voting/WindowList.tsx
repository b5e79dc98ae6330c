import { useDateFormat } from '@portal/app-kit';
import { windowKinds } from '@portal/contract/elections/election-windows';
import type { ElectionWindow, VotingElection } from '@portal/contract/elections/voting';
import { DateText, Icon, LinkButton, StateMark } from '@portal/ui';
import { actOf, timelineOf, windowMarks } from './voting-words.ts';
import styles from './WindowList.module.css';

/** The timetable of an election: each window with its state and its place on one line of time, in local and official time, and the way in. */
export function WindowList({ election, asOf, as }: { election: VotingElection; asOf: string; as: 'member' | 'attendee' }) {
  const { windows, timeZone, state, title } = election;
  const timeline = timelineOf(windows, asOf);
  return (
    <>
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
                    <StateMark state={mark.state}>{window.state === 'CLOSED' ? window.words : mark.words}</StateMark>{' '}
                    {window.state !== 'CLOSED' && <span className="small quiet">{window.words}</span>}
                  </span>
                )}
              </div>
              <div className={styles.middle}>
                <div className={styles.track} aria-hidden="true">
                  <i
                    className={styles.bar}
                    data-state={window.state}
                    style={{ left: `${from * 100}%`, width: `${Math.max(to - from, 0.005) * 100}%` }}
                  />
                  {timeline.now !== null && <i className={styles.now} style={{ left: `${timeline.now * 100}%` }} />}
                </div>
                {state === 'PUBLISHED' && <WayIn window={window} title={title} />}
              </div>
              <Times window={window} timeZone={timeZone} />
            </li>
          );
        })}
      </ul>
      {timeline.now !== null && <p className={styles.legend}>The line across the timetable is now.</p>}
    </>
  );
}

function Times({ window: { opensAt, closesAt }, timeZone }: { window: ElectionWindow; timeZone: string }) {
  const { hourCycle } = useDateFormat();
  const official = { timeZone, hourCycle };
  return (
    <dl className={styles.times}>
      <dt>Your time</dt>
      <dd>
        <DateText value={opensAt} /> to <DateText value={closesAt} />
      </dd>
      <dt>Official time</dt>
      <dd>
        <DateText value={opensAt} format={official} /> to <DateText value={closesAt} format={official} />
      </dd>
    </dl>
  );
}

/** For who may take part, the way there; for the others, where it happens. */
function WayIn({ window: { kind, state, standing, host }, title }: { window: ElectionWindow; title: string }) {
  if (state === 'CLOSED') return null;
  if (standing?.url)
    return (
      <div className={styles.way}>
        <LinkButton
          href={standing.url}
          target="_blank"
          variant={kind === 'NOMINATION' ? undefined : 'primary'}
          aria-label={`${actOf[kind]}: ${title}`}
        >
          {actOf[kind]} <Icon name="external" />
        </LinkButton>
        <span className="small quiet">
          {kind === 'NOMINATION' || kind === 'PROXY_APPOINT'
            ? `Opens ${host} in a new window`
            : `Opens the voting system ${host} in a new window`}
        </span>
      </div>
    );
  const place = kind === 'NOMINATION' || kind === 'PROXY_APPOINT' ? `At ${host}` : `In the voting system ${host}`;
  return (
    <p className={`${styles.way} small quiet`}>
      {place}
      {standing === null && '. Proxies get the address by e-mail'}
      {standing?.reason === 'CORPORATE_ONLY' && `. ${standing.detail}`}
    </p>
  );
}
