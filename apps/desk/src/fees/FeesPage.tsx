import { Page, useAddress, useAnswer, useRefusal } from '@portal/app-kit';
import { type FeeDesk, feeSchedules, scheduleKinds } from '@portal/contract/billing/fee-schedules';
import { pages } from '@portal/contract/pages';
import { Banner, Button, EmptyState, Sheet, Stack } from '@portal/ui';
import { useState } from 'react';
import { AnnouncedFeesTable } from './AnnouncedFeesTable.tsx';
import { DraftView } from './DraftView.tsx';
import { DraftList } from './DraftList.tsx';
import { FeeLine } from './FeeLine.tsx';
import { PrepareFees } from './PrepareFees.tsx';

/** /desk/fees: fees as they were announced, and others that one person prepares and a second one approves; with `draft` in the address, these alone. */
export default function FeesPage() {
  const draft = useAddress().get('draft');
  return draft === null ? <Fees /> : <DraftView key={draft} draftId={draft} />;
}

function Fees() {
  const desk = useAnswer(feeSchedules.getFees, {});
  const [preparing, setPreparing] = useState(false);
  const refusal = useRefusal(feeSchedules.prepareFees);
  return (
    <Page
      title={pages.deskFees.title}
      sub="What a membership costs, as it was announced. Announced fees are never changed."
      actions={
        !preparing && (
          <Button refusal={refusal} refusalIn="note" onClick={() => setPreparing(true)}>
            Prepare fees
          </Button>
        )
      }
    >
      <Stack gap={16}>
        <Missing desk={desk} />
        <Unbilled desk={desk} />
        <FeeLine desk={desk} />
        {preparing && <PrepareFees desk={desk} onClose={() => setPreparing(false)} />}
        <DraftList desk={desk} />
        <Sheet
          title="Announced"
          meta={
            desk.announced.length > 0 && (
              <span>{desk.announced.length}, kept permanently. An invoice names the one it was computed with.</span>
            )
          }
          flush={desk.announced.length > 0}
        >
          {desk.announced.length === 0 ? (
            <EmptyState title="No fees are announced" picture={false}>
              Prepare the first ones here, or announce those of earlier years with the command “registry fees announce”.
            </EmptyState>
          ) : (
            <AnnouncedFeesTable desk={desk} />
          )}
        </Sheet>
      </Stack>
    </Page>
  );
}

/** Says for which days nothing is announced: terms that begin then are not billed. */
function Missing({ desk: { missing, today, announced } }: { desk: FeeDesk }) {
  if (missing.length === 0) return null;
  const kinds = missing.map(({ kind }) => scheduleKinds[kind].toLowerCase()).join(' and ');
  const from = missing.map(each => each.from).sort()[0]!;
  return (
    <Banner
      kind="warning"
      title={from <= today ? `No fees of ${kinds} are announced for today.` : `No fees of ${kinds} are announced from ${from} on.`}
    >
      Terms that begin without fees are not billed, and neither are new accounts. Prepare the fees{' '}
      {announced.length > 0 ? 'of the next time ' : ''}
      here; a second person approves them.
    </Banner>
  );
}

/** Says how many accounts wait for fees of days that are over. */
function Unbilled({ desk: { unbilled } }: { desk: FeeDesk }) {
  if (!unbilled) return null;
  const { accounts, from } = unbilled;
  return (
    <Banner kind="warning" title={accounts === 1 ? '1 account isn’t billed.' : `${accounts} accounts aren’t billed.`}>
      {accounts === 1 ? 'Its term' : 'Their terms'} began on {accounts === 1 ? '' : 'or after '}
      {from}, a day without fees. Prepare fees that begin on this day: they are billed from the day they’re announced.
    </Banner>
  );
}
