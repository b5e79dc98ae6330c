import { MINUTE_MS } from '@portal/contract/days';
import type { RpkiOverview } from '@portal/contract/rpki/desk';
import { DateText, EmptyState, formatCount, KeyValueList, Link, Mono, Sheet, type State, StateMark } from '@portal/ui';
import { AddressText } from '@portal/ui/action/AddressText';
import { objectWords, ofWords } from './rpki-words.ts';
import styles from './Rpki.module.css';

type Publication = RpkiOverview['publication'];

/** How the publisher is: it says that it is well once a minute. */
function publisherState(publisher: Publication['publisher'], now: number): [State, string] {
  if (publisher === null) return ['not-found', 'Has not run yet'];
  if (publisher.failure !== null) return ['invalid', 'Its last round failed'];
  return publisher.succeededAt === null || now - Date.parse(publisher.succeededAt) > 10 * MINUTE_MS
    ? ['warning', 'Not heard of']
    : ['valid', 'Running'];
}

/** The last publication, what is in it, and what waits. @param now in ms since 1970 */
export function PublicationSheet({ publication, now }: { publication: Publication; now: number }) {
  const { session, notification, rsync, tree, objects, manifests, waiting, publisher } = publication;
  const [state, word] = publisherState(publisher, now);
  return (
    <Sheet title="Publication" meta={<StateMark state={state}>{word}</StateMark>}>
      {session === null ? (
        <EmptyState title="No publication yet" picture={false}>
          The first publication follows once a member enables RPKI.
        </EmptyState>
      ) : (
        <KeyValueList
          items={[
            { key: 'Last publication', value: <DateText value={session.publishedAt} shape="utc" /> },
            {
              key: 'Last round without an error',
              value: publisher?.succeededAt ? <DateText value={publisher.succeededAt} shape="utc" /> : 'None yet',
            },
            ...(publisher?.failure ? [{ key: 'Its last error', value: publisher.failure }] : []),
            {
              key: 'Waiting to be published',
              value: <Waiting waiting={waiting} />,
            },
            {
              key: 'Published files',
              value: <Files objects={objects} />,
            },
            ...(manifests.next
              ? [
                  {
                    key: 'Next expiry (manifest, CRL)',
                    value: <FirstToEnd next={manifests.next} />,
                  },
                ]
              : []),
            {
              key: 'RRDP session',
              value: (
                <>
                  <span className={styles.key}>
                    <Mono nowrap={false}>{session.sessionId}</Mono>
                  </span>
                  <span className="quiet small" style={{ display: 'block' }}>
                    Since <DateText value={session.begunAt} shape="utc" />: {session.reason}
                  </span>
                </>
              ),
            },
            { key: 'RRDP serial', value: formatCount(session.serial) },
            {
              key: 'RRDP address',
              value:
                notification === null ? (
                  'RRDP is off: APP_URL needs an https address'
                ) : (
                  <AddressText text={notification} copy="Copy the RRDP address" />
                ),
            },
            {
              key: 'rsync tree',
              value:
                tree === null
                  ? 'Not made yet'
                  : tree.isPresent
                    ? `At serial ${formatCount(tree.serial)}, the present one`
                    : `At serial ${formatCount(tree.serial)}; the next tree follows within minutes`,
            },
            { key: 'rsync address', value: <AddressText text={rsync} copy="Copy the rsync address" /> },
          ]}
        />
      )}
    </Sheet>
  );
}

function FirstToEnd({ next }: { next: NonNullable<Publication['manifests']['next']> }) {
  return (
    <>
      <DateText value={next.nextUpdate} shape="utc" />
      {next.accountName === null ? (
        <span className="quiet small" style={{ display: 'block' }}>
          Of {ofWords[next.of]}
        </span>
      ) : (
        <>
          <br />
          <Link className={styles.account} href={`/desk/accounts/${encodeURIComponent(next.accountName)}`}>
            {next.accountName}
          </Link>
        </>
      )}
    </>
  );
}

function Files({ objects }: { objects: Publication['objects'] }) {
  return (
    <>
      {formatCount(objects.reduce((sum, { count }) => sum + count, 0))}
      <span className="quiet small">
        {objects.map(({ kind, count }) => (
          <span key={kind} style={{ display: 'block' }}>
            {formatCount(count)} {objectWords[kind][count === 1 ? 0 : 1]}
          </span>
        ))}
      </span>
    </>
  );
}

function Waiting({ waiting }: { waiting: Publication['waiting'] }) {
  return waiting.accounts + waiting.messages === 0 ? (
    'No changes'
  ) : (
    <>
      {waiting.accounts > 0 && (
        <>
          Changes of {formatCount(waiting.accounts)} {waiting.accounts === 1 ? 'account' : 'accounts'}
          {waiting.since !== null && (
            <>
              {' '}
              since <DateText value={waiting.since} shape="utc" />
            </>
          )}
        </>
      )}
      {waiting.accounts > 0 && waiting.messages > 0 && ', '}
      {waiting.messages > 0 && `${formatCount(waiting.messages)} requests of self-hosted authorities`}
    </>
  );
}
