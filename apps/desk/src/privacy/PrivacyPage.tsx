import { Page, useAnswer, useDownload, useRefusal } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import { type EndingKind, type LegalHold, privacy } from '@portal/contract/privacy/privacy';
import { Banner, Button, DateText, EmptyState, Link, Sheet, Stack } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { useState } from 'react';
import { AgreeDialog, HoldDialog, ReleaseDialog } from './HoldDialogs.tsx';
import { countedInWords, monthsInWords } from './privacy-words.ts';

const columns: Column<EndingKind>[] = [
  {
    id: 'data',
    label: 'Data',
    fixed: true,
    card: 'key',
    text: ({ data }) => data,
    cell: ({ data, purpose }) => (
      <>
        <b className="strong">{data}</b>
        <br />
        <span className="quiet small">{purpose}</span>
      </>
    ),
  },
  {
    id: 'kept',
    label: 'Kept',
    cell: ({ months, from, shorter }) => (
      <>
        {monthsInWords(months)} <span className="quiet">{from}</span>
        {shorter && (
          <>
            <br />
            <span className="small">
              {monthsInWords(shorter.months)} from <DateText value={shorter.at} shape="date" />
            </span>
          </>
        )}
      </>
    ),
  },
  { id: 'over', label: 'Next run', align: 'end', cell: row => <NextRun row={row} /> },
  { id: 'held', label: 'On hold', align: 'end', cell: ({ held }) => countedInWords(held) },
  { id: 'ended', label: 'Deleted, 30 days', align: 'end', cell: ({ ended }) => countedInWords(ended) },
  {
    id: 'next',
    label: 'Then from',
    cell: ({ nextOn }) => (nextOn === null ? <span className="quiet">No data</span> : <DateText value={nextOn} shape="date" />),
  },
];

/** /desk/privacy: which personal data ends when, what the next run deletes, and what a legal hold keeps. */
export default function PrivacyPage() {
  const { kinds, holds, lastRunAt, failure, clock, perRun } = useAnswer(privacy.getRetention, {});
  const save = useDownload(privacy.exportRetention);
  const refusal = useRefusal(privacy.placeHold);
  const [placing, setPlacing] = useState(false);
  return (
    <Page
      title={pages.deskPrivacy.title}
      sub="How long personal data is kept, and what is deleted next. The periods are in the registry’s profile."
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
        >
          <DataTable caption="Data with an end" columns={columns} rows={kinds} rowId={({ kind }) => kind} state={emptyTableState} />
        </Sheet>
        <p className="quiet small">
          A run deletes at most {perRun} rows of a kind, the oldest first, and the next one follows within an hour. Deleted data is also
          removed from the history, and can’t be restored. A shorter period in the profile counts after a week. When a large part of the
          data would be deleted, runs wait for two people.
        </p>
        <Sheet
          title="Legal holds"
          meta={holds.length > 0 && holds.length}
          actions={
            <Button size="s" refusal={refusal} refusalIn="note" onClick={() => setPlacing(true)}>
              Place a hold
            </Button>
          }
        >
          {holds.length === 0 ? (
            <EmptyState title="No legal holds" picture={false}>
              Place one when a court, an authority or a dispute asks for data. What would end on this page stays until two people release
              the hold.
            </EmptyState>
          ) : (
            <ul aria-label="Legal holds">
              {holds.map(hold => (
                <Hold key={hold.legalHoldId} hold={hold} />
              ))}
            </ul>
          )}
        </Sheet>
      </Stack>
      {placing && <HoldDialog onClose={() => setPlacing(false)} />}
    </Page>
  );
}

/** What the next run deletes, or that it waits for two people. */
function NextRun({ row }: { row: EndingKind }) {
  const refusal = useRefusal(privacy.agreeToEnding);
  const [agreeing, setAgreeing] = useState(false);
  if (row.waitsSince === null) return countedInWords(row.over);
  return (
    <>
      {countedInWords(row.over)} <span className="small">waits for two people</span>
      <Button size="s" refusal={refusal} refusalIn="note" aria-label={`Let runs delete: ${row.data}`} onClick={() => setAgreeing(true)}>
        Let it run
      </Button>
      {agreeing && <AgreeDialog row={row} onClose={() => setAgreeing(false)} />}
    </>
  );
}

function Hold({ hold }: { hold: LegalHold }) {
  const { kind, about, name, reason, placedBy, placedAt } = hold;
  const refusal = useRefusal(privacy.releaseHold);
  const [releasing, setReleasing] = useState(false);
  return (
    <li>
      <p>
        {kind === 'account' ? <Link href={`/desk/accounts/${encodeURIComponent(about)}`}>{about}</Link> : <b>{about}</b>} <bdi>{name}</bdi>
      </p>
      <p>
        <bdi>{reason}</bdi>
      </p>
      <p className="quiet small">
        Placed by <bdi>{placedBy}</bdi> on <DateText value={placedAt} />
      </p>
      <Button size="s" refusal={refusal} refusalIn="note" aria-label={`Release the hold on ${about}`} onClick={() => setReleasing(true)}>
        Release
      </Button>
      {releasing && <ReleaseDialog hold={hold} onClose={() => setReleasing(false)} />}
    </li>
  );
}
