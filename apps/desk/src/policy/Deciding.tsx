import { useChange, useKit, useRefusal } from '@portal/app-kit';
import { daysBetween, utcDay } from '@portal/contract/days';
import { pages } from '@portal/contract/pages';
import { policy, type PolicyChange, type PolicyDesk, type PolicyEffect } from '@portal/contract/policy/policy';
import { policyRow } from '@portal/contract/policy/policy-values';
import { type Proposal, proposals } from '@portal/contract/proposals/proposals';
import { Button, DateText, Icon, Link, LinkButton, Panel, Sheet, Stack } from '@portal/ui';
import { AskByMail, AskSecond, ConfirmChange, TakeBack } from '../shell/DatedChangeActs.tsx';
import { useMay } from '../shell/use-may.ts';
import styles from '../shell/Deciding.module.css';
import { type Check, CheckList, SecondPair, waitingCheck } from '../shell/SecondPair.tsx';
import { announcementWords, changeHref, distance, isReplaced, prepareHref, tellsMembers } from './policy-words.ts';

type Props = { change: PolicyChange; desk: PolicyDesk; proposal: Proposal | null; effect: PolicyEffect | null; from: string };

/** Who confirms the change, what they look at, and what follows. */
export function Deciding(props: Props) {
  const { change, proposal } = props;
  const may = useMay();
  const acts = may(policy.confirmPolicyChange);
  const isOpen = change.state === 'prepared' || change.state === 'confirmed';
  return (
    <>
      <Panel title={titleOf(props, acts)} pending={isOpen} footer={acts && <Acts {...props} />}>
        <Stack gap={12}>
          <Pair change={change} proposal={proposal} />
          <Checks {...props} />
        </Stack>
      </Panel>
      {isOpen && <After {...props} />}
    </>
  );
}

function titleOf({ change, desk, proposal }: Props, acts: boolean): string {
  const { state } = change;
  if (state === 'in-force') return isReplaced(change, desk) ? 'Replaced by later changes' : 'In force';
  if (state === 'fixed') return 'Without effect';
  if (state === 'withdrawn') return 'Withdrawn before its day';
  if (state === 'discarded') return 'Discarded';
  if (proposal && !proposal.isMine && acts) return 'You are the second person';
  if (proposal) return 'It waits for a second person';
  return state === 'confirmed' ? 'Confirmed by two people' : 'Prepared, not sent yet';
}

function Pair({ change, proposal }: Pick<Props, 'change' | 'proposal'>) {
  const first = change.proposedBy ?? proposal?.proposedBy ?? change.preparedBy;
  const at = proposal?.proposedAt ?? change.preparedAt;
  const second = change.confirmedBy;
  return (
    <SecondPair
      first={{ name: first, isMe: proposal?.isMine ?? false, at }}
      second={second === null ? null : { name: second, at: change.confirmedAt! }}
      isYours={proposal !== null && !proposal.isMine}
    />
  );
}

/** Checks that are done already, and those that a person has to make. */
function Checks({ change, desk, effect, proposal }: Props) {
  const met = effect?.met.reduce((sum, each) => sum + each.met, 0) ?? 0;
  const unseen = effect?.met.reduce((sum, each) => sum + each.unseen, 0) ?? 0;
  const days = daysBetween(desk.today, change.validFrom);
  const ahead = change.confirmedAt === null ? days : daysBetween(utcDay(change.confirmedAt), change.validFrom);
  const checks: Check[] = [
    effect === null
      ? { icon: 'clock', tone: 'quiet', words: 'The impact is being estimated', detail: 'from what is there now' }
      : {
          icon: 'valid',
          tone: 'valid',
          words: `${effect.met.reduce((sum, each) => sum + each.all, 0)} cases, accounts and acts looked at`,
          detail: 'an estimate, from what is there now',
        },
    {
      icon: 'valid',
      tone: 'valid',
      words: `${ahead} ${ahead === 1 ? 'day' : 'days'} ahead`,
      detail:
        change.state === 'prepared' ? (
          <>
            to be confirmed until <DateText value={change.until} />
          </>
        ) : (
          'within bounds, and in order with other values'
        ),
    },
    change.decision === ''
      ? { icon: 'warning', tone: 'warn', words: 'No decision is named', detail: 'ask for the minutes, if one should be' }
      : { icon: 'valid', tone: 'valid', words: 'The decision is named', detail: change.decision },
  ];
  if (met > 0)
    checks.push({
      icon: 'warning',
      tone: 'warn',
      words: `${met} ${met === 1 ? 'is' : 'are'} affected, by this estimate`,
      detail: unseen === 0 ? 'each is listed here, and in the file' : `${unseen} of them only counted: your permissions don’t show them`,
    });
  if (change.fixed.length > 0)
    checks.push({
      icon: 'lock',
      tone: 'warn',
      words: 'The profile file fixes it',
      detail: `${change.fixed.map(name => policyRow(name).title).join(', ')}: without effect while the file does`,
    });
  if (change.state === 'confirmed' && tellsMembers(change) && change.announcement?.state !== 'published')
    checks.push({
      icon: 'warning',
      tone: 'warn',
      words: 'Members don’t know it yet',
      detail: announcementWords(change),
    });
  if (change.state === 'withdrawn' && change.announcement !== null)
    checks.push({
      icon: 'bell',
      tone: change.announcement.state === 'published' ? 'valid' : 'warn',
      words: 'Members had read that it comes',
      detail: (
        <Link href={`${pages.deskAnnouncements.path}?announcement=${change.announcement.announcementId}`}>
          {change.announcement.state === 'published'
            ? 'The announcement that it doesn’t is published'
            : 'The draft that says it doesn’t isn’t published yet'}
        </Link>
      ),
    });
  if (change.endedAt !== null)
    checks.push({
      icon: 'reply',
      tone: 'quiet',
      words: `${change.state === 'withdrawn' ? 'Withdrawn' : 'Discarded'} by ${change.endedBy}`,
      detail: <DateText value={change.endedAt} />,
    });
  if (proposal?.isMine) checks.push(waitingCheck(proposal));
  return <CheckList checks={checks} />;
}

function Acts(props: Props) {
  const { change, desk, proposal } = props;
  const refreshed = [policy.getPolicy, policy.getPolicyEffect];
  const isWithdrawal = change.state === 'confirmed';
  if (proposal)
    return proposal.isMine ? (
      <TakeBack proposal={proposal} refresh={refreshed} />
    ) : (
      <ConfirmChange
        proposal={proposal}
        refresh={refreshed}
        isWithdrawal={isWithdrawal}
        confirmed={`Confirmed. The policy changes from ${props.from}.`}
        looked={`I compared the ${change.values.length === 1 ? 'value' : 'values'} with the decision`}
        first="Compare the values first"
        act={isWithdrawal ? `Withdraw the change from ${props.from}` : `Confirm the change from ${props.from}`}
        more={
          <AskByMail
            name={change.preparedBy}
            email={change.preparedByEmail}
            subject={`Policy from ${props.from}`}
            href={changeHref(change.changeId)}
          />
        }
      />
    );
  if (change.state === 'prepared') return <Ask {...props} />;
  if (change.state === 'confirmed') return <Withdraw {...props} />;
  const setsBack = change.state === 'in-force' && !isReplaced(change, desk);
  return (
    <LinkButton
      icon="reply"
      href={prepareHref(change.values.map(({ name, before, after }) => ({ name, value: setsBack ? before : after })))}
    >
      {setsBack ? 'Prepare to set it back' : 'Prepare it again'}
    </LinkButton>
  );
}

const refresh = [policy.getPolicy, policy.getPolicyEffect, proposals.listStaffProposals];

/** One person asks for the confirmation, or discards the change. */
function Ask({ change: { changeId }, from }: Props) {
  const { notify, router } = useKit();
  const confirm = useChange(policy.confirmPolicyChange, { refresh, onDone: () => notify({ text: `The policy changes from ${from}.` }) });
  const discard = useChange(policy.discardPolicyChange, {
    refresh,
    onDone: () => {
      notify({ text: 'Discarded. Nothing has changed.' });
      router.go(pages.deskPolicy.path);
    },
  });
  const refusals = { confirm: useRefusal(policy.confirmPolicyChange), discard: useRefusal(policy.discardPolicyChange) };
  return (
    <AskSecond
      ask="Ask a second person to confirm"
      asking={{ refusal: refusals.confirm, busy: confirm.isPending, onClick: () => confirm.mutate({ changeId }) }}
      discarding={{ refusal: refusals.discard, busy: discard.isPending, onClick: () => discard.mutate({ changeId }) }}
    />
  );
}

function Withdraw({ change: { changeId, until }, from }: Props) {
  const { notify } = useKit();
  const refusal = useRefusal(policy.withdrawPolicyChange);
  const withdraw = useChange(policy.withdrawPolicyChange, {
    refresh,
    onDone: () => notify({ text: `The change from ${from} is withdrawn.` }),
  });
  return (
    <Stack gap={8}>
      <Button refusal={refusal} refusalIn="note" busy={withdraw.isPending} onClick={() => withdraw.mutate({ changeId })}>
        Withdraw the change
      </Button>
      <span className="quiet small">
        A second person has to approve it, until <DateText value={until} />.
      </span>
    </Stack>
  );
}

/** The consequences of the confirmation, with their days. */
function After({ change, desk, from }: Props) {
  const tells = tellsMembers(change);
  const isConfirmed = change.state === 'confirmed';
  const days = daysBetween(desk.today, change.validFrom);
  return (
    <Sheet title={isConfirmed ? 'What follows' : 'After you confirm'}>
      <ul className={styles.bullets}>
        {tells && (
          <li>
            <Icon name="bell" />
            <span>
              {change.announcement === null ? (
                <>
                  <b>Then:</b> the draft of an announcement to members is written. Staff who announce publish it
                </>
              ) : (
                <>
                  <b>Announcement:</b>{' '}
                  <Link href={`${pages.deskAnnouncements.path}?announcement=${change.announcement.announcementId}`}>
                    {announcementWords(change)}
                  </Link>
                </>
              )}
            </span>
          </li>
        )}
        {days > 1 && (
          <li>
            <Icon name="mail" />
            <span>
              <b>{days > 7 ? 'A week before:' : 'Within an hour:'}</b> e-mail to staff who look after the policy, and to auditors
            </span>
          </li>
        )}
        <li>
          <Icon name="clock" />
          <span>
            <b>
              {from}, 00:00 {desk.timeZone}:
            </b>{' '}
            it takes effect, {distance(desk.today, change.validFrom)}
          </span>
        </li>
        <li>
          <Icon name="reply" />
          <span>
            <b>
              Until <DateText value={change.until} />:
            </b>{' '}
            two people can withdraw it. After that only a new change replaces it
          </span>
        </li>
      </ul>
    </Sheet>
  );
}
