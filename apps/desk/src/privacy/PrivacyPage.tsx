import { FailureBanner, Page, useAnswer, useChange, useDownload, useRefusal } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import { type EndingKind, type LegalHold, privacy } from '@portal/contract/privacy/privacy';
import { Banner, Button, DateText, EmptyState, formatCount, Link, Sheet, Stack } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { useState } from 'react';
import { AgreeDialog, HoldDialog, ReleaseDialog } from './HoldDialogs.tsx';
import { Erasures } from './Erasures.tsx';
import styles from './Privacy.module.css';
import { countedInWords, figuresOf, monthsInWords } from './privacy-words.ts';

const columns: Column<EndingKind>[] = [
  {
    id: 'data',
    label: 'Data',
    fixed: true,
    wrap: true,
    width: '36%',
    card: 'key',
    text: ({ data }) => data,
    cell: ({ data, purpose }) => (
      <div className={styles.data}>
        <b className="strong">{data}</b>
        <span className="quiet small">{purpose}</span>
      </div>
    ),
  },
  {
    id: 'kept',
    label: 'Kept',
    wrap: true,
    width: '20%',
    card: 'wide',
    cell: ({ months, from, shorter }) => (
      <div className={styles.kept}>
        <b>{monthsInWords(months)}</b> <span className="quiet small">{from}</span>
        {shorter && (
          <span className="small">
            {monthsInWords(shorter.months)} from <DateText value={shorter.at} shape="date" />
          </span>
        )}
      </div>
    ),
  },
  { id: 'over', label: 'Next run', align: 'end', cell: row => <NextRun row={row} /> },
  { id: 'held', label: 'On hold', align: 'end', cell: ({ held }) => <Counted rows={held} /> },
  { id: 'ended', label: 'Deleted, 30 days', align: 'end', cell: ({ ended }) => <Counted rows={ended} /> },
  {
    id: 'next',
    label: 'Next due',
    cell: ({ nextOn }) => (nextOn === null ? <span className="quiet">No data</span> : <DateText value={nextOn} shape="date" />),
  },
];

/** /desk/privacy: which personal data ends when, what the next run deletes, and what a legal hold keeps. */
export default function PrivacyPage() {
  const { kinds, holds, lastRunAt, failure, clock, perRun } = useAnswer(privacy.getRetention, {});
  const save = useDownload(privacy.exportRetention);
  return (
    <Page
      title={pages.deskPrivacy.title}
      sub={
        <>
          How long personal data is kept, in the words of the <Link href="/privacy">privacy page</Link>, and what is deleted next.
        </>
      }
      actions={
        <Button icon="download" onClick={() => void save({})}>
          Export all kinds
        </Button>
      }
    >
      <Stack gap={16}>
        {clock !== null && (
          <Banner kind="error" title="Nothing is deleted">
            {clock}
          </Banner>
        )}
        {failure !== null && (
          <Banner kind="warning" title="The last run didn’t delete everything">
            It is tried again every hour. An operator finds the reason in “registry status”.
          </Banner>
        )}
        <Sheet
          flush
          title="Data with an end"
          meta={
            lastRunAt === null ? (
              'Not run yet'
            ) : (
              <>
                Last run <DateText value={lastRunAt} />
              </>
            )
          }
          footer={
            <p className={styles.rules}>
              The periods are in the registry’s profile; a shorter one counts after a week. A run deletes at most {perRun} rows of a kind,
              the oldest first, and the next one follows within an hour. Where a large part of the data is over, runs wait for two people.
              Deleted data is also removed from the history, and can’t be restored.
            </p>
          }
        >
          <dl className={styles.figures}>
            {figuresOf(kinds).map(({ words, value, note }) => (
              <div key={words}>
                <dt>{words}</dt>
                <dd>
                  {value}
                  {note && <span className="quiet small">{note}</span>}
                </dd>
              </div>
            ))}
          </dl>
          <DataTable caption="Data with an end" columns={columns} rows={kinds} rowId={({ kind }) => kind} state={emptyTableState} />
        </Sheet>
        <Holds count={holds} />
        <Erasures />
      </Stack>
    </Page>
  );
}

/** Legal holds: read with a press, for each look is logged. */
function Holds({ count }: { count: number }) {
  const refusal = useRefusal(privacy.placeHold);
  const [placing, setPlacing] = useState(false);
  const look = useChange(privacy.listHolds, { showsErrors: true });
  const again = () => look.mutate({});
  // Released by two people meanwhile, perhaps on another page.
  const holds = count === 0 ? [] : look.data?.holds;
  return (
    <Sheet
      flush={holds !== undefined && holds.length > 0}
      title="Legal holds"
      meta={count > 0 && formatCount(count)}
      actions={
        <Button size="s" refusal={refusal} refusalIn="note" onClick={() => setPlacing(true)}>
          Place a hold
        </Button>
      }
    >
      <FailureBanner failure={look.error} />
      {holds === undefined ? (
        <Stack gap={12}>
          <p className="quiet">
            {count === 1 ? 'One hold counts' : `${formatCount(count)} holds count`} now. Each look at whose data is held is logged as access
            to personal data.
          </p>
          <div>
            <Button busy={look.isPending} onClick={again}>
              Show the holds
            </Button>
          </div>
        </Stack>
      ) : holds.length === 0 ? (
        <EmptyState title="No legal holds" picture={false}>
          Place one when a court, an authority or a dispute asks for data. What would end on this page stays until two people release the
          hold.
        </EmptyState>
      ) : (
        <ul className={styles.holds} aria-label="Legal holds">
          {holds.map(hold => (
            <Hold key={hold.legalHoldId} hold={hold} onReleased={again} />
          ))}
        </ul>
      )}
      {placing && <HoldDialog onClose={() => setPlacing(false)} onDone={again} />}
    </Sheet>
  );
}

/** A number of rows; none is quiet. */
const Counted = ({ rows }: { rows: number }) => (rows === 0 ? <span className="quiet">None</span> : countedInWords(rows));

/** Rows that the next run deletes, or that wait for two people. */
function NextRun({ row }: { row: EndingKind }) {
  const refusal = useRefusal(privacy.agreeToEnding);
  const [agreeing, setAgreeing] = useState(false);
  if (row.waitsSince === null) return <Counted rows={row.over} />;
  return (
    <div className={styles.waits}>
      <span>{countedInWords(row.over)}</span>
      <span className="small">waits for two people</span>
      <Button size="s" refusal={refusal} refusalIn="note" aria-label={`Let runs delete: ${row.data}`} onClick={() => setAgreeing(true)}>
        Let it run
      </Button>
      {agreeing && <AgreeDialog row={row} onClose={() => setAgreeing(false)} />}
    </div>
  );
}

function Hold({ hold, onReleased }: { hold: LegalHold; onReleased: () => void }) {
  const { kind, about, name, reason, placedBy, placedAt } = hold;
  const refusal = useRefusal(privacy.releaseHold);
  const [releasing, setReleasing] = useState(false);
  return (
    <li className={styles.hold}>
      <div className={styles.about}>
        <p>
          {kind === 'account' ? (
            <Link href={`/desk/accounts/${encodeURIComponent(about)}`}>{about}</Link>
          ) : (
            <b className="strong">{about}</b>
          )}{' '}
          <bdi>{name}</bdi>
        </p>
        <p>
          <bdi>{reason}</bdi>
        </p>
        <p className="quiet small">
          Placed by <bdi>{placedBy}</bdi>, <DateText value={placedAt} shape="date" />
        </p>
      </div>
      <Button size="s" refusal={refusal} refusalIn="note" aria-label={`Release the hold on ${about}`} onClick={() => setReleasing(true)}>
        Release
      </Button>
      {releasing && <ReleaseDialog hold={hold} onDone={onReleased} onClose={() => setReleasing(false)} />}
    </li>
  );
}
