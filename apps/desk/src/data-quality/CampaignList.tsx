import { useAnswer, useChange, useKit } from '@portal/app-kit';
import { type Campaign, campaigns } from '@portal/contract/data-quality/campaigns';
import type { FindingKey } from '@portal/contract/data-quality/findings';
import { Button, DateText, formatCount, Sheet, StateMark } from '@portal/ui';
import { ConfirmDialog } from '@portal/ui/overlay/Dialog';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { useState } from 'react';
import { useMay } from '../shell/use-may.ts';
import styles from './DataQuality.module.css';
import { peopleInWords } from './quality-words.ts';

const marks = {
  sending: { state: 'pending', words: 'Being sent' },
  sent: { state: 'valid', words: 'Sent' },
  stopped: { state: 'closed', words: 'Stopped' },
} as const;

/** The people of a campaign by what became of their e-mail. */
function Reached({ campaign: { state, people, sent, curedBefore, failed } }: { campaign: Campaign }) {
  const done = sent + curedBefore + failed;
  if (state === 'sending')
    return (
      <div className={styles.share}>
        <i aria-hidden="true">
          <i style={{ inlineSize: `${Math.min(100, (done / people) * 100)}%` }} />
        </i>
        <span>
          {formatCount(done)} of {peopleInWords(people)}
        </span>
      </div>
    );
  const rest = [
    curedBefore > 0 && `${formatCount(curedBefore)} had put it right before`,
    failed > 0 && `${formatCount(failed)} failed`,
    state === 'stopped' && done < people && `${formatCount(people - done)} not written to`,
  ].filter(Boolean);
  return (
    <div>
      {peopleInWords(sent)}
      {rest.length > 0 && <div className={styles.detail}>{rest.join(', ')}</div>}
    </div>
  );
}

function Effect({ campaign: { state, sent, cured, curedAt, measuredOn } }: { campaign: Campaign }) {
  if (state === 'sending' || measuredOn === null) return <span className="quiet">After it is sent</span>;
  const isFinal = curedAt !== null && curedAt >= measuredOn;
  return (
    <div>
      {cured === null || curedAt === null ? (
        <span className="quiet">Not counted yet</span>
      ) : (
        <b>
          {formatCount(cured)} of {formatCount(sent)} put it right
        </b>
      )}
      <div className={styles.detail}>
        {isFinal ? 'Final, ' : 'Counted until '}
        <DateText value={isFinal ? curedAt : measuredOn} shape="date" />
      </div>
    </div>
  );
}

const columnsFor = (onStop: ((campaign: Campaign) => void) | null): Column<Campaign>[] => [
  {
    id: 'subject',
    label: 'Campaign',
    card: 'key',
    fixed: true,
    wrap: true,
    cell: ({ subject, economy, accountStatus }) => (
      <>
        <bdi>{subject}</bdi>
        {(economy !== null || accountStatus !== null) && (
          <div className={styles.detail}>Only {[economy, accountStatus].filter(Boolean).join(', ')}</div>
        )}
      </>
    ),
  },
  {
    id: 'sent',
    label: 'Sent by',
    fixed: true,
    wrap: true,
    cell: ({ startedBy, startedAt }) => (
      <div>
        <bdi>{startedBy}</bdi>
        <div className={styles.detail}>
          <DateText value={startedAt} />
        </div>
      </div>
    ),
  },
  {
    id: 'state',
    label: 'State',
    fixed: true,
    card: 'state',
    cell: campaign => (
      <>
        <StateMark state={marks[campaign.state].state}>{marks[campaign.state].words}</StateMark>
        {campaign.state === 'sending' && onStop && (
          <div>
            <Button size="s" variant="quiet" aria-label={`Stop ${campaign.subject}`} onClick={() => onStop(campaign)}>
              Stop
            </Button>
          </div>
        )}
      </>
    ),
  },
  { id: 'people', label: 'Written to', fixed: true, wrap: true, cell: campaign => <Reached campaign={campaign} /> },
  { id: 'effect', label: 'Effect', fixed: true, wrap: true, cell: campaign => <Effect campaign={campaign} /> },
];

/** The campaigns of a finding, the latest first: who sent them, how far they are and what they changed. */
export function CampaignList({ finding }: { finding: FindingKey }) {
  const { rows, total, effectDays } = useAnswer(campaigns.listCampaigns, { query: { finding } });
  const may = useMay();
  const { notify } = useKit();
  const [stopping, setStopping] = useState<Campaign | null>(null);
  const stop = useChange(campaigns.stopCampaign, {
    refresh: [campaigns.listCampaigns],
    onDone: () => {
      notify({ text: 'The campaign is stopped.' });
      setStopping(null);
    },
  });
  return (
    <Sheet
      flush
      title="Campaigns"
      meta={total > rows.length ? `The latest ${rows.length} of ${formatCount(total)}` : `The effect is counted for ${effectDays} days`}
    >
      {rows.length === 0 ? (
        <p className="quiet" style={{ margin: 0, padding: '12px 16px' }}>
          No campaigns yet. A campaign writes once to the people who can put this right, and counts who did.
        </p>
      ) : (
        <DataTable
          caption="Campaigns, the latest first"
          columns={columnsFor(may(campaigns.stopCampaign) ? setStopping : null)}
          rows={rows}
          rowId={({ campaignId }) => campaignId}
          state={emptyTableState}
          total={rows.length}
        />
      )}
      {stopping && (
        <ConfirmDialog
          open
          onClose={() => setStopping(null)}
          title={`Stop “${stopping.subject}”`}
          act="Stop the campaign"
          kind="danger"
          busy={stop.isPending}
          onAct={() => stop.mutate({ campaignId: stopping.campaignId, body: {} })}
        >
          <p>
            People who weren’t written to yet get no e-mail. E-mails that were sent can’t be taken back, and the campaign can’t be
            continued.
          </p>
        </ConfirmDialog>
      )}
    </Sheet>
  );
}
