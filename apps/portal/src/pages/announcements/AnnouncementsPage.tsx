import { Page, type PageReads, read, type ReadsOf, useAddress, useChange, useKit, useSteadyRead } from '@portal/app-kit';
import { type Announcement, announcementCategories, severities, stages } from '@portal/contract/announcements/announcement-shapes';
import { announcements } from '@portal/contract/announcements/announcements';
import { pages } from '@portal/contract/pages';
import { servicesInWords } from '@portal/contract/service-names';
import {
  Badge,
  Button,
  CopyButton,
  DateFormatSetting,
  DateText,
  EmptyState,
  formatDate,
  Link,
  Row,
  Segmented,
  Sheet,
  Stack,
  StateMark,
} from '@portal/ui';
import { useContext } from 'react';
import styles from './Announcements.module.css';
import { OwnFeed, ownFeedOf } from './OwnFeed.tsx';

const views = ['current', 'all'] as const;

function announcementsOf(address: ReadsOf['address']) {
  const before = Number(address.get('before'));
  const isCurrent = address.oneOf('view', views) === 'current' && address.get('announcement') === null;
  return read(announcements.listAnnouncements, { query: { current: isCurrent ? 'true' : 'false', ...(before > 0 && { before }) } });
}
export const reads: PageReads = ({ address }) => [announcementsOf(address), ownFeedOf()];

/** `/announcements`: what the registry announced to the person, and the feeds. */
export default function AnnouncementsPage() {
  const address = useAddress();
  const { appUrl } = useKit().environment;
  const view = address.oneOf('view', views);
  const chosen = address.get('announcement');
  const { answer, stale } = useSteadyRead(announcementsOf(address));
  const one = answer.rows.filter(({ announcementId }) => announcementId === chosen);
  const rows = one.length > 0 ? one : answer.rows;
  return (
    <Page
      title={pages.announcements.title}
      sub="Maintenance, policy, fees and security. Choose how you get them under Notification settings."
      actions={
        <Segmented
          label="Announcements"
          value={view}
          options={[
            { value: 'current', label: 'Current' },
            { value: 'all', label: 'All' },
          ]}
          onChange={value => address.set({ view: value === 'current' ? null : value, before: null, announcement: null })}
        />
      }
    >
      <Stack gap={16}>
        {one.length > 0 && (
          <p className="small">
            <Link href={pages.announcements.path}>All current announcements</Link>
          </p>
        )}
        {rows.length === 0 ? (
          <Sheet flush>
            <EmptyState title={view === 'current' ? 'No current announcements' : 'No announcements yet'} picture={false}>
              What the registry announces to you appears here.
            </EmptyState>
          </Sheet>
        ) : (
          <Stack gap={16} aria-busy={stale}>
            {rows.map(each => (
              <OneAnnouncement key={each.announcementId} announcement={each} />
            ))}
          </Stack>
        )}
        <Row wrap>
          {Number(address.get('before')) > 0 && (
            <Button onClick={() => address.set({ before: null }, { step: true })} size="s">
              Newest
            </Button>
          )}
          {answer.next !== null && one.length === 0 && (
            <Button onClick={() => address.set({ before: String(answer.next) }, { step: true })} size="s">
              Older
            </Button>
          )}
        </Row>
        <Sheet title="Feeds">
          <Stack gap={16}>
            <div>
              <p className="small quiet">Announcements for everyone, for feed readers and programs.</p>
              <ul className={styles.feeds}>
                {(['atom', 'json'] as const).map(kind => (
                  <li key={kind}>
                    <Link href={`${appUrl}/feeds/announcements.${kind}`} target="_blank">
                      {kind === 'atom' ? 'Atom' : 'JSON Feed'}
                      <span className="vh">, in a new window</span>
                    </Link>
                    <CopyButton
                      text={`${appUrl}/feeds/announcements.${kind}`}
                      label={`Copy the address of the ${kind === 'atom' ? 'Atom feed' : 'JSON Feed'}`}
                    />
                  </li>
                ))}
              </ul>
            </div>
            <OwnFeed />
          </Stack>
        </Sheet>
      </Stack>
    </Page>
  );
}

const marks = { info: 'info', warning: 'warning', critical: 'invalid' } as const;

function OneAnnouncement({ announcement }: { announcement: Announcement }) {
  const { announcementId, category, severity, title, body, publishedAt, expiresAt, current, requiresAck, acknowledgedAt, affects } =
    announcement;
  const { notify } = useKit();
  const acknowledge = useChange(announcements.acknowledgeAnnouncement, {
    refresh: [announcements.listAnnouncements, announcements.listBanners],
    onDone: () => notify({ text: 'Acknowledged. Thank you.' }),
  });
  return (
    <Sheet
      title={title}
      meta={
        <Row gap={8}>
          {severity !== 'info' && <StateMark state={current ? marks[severity] : 'closed'}>{severities[severity]}</StateMark>}
          <Badge>{announcementCategories[category]}</Badge>
        </Row>
      }
    >
      <Stack gap={8}>
        <p className="small quiet">
          <DateText value={publishedAt} />
          {expiresAt && (
            <>
              , {current ? 'until' : 'ended'} <DateText value={expiresAt} />
            </>
          )}
          {affects.length > 0 && `. Affects ${affects.join(', ')}`}
        </p>
        <Happening announcement={announcement} />
        <div className={styles.body} dir="auto">
          {body}
        </div>
        {acknowledgedAt ? (
          requiresAck && (
            <p className="small quiet">
              You acknowledged it on <DateText value={acknowledgedAt} />.
            </p>
          )
        ) : requiresAck ? (
          <div>
            <Button variant="primary" busy={acknowledge.isPending} onClick={() => acknowledge.mutate({ announcementId })}>
              Acknowledge
            </Button>
          </div>
        ) : null}
      </Stack>
    </Sheet>
  );
}

/** When the incident or work happens, what it affects, and what became known since. */
function Happening({ announcement: { happensFrom, happensUntil, services, concerns, updates } }: { announcement: Announcement }) {
  const format = useContext(DateFormatSetting);
  const dayOf = (instant: string | null) => instant && formatDate(instant, format, 'date');
  const isOneDay = dayOf(happensFrom) === dayOf(happensUntil);
  return (
    <>
      {happensFrom && (
        <p>
          <b>
            <DateText value={happensFrom} />
            {happensUntil && (
              <>
                {' to '}
                <DateText value={happensUntil} shape={isOneDay ? 'time' : 'date-time'} />
              </>
            )}
          </b>
        </p>
      )}
      {(services.length > 0 || concerns.length > 0) && (
        <dl className={styles.about}>
          {services.length > 0 && (
            <div>
              <dt>Affected services</dt>
              <dd>{servicesInWords(services)}</dd>
            </div>
          )}
          {concerns.length > 0 && (
            <div>
              <dt>About</dt>
              <dd className="mono">{concerns.join(', ')}</dd>
            </div>
          )}
        </dl>
      )}
      {updates.length > 0 && (
        <ol className={styles.updates} aria-label="Updates">
          {updates.map(({ stage, text, at }) => (
            <li key={at}>
              <b>{stages[stage]}</b>{' '}
              <span className="small quiet">
                <DateText value={at} />
              </span>
              <div className={styles.body} dir="auto">
                {text}
              </div>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
