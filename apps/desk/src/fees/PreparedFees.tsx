import { FailureBanner, reading, useChange, useDownload, useKit, useRefusal } from '@portal/app-kit';
import { ProposalActs } from '@portal/app-kit/proposals/ProposalList';
import { money } from '@portal/app-kit/words/billing-words';
import {
  type FeeDesk,
  type FeeDraft,
  type FeeEffect,
  feeSchedules,
  type ScheduleKind,
  scheduleKinds,
} from '@portal/contract/billing/fee-schedules';
import { proposals } from '@portal/contract/proposals/proposals';
import { Button, ButtonRow, DateText, formatCount, KeyValueList, Link, Sheet, SkeletonLines, Stack } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { useSecondPerson } from '../shell/use-second-person.ts';
import styles from './Fees.module.css';
import { feeFields, feeRows, isSame, termWords } from './fee-words.ts';

/** Fees that are prepared: their differences to the last announced ones, and what they do to every bill. One person announces them, a second one approves. */
export function PreparedFees({ draft, desk }: { draft: FeeDraft; desk: FeeDesk }) {
  const { announcement, preparedBy, preparedAt, draftId } = draft;
  const words = termWords(announcement);
  return (
    <Sheet
      title={`Fees of ${words}`}
      meta={
        <span>
          prepared by {preparedBy}, <DateText value={preparedAt} />
        </span>
      }
    >
      <Stack gap={16}>
        <Differences announcement={announcement} desk={desk} />
        <Effect draftId={draftId} />
        <Acts draft={draft} words={words} />
      </Stack>
    </Sheet>
  );
}

/** The rules by kind of account, with those of the fees that come before where they differ. */
function Differences({
  announcement: { validFrom, fees },
  desk: { announced, currency },
}: {
  announcement: FeeDraft['announcement'];
  desk: FeeDesk;
}) {
  const before = announced.find(each => each.validUntil < validFrom);
  const kinds = (Object.keys(scheduleKinds) as ScheduleKind[]).filter(kind => fees[kind]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and so it is reached by the keyboard
    <section className={styles.scroll} aria-label="Rules" tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Rule</th>
            {kinds.map(kind => (
              <th key={kind} scope="col" className="num">
                {scheduleKinds[kind]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {feeFields.map(field => (
            <tr key={field}>
              <th scope="row">{feeRows[field].label}</th>
              {kinds.map(kind => {
                const [was, is] = [before?.fees[kind], fees[kind]!];
                const differs = was !== undefined && !isSame(was, is, field);
                return (
                  <td key={kind} className="num" data-changed={differs || undefined}>
                    {differs && <span className="quiet small">{feeRows[field].words(was, currency)}, then </span>}
                    {feeRows[field].words(is, currency)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Effect({ draftId }: { draftId: string }) {
  const { call } = useKit();
  const { data, error } = useQuery(reading(call, feeSchedules.getFeeEffect, { draftId }));
  const save = useDownload(feeSchedules.exportFeeEffect);
  if (error) return <FailureBanner failure={error} />;
  if (!data) return <SkeletonLines lines={6} label="Calculating every bill" />;
  return (
    <Stack gap={12}>
      <h3 className={styles.heading}>Effect on all {formatCount(data.accounts)} accounts</h3>
      <Sums effect={data} />
      {data.compared === null || data.more + data.less > 0 ? <Largest effect={data} /> : null}
      <ButtonRow>
        <Button size="s" icon="download" onClick={() => void save({ draftId, query: { format: 'csv' } })}>
          Every account (CSV)
        </Button>
      </ButtonRow>
    </Stack>
  );
}

function Sums({ effect: { currency, compared, first, after, more, less, same } }: { effect: FeeEffect }) {
  const all = { key: 'All bills by these fees', value: money(currency, after) };
  if (compared === null) return <KeyValueList align="left" items={[all]} />;
  const share = Number(compared.before) === 0 ? null : (Number(compared.after) / Number(compared.before) - 1) * 100;
  return (
    <KeyValueList
      align="left"
      items={[
        { key: 'All bills before', value: money(currency, compared.before) },
        {
          key: first === 0 ? all.key : 'The same accounts by these fees',
          value: `${money(currency, compared.after)}${share === null ? '' : `, ${share >= 0 ? '+' : '−'}${Math.abs(share).toFixed(1)} %`}`,
        },
        { key: 'Pay more', value: formatCount(more) },
        { key: 'Pay less', value: formatCount(less) },
        { key: 'Pay the same', value: formatCount(same) },
        ...(first === 0
          ? []
          : [{ key: 'Without fees until now', value: `${formatCount(first)}; with them all pay ${money(currency, after)}` }]),
      ]}
    />
  );
}

function Largest({ effect: { currency, largest } }: { effect: FeeEffect }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and so it is reached by the keyboard
    <section className={styles.scroll} aria-label="Largest differences" tabIndex={0}>
      <table className={styles.table}>
        <caption className="small quiet">The largest differences, {currency} a year without tax, for what each holds now.</caption>
        <thead>
          <tr>
            <th scope="col">Account</th>
            <th scope="col" className="num">
              Before
            </th>
            <th scope="col" className="num">
              By these fees
            </th>
            <th scope="col" className="num">
              Difference
            </th>
          </tr>
        </thead>
        <tbody>
          {largest
            .filter(({ difference }) => difference !== '0.00')
            .map(({ accountName, orgName, before, after, difference }) => (
              <tr key={accountName}>
                <th scope="row">
                  <Link href={`/desk/accounts/${encodeURIComponent(accountName)}`}>{accountName}</Link>
                  <span className="quiet small"> {orgName}</span>
                </th>
                <td className="num">{before === null ? '' : money('', before).trim()}</td>
                <td className="num">{money('', after).trim()}</td>
                <td className="num">{difference === null ? '' : `${Number(difference) > 0 ? '+' : ''}${money('', difference).trim()}`}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  );
}

/** Announce or discard them; once someone has asked for it, the second person decides here. */
function Acts({ draft: { draftId }, words }: { draft: FeeDraft; words: string }) {
  const { call, notify } = useKit();
  const { data } = useQuery(reading(call, proposals.listStaffProposals, {}));
  const second = useSecondPerson({
    refresh: [feeSchedules.getFees],
    approved: 'Announced. The calculator, quotes and invoices have these fees now.',
    kept: 'Not announced. The fees stay prepared.',
  });
  const refresh = [feeSchedules.getFees, proposals.listStaffProposals];
  const refusals = { announce: useRefusal(feeSchedules.announceFees), discard: useRefusal(feeSchedules.discardFees) };
  const announce = useChange(feeSchedules.announceFees, { refresh, onDone: () => notify({ text: `The fees of ${words} are announced.` }) });
  const discard = useChange(feeSchedules.discardFees, {
    refresh,
    onDone: () => notify({ text: `The prepared fees of ${words} are discarded.` }),
  });
  const waiting = data?.waiting.find(({ link }) => link === `/desk/fees?draft=${draftId}`);
  if (waiting)
    return (
      <Stack gap={8}>
        <p className={styles.waits}>
          {waiting.isMine ? 'You asked' : `${waiting.proposedBy} asked`} to announce these fees. It waits for a second person until{' '}
          <DateText value={waiting.expiresAt} />.
        </p>
        <ProposalActs proposal={waiting} {...second} />
      </Stack>
    );
  return (
    <ButtonRow>
      <Button
        variant="commit"
        refusal={refusals.announce}
        refusalIn="note"
        busy={announce.isPending}
        onClick={() => announce.mutate({ draftId })}
      >
        Announce the fees of {words}
      </Button>
      <Button refusal={refusals.discard} refusalIn="note" busy={discard.isPending} onClick={() => discard.mutate({ draftId })}>
        Discard
      </Button>
      <span className="quiet small">A second person has to approve it. Announced fees are never changed.</span>
    </ButtonRow>
  );
}
