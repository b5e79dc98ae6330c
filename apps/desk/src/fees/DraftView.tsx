import { FailureBanner, Page, reading, useAddress, useAnswer, useKit } from '@portal/app-kit';
import { type FeeDesk, type FeeDraft, feeSchedules } from '@portal/contract/billing/fee-schedules';
import { pages } from '@portal/contract/pages';
import { Banner, Breadcrumb, Link, Sheet, SkeletonLines, Stack, Steps } from '@portal/ui';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { AlsoWaiting, useWaiting } from '../shell/AlsoWaiting.tsx';
import { BilledAccounts } from './BilledAccounts.tsx';
import { DecidingFees } from './DecidingFees.tsx';
import { FeeEffect } from './FeeEffect.tsx';
import { FeeLine } from './FeeLine.tsx';
import styles from './Fees.module.css';
import { draftHref, termWords } from './fee-words.ts';
import { RuleTable } from './RuleTable.tsx';

/** Prepared fees: what changes, what it does to every bill, and who confirms it. */
export function DraftView({ draftId }: { draftId: string }) {
  const desk = useAnswer(feeSchedules.getFees, {});
  const draft = desk.drafts.find(each => each.draftId === draftId);
  return draft ? (
    <Draft draft={draft} desk={desk} />
  ) : (
    <Page title={pages.deskFees.title} breadcrumb={<Breadcrumb items={placesOf('Prepared fees')} />}>
      <Banner kind="info" title="These fees aren’t prepared any more.">
        They were announced or discarded. <Link href={pages.deskFees.path}>All announced fees</Link>
      </Banner>
    </Page>
  );
}

const placesOf = (label: string) => [
  { label: pages.deskHome.title, href: pages.deskHome.path },
  { label: pages.deskFees.title, href: pages.deskFees.path },
  { label },
];

function Draft({ draft, desk }: { draft: FeeDraft; desk: FeeDesk }) {
  const { draftId, announcement } = draft;
  const { call } = useKit();
  const address = useAddress();
  const account = address.get('account');
  const query = { ...(address.get('only') === 'steep' && { only: 'steep' as const }), ...(account !== null && { account }) };
  const { data, error, isPlaceholderData } = useQuery({
    ...reading(call, feeSchedules.getFeeEffect, { draftId, query }),
    placeholderData: keepPreviousData,
  });
  const proposal = useWaiting().find(({ link }) => link === draftHref(draftId)) ?? null;
  const words = termWords(announcement);
  const steps = ['Prepared', 'Previewed', proposal ? 'Waits for a second person' : 'Not sent yet', 'Announced', 'In force'];
  return (
    <Page
      title={`Fees of ${words}`}
      sub={announcement.reason || `Without tax, in ${desk.currency}. Each bill is computed with the code that issues the invoices.`}
      breadcrumb={<Breadcrumb items={placesOf(words)} />}
      actions={<Steps label="Steps of the fees" steps={steps} current={proposal || data ? 2 : 1} />}
    >
      <Stack gap={16}>
        <FeeLine desk={desk} only={draftId} />
        <div className={styles.draft}>
          <Stack gap={16}>
            <RuleTable announcement={announcement} desk={desk} />
            {error ? (
              <FailureBanner failure={error} />
            ) : data ? (
              <>
                <FeeEffect effect={data} desk={desk} draftId={draftId} />
                <BilledAccounts effect={data} isStale={isPlaceholderData} />
              </>
            ) : (
              <Sheet title="Effect on all accounts">
                <SkeletonLines lines={10} label="Calculating every bill" />
              </Sheet>
            )}
          </Stack>
          <Stack gap={16}>
            <DecidingFees draft={draft} desk={desk} proposal={proposal} effect={data ?? null} />
            <AlsoWaiting but={draftHref(draftId)} />
          </Stack>
        </div>
      </Stack>
    </Page>
  );
}
