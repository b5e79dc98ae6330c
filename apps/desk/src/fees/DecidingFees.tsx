import { useChange, useKit, useRefusal } from '@portal/app-kit';
import { type FeeDesk, type FeeDraft, type FeeEffect, feeSchedules, STEEP_PERCENT } from '@portal/contract/billing/fee-schedules';
import { daysAfter, daysBetween } from '@portal/contract/days';
import { pages } from '@portal/contract/pages';
import { type Proposal, proposals } from '@portal/contract/proposals/proposals';
import { DateText, formatCount, Icon, Panel, Sheet, Stack } from '@portal/ui';
import { AskByMail, AskSecond, ConfirmChange, TakeBack } from '../shell/DatedChangeActs.tsx';
import styles from '../shell/Deciding.module.css';
import { type Check, CheckList, SecondPair, waitingCheck } from '../shell/SecondPair.tsx';
import { useMay } from '../shell/use-may.ts';
import { draftHref, percentBetween, percentWords, termWords } from './fee-words.ts';

type Props = { draft: FeeDraft; desk: FeeDesk; proposal: Proposal | null; effect: FeeEffect | null };

/** Who confirms the fees, what they look at, and what follows. */
export function DecidingFees(props: Props) {
  const { draft, desk, proposal } = props;
  const acts = useMay()(feeSchedules.announceFees);
  const title = !proposal
    ? 'Prepared, not sent yet'
    : proposal.isMine || !acts
      ? 'It waits for a second person'
      : 'You are the second person';
  return (
    <>
      <Panel title={title} pending footer={<Acts {...props} />}>
        <Stack gap={12}>
          <SecondPair
            first={{
              name: proposal?.proposedBy ?? draft.preparedBy,
              isMe: proposal?.isMine ?? false,
              at: proposal?.proposedAt ?? draft.preparedAt,
            }}
            second={null}
            isYours={proposal !== null && !proposal.isMine && acts}
          />
          <CheckList checks={checksOf(props)} />
        </Stack>
      </Panel>
      <After draft={draft} desk={desk} />
    </>
  );
}

function checksOf({ draft: { announcement }, desk: { today }, effect, proposal }: Props): Check[] {
  const { validFrom, decision } = announcement;
  const ahead = daysBetween(today, validFrom);
  const checks: Check[] = [
    effect === null
      ? { icon: 'clock', tone: 'quiet', words: 'Every bill is being calculated', detail: 'for what each account holds now' }
      : {
          icon: 'valid',
          tone: 'valid',
          words: `${formatCount(effect.accounts)} bills computed`,
          detail: 'with the code of calculator, quote and invoice',
        },
    ahead > 0
      ? {
          icon: 'valid',
          tone: 'valid',
          words: `${formatCount(ahead)} ${ahead === 1 ? 'day' : 'days'} ahead`,
          detail: 'no term by them has begun',
        }
      : {
          icon: 'warning',
          tone: 'warn',
          words: 'Their first day is over',
          detail: 'terms that began since then are billed when they’re announced',
        },
    decision
      ? { icon: 'valid', tone: 'valid', words: 'The decision is named', detail: decision }
      : { icon: 'warning', tone: 'warn', words: 'No decision is named', detail: 'ask for the minutes, if one should be' },
  ];
  const share = effect?.compared ? percentBetween(effect.compared.before, effect.compared.after) : null;
  if (share !== null)
    checks.push({
      icon: 'chart',
      tone: 'quiet',
      words: `Income changes by ${percentWords(share)}`,
      detail: 'of the same accounts, for a year',
    });
  if (effect && effect.steep > 0)
    checks.push({
      icon: 'warning',
      tone: 'warn',
      words: `${formatCount(effect.steep)} ${effect.steep === 1 ? 'account pays' : 'accounts pay'} over ${STEEP_PERCENT} % more`,
      detail: 'each is in the list and in the file',
    });
  if (proposal?.isMine) checks.push(waitingCheck(proposal));
  return checks;
}

const refresh = [feeSchedules.getFees, feeSchedules.getFeeEffect];

function Acts({ draft, proposal }: Props) {
  const { router } = useKit();
  const words = termWords(draft.announcement);
  if (!proposal) return <Ask draft={draft} words={words} />;
  if (proposal.isMine) return <TakeBack proposal={proposal} refresh={refresh} />;
  return (
    <ConfirmChange
      proposal={proposal}
      refresh={refresh}
      isWithdrawal={false}
      confirmed={`Announced. The calculator, quotes and invoices have the fees of ${words} now.`}
      looked="I compared the numbers with the decision"
      first="Compare the numbers first"
      act={`Announce the fees of ${words}`}
      onApplied={() => router.go(pages.deskFees.path)}
      more={
        <AskByMail name={draft.preparedBy} email={draft.preparedByEmail} subject={`Fees of ${words}`} href={draftHref(draft.draftId)} />
      }
    />
  );
}

/** One person asks for the confirmation, or discards the fees. */
function Ask({ draft: { draftId }, words }: { draft: FeeDraft; words: string }) {
  const { notify, router } = useKit();
  const refused = { announce: useRefusal(feeSchedules.announceFees), discard: useRefusal(feeSchedules.discardFees) };
  const reads = [feeSchedules.getFees, proposals.listStaffProposals];
  const announce = useChange(feeSchedules.announceFees, {
    refresh: reads,
    onDone: () => notify({ text: `The fees of ${words} are announced.` }),
  });
  const discard = useChange(feeSchedules.discardFees, {
    refresh: reads,
    onDone: () => {
      notify({ text: `The prepared fees of ${words} are discarded.` });
      router.go(pages.deskFees.path);
    },
  });
  return (
    <AskSecond
      ask="Ask a second person to announce them"
      asking={{ refusal: refused.announce, busy: announce.isPending, onClick: () => announce.mutate({ draftId }) }}
      discarding={{ refusal: refused.discard, busy: discard.isPending, onClick: () => discard.mutate({ draftId }) }}
    />
  );
}

/** The consequences of the announcement, with their days. */
function After({ draft: { announcement }, desk: { today, timeZone, advanceDays } }: Pick<Props, 'draft' | 'desk'>) {
  const { validFrom, validUntil } = announcement;
  const words = termWords(announcement);
  const asked = daysAfter(validFrom, -advanceDays);
  return (
    <Sheet title="After a second person confirms">
      <ul className={styles.bullets}>
        <li>
          <Icon name="chart" />
          <span>
            <b>The same moment:</b> calculator and quotes have the fees of {words}
          </span>
        </li>
        {advanceDays > 0 && validFrom > today && (
          <li>
            <Icon name="billing" />
            <span>
              <b>{asked <= today ? 'From then on' : <DateText value={asked} shape="date" />}:</b> members can ask for the invoice of such a
              term in advance
            </span>
          </li>
        )}
        <li>
          <Icon name="clock" />
          <span>
            <b>
              <DateText value={validFrom} shape="date" />, 00:00 {timeZone}:
            </b>{' '}
            invoices of terms that begin have them, until <DateText value={validUntil} shape="date" />
          </span>
        </li>
        {validFrom > today && (
          <li>
            <Icon name="reply" />
            <span>
              <b>
                Until <DateText value={daysAfter(validFrom, -1)} shape="date" />:
              </b>{' '}
              two people can withdraw them, as long as no invoice has them
            </span>
          </li>
        )}
      </ul>
    </Sheet>
  );
}
