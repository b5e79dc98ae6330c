import { useDateFormat } from '@portal/app-kit';
import type { DeskHome } from '@portal/contract/staff/desk-home';
import { MINUTE_MS } from '@portal/contract/days';
import { pages } from '@portal/contract/pages';
import { formatCount, Link, Sheet, StateMark } from '@portal/ui';
import type { ReactNode } from 'react';
import { useMay } from '../shell/use-may.ts';
import styles from './Home.module.css';
import { ageInWords, oldInWords } from './home-words.ts';

type Machines = NonNullable<DeskHome['machines']>;
type Feed = Machines['feeds'][number];
/** E-mails that wait longer than this are stuck. */
const MAIL_MINUTES = 15;

/** The reports of the machines: how fresh everything is that is published or sent, and the last day of whois and mail. */
export function Pulse({ machines: { feeds, jobs, lateJobs, mail, whois }, at }: { machines: Machines; at: string }) {
  const may = useMay();
  const made = feeds.filter(({ asOf }) => asOf !== null);
  const lateFeeds = made.filter(({ late }) => late).length;
  const oldest = mail.oldestAt === null ? 0 : minutesBetween(mail.oldestAt, at);
  const of = (name: Feed['name']): Feed | undefined => feeds.find(each => each.name === name);
  const rest = made.filter(({ name }) => name !== 'whois' && name !== 'mail');
  const sum = (counts: readonly number[]): number => counts.reduce((all, each) => all + each, 0);
  return (
    <Sheet
      flush
      title="Pulse"
      meta={
        <>
          {lateFeeds === 0 ? (
            <StateMark plain state="valid">
              Everything is fresh
            </StateMark>
          ) : (
            <StateMark plain state="warning">
              {lateFeeds === 1 ? '1 is late' : `${lateFeeds} are late`}
            </StateMark>
          )}
          {lateJobs.length > 0 && (
            <StateMark plain state="warning">
              {lateJobs.length === 1 ? '1 job late' : `${lateJobs.length} jobs late`}
            </StateMark>
          )}
          <span className="quiet small">last 24 hours</span>
        </>
      }
      actions={<Link href={pages.deskRegistryData.path}>All feeds</Link>}
    >
      <ul className={styles.pulse}>
        <PulseRow
          name="Whois"
          detail={`serial ${formatCount(whois.serial)}`}
          picture={<Bars counts={whois.changes} what="changes of whois objects" />}
          state={<FeedState feed={of('whois')} at={at} />}
          more={`${formatCount(sum(whois.changes))} changes in 24 hours`}
        />
        <PulseRow
          name="Mail"
          detail={mail.waiting === 0 ? 'queue empty' : `${formatCount(mail.waiting)} in the queue`}
          picture={<Bars counts={mail.written} what="e-mails" />}
          state={
            <StateMark plain state={oldest > MAIL_MINUTES ? 'warning' : 'valid'}>
              {mail.oldestAt === null ? 'All sent' : `Oldest ${ageInWords(oldest)}`}
            </StateMark>
          }
          more={`${formatCount(sum(mail.written))} in 24 hours, ${formatCount(mail.refused)} refused`}
        />
        <DayAxis at={at} counts={[whois.changes, mail.written]} />
        {rest.map(feed => (
          <PulseRow
            key={feed.name}
            name={feed.title}
            detail={feed.most === null ? 'not watched' : `within ${ageInWords(feed.most)}`}
            picture={<Freshness feed={feed} at={at} />}
            state={<FeedState feed={feed} at={at} />}
            more={feed.asOf === null ? '' : oldInWords(minutesBetween(feed.asOf, at))}
          />
        ))}
        <PulseRow
          name="Periodic work"
          detail={`${jobs - lateJobs.length} of ${jobs} on time`}
          picture={
            <span className={styles.jobs} aria-hidden="true">
              {Array.from({ length: jobs }, (_, place) => (
                <i key={place} data-late={place < lateJobs.length || undefined} />
              ))}
            </span>
          }
          state={
            lateJobs.length === 0 ? (
              <StateMark plain state="valid">
                On time
              </StateMark>
            ) : (
              <StateMark plain state="warning">
                {lateJobs[0]!.name}
                {lateJobs[0]!.minutes !== null && `, ${ageInWords(lateJobs[0]!.minutes)}`}
              </StateMark>
            )
          }
          more={
            lateJobs.length > 1 ? (
              `and ${lateJobs.length - 1} more`
            ) : may(pages.deskSetAside) ? (
              <Link href={pages.deskSetAside.path}>Set aside</Link>
            ) : (
              ''
            )
          }
        />
      </ul>
    </Sheet>
  );
}

const minutesBetween = (from: string, to: string): number => Math.max(0, (Date.parse(to) - Date.parse(from)) / MINUTE_MS);

function PulseRow({
  name,
  detail,
  picture,
  state,
  more,
}: {
  name: string;
  detail: string;
  picture: ReactNode;
  state: ReactNode;
  more: ReactNode;
}) {
  return (
    <li>
      <span className={styles.pulseName}>
        <b>{name}</b>
        <span className="mono">{detail}</span>
      </span>
      <span className={styles.pulsePicture}>{picture}</span>
      <span className={styles.pulseState}>
        {state}
        <span className={styles.quiet}>{more}</span>
      </span>
    </li>
  );
}

function FeedState({ feed, at }: { feed: Feed | undefined; at: string }) {
  if (!feed || feed.asOf === null)
    return (
      <StateMark plain state="not-found">
        Not made here
      </StateMark>
    );
  return feed.late ? (
    <StateMark plain state="warning">
      {oldInWords(minutesBetween(feed.asOf, at))}
    </StateMark>
  ) : (
    <StateMark plain state="valid">
      Fresh
    </StateMark>
  );
}

/** The last day under the bars of whois and mail, with now at its end, and since when something was counted where that is short. */
function DayAxis({ at, counts }: { at: string; counts: readonly (readonly number[])[] }) {
  const { timeZone } = useDateFormat();
  const clock = (hoursBefore: number): string =>
    new Date(Date.parse(at) - hoursBefore * 60 * MINUTE_MS).toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
  // Half hours since the first one with a count, on either picture.
  const halves = Math.max(
    ...counts.map(parts => (parts.some(count => count > 0) ? parts.length - parts.findIndex(count => count > 0) : 0)),
  );
  return (
    <li className={styles.dayAxis}>
      <span className={styles.quiet}>{halves > 0 && halves <= 12 && `Nothing counted before ${clock(halves / 2)}`}</span>
      <span className={styles.dayScale} aria-hidden="true">
        {[24, 18, 12, 6].map(before => (
          <span key={before} style={{ insetInlineStart: `${((24 - before) / 24) * 100}%` }}>
            {clock(before)}
          </span>
        ))}
        <b>now</b>
      </span>
    </li>
  );
}

/** Half hours of the last day, the latest at the right; the tallest is the most. */
function Bars({ counts, what }: { counts: readonly number[]; what: string }) {
  const most = Math.max(1, ...counts);
  const all = counts.reduce((sum, each) => sum + each, 0);
  return (
    <>
      <span className={styles.bars} aria-hidden="true">
        {counts.map((count, part) => (
          // oxlint-disable-next-line react/no-array-index-key -- a half hour has no other name
          <i
            key={part}
            style={{ blockSize: count === 0 ? 1 : `${Math.max(8, (count / most) * 100)}%` }}
            data-none={count === 0 || undefined}
          />
        ))}
      </span>
      <span className="vh">
        {formatCount(all)} {what} in 24 hours, {formatCount(most)} at most in half an hour
      </span>
    </>
  );
}

/** The age of a feed, as a share of the greatest that is allowed. */
function Freshness({ feed: { asOf, most, late }, at }: { feed: Feed; at: string }) {
  const age = asOf === null ? 0 : minutesBetween(asOf, at);
  const share = most === null ? 0 : Math.min(1, age / most);
  return (
    <>
      <span className={styles.fresh} aria-hidden="true">
        <i data-late={late || undefined} style={{ inlineSize: `${share * 100}%` }} />
      </span>
      <span className="vh">{most === null ? oldInWords(age) : `${oldInWords(age)}, of ${ageInWords(most)} at most`}</span>
    </>
  );
}
