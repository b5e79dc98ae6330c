import { FailureBanner, reading, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { ProposalActs } from '@portal/app-kit/proposals/ProposalList';
import { Form, FormProblems } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { daysAfter } from '@portal/contract/days';
import { pages } from '@portal/contract/pages';
import { proposals } from '@portal/contract/proposals/proposals';
import {
  type AccountRestraints as Answer,
  nextHoldDays,
  type Restraint,
  type RestraintKind,
  type RestraintReason,
  restraintKinds,
  restraintReasonNames,
  restraintReasons,
  restraints,
  restrictionNoticeDays,
} from '@portal/contract/restraints/restraints';
import {
  Button,
  ButtonRow,
  DateText,
  Field,
  Icon,
  KeyValueList,
  Link,
  Segmented,
  Select,
  Sheet,
  StateMark,
  TextArea,
  useNarrow,
} from '@portal/ui';
import { DateInput } from '@portal/ui/form/DateInput';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { ReasonDialog } from '../shell/ReasonDialog.tsx';
import { useMay } from '../shell/use-may.ts';
import { useSecondPerson } from '../shell/use-second-person.ts';
import styles from './AccountRestraints.module.css';
import { type ActKind, actKinds, actNames, markIcons, matrix } from './restraint-matrix.ts';

/** Holds and restrictions of an account: those in force, and the acts compared with what each stops and keeps. @param message the form by which its contacts are written to */
export function AccountRestraints({ accountName, message }: { accountName: string; message: ReactNode }) {
  const answer = useAnswer(restraints.listRestraints, { accountName });
  const [kind, setKind] = useState<ActKind>('contact');
  const may = useMay();
  const chosen = answer.open.some(restraint => restraint.kind === kind) ? 'open' : kind;
  return (
    <Sheet
      flush
      id="restraints"
      title="Acts on this account"
      meta={<span>What each one stops and keeps for {accountName}</span>}
      className={styles.sheet}
    >
      {may(proposals.listStaffProposals) && <Approvals accountName={accountName} />}
      {answer.open.map(restraint => (
        <OpenRestraint key={restraint.restraintId} accountName={accountName} restraint={restraint} />
      ))}
      <Matrix kind={kind} onChoose={setKind} />
      {chosen === 'hold' || chosen === 'restrict' ? (
        <Setting key={chosen} kind={chosen} answer={answer} onDone={() => setKind('contact')} />
      ) : chosen === 'contact' ? (
        <Contacting message={message} />
      ) : (
        <p className={styles.note}>
          {chosen === 'open'
            ? `${accountName} has ${restraintKinds[kind as RestraintKind]} already. Lift it before you set another one.`
            : 'No one suspends an account here: a suspension follows from an unpaid invoice and ends with the payment. For everything else there are holds and restrictions.'}
        </p>
      )}
      <Earlier rows={answer.earlier} />
    </Sheet>
  );
}

/** A message to the contacts, and its effect. Its form opens when one writes: the page is read more often than written from. */
function Contacting({ message }: { message: ReactNode }) {
  const [isWriting, setWriting] = useState(false);
  return (
    <div className={styles.setting}>
      <div className={styles.fields}>
        {!message ? (
          <p className="quiet">Your roles don’t include writing to members.</p>
        ) : isWriting ? (
          message
        ) : (
          <>
            <p className="quiet">
              Nothing of the account stops. The contacts you choose get your message, and a ticket waits for their answer.
            </p>
            <ButtonRow>
              <Button icon="mail" onClick={() => setWriting(true)}>
                Write a message
              </Button>
            </ButtonRow>
          </>
        )}
      </div>
      <div className={styles.effects}>
        <h3>What will happen</h3>
        <ul>
          <li>
            <Icon name="mail" />
            <span>
              <b>Immediately:</b> the contacts you choose get your message by e-mail
            </span>
          </li>
          <li>
            <Icon name="clock" />
            <span>
              <b>Until they answer:</b> a ticket waits for them, and nothing of the account stops
            </span>
          </li>
          <li>
            <Icon name="check" />
            <span>
              The answer is kept with the account. Choose a hold instead if a message would warn someone who has taken the account over
            </span>
          </li>
        </ul>
      </div>
    </div>
  );
}

/** Restraints of the account that wait for a second person, as it would confirm them. */
function Approvals({ accountName }: { accountName: string }) {
  const { call } = useKit();
  const { data, error } = useQuery(reading(call, proposals.listStaffProposals, {}));
  const acts = useSecondPerson({ refresh: [restraints.listRestraints] });
  if (error) return <FailureBanner failure={error} />;
  return data?.waiting
    .filter(({ link }) => link === `${pages.deskAccounts.path}/${accountName}#restraints`)
    .map(proposal => (
      <div key={proposal.proposalId} className={styles.open}>
        <p>
          <StateMark state="pending">Waits for a second person</StateMark> <b>{proposal.what}</b>, proposed by{' '}
          {proposal.isMine ? 'you' : <bdi>{proposal.proposedBy}</bdi>} on <DateText value={proposal.proposedAt} />
        </p>
        <KeyValueList align="left" items={proposal.shown.map(({ label, value }) => ({ key: label, value: <bdi>{value}</bdi> }))} />
        <ProposalActs proposal={proposal} {...acts} />
      </div>
    ));
}

function OpenRestraint({ accountName, restraint }: { accountName: string; restraint: Restraint }) {
  const { restraintId, kind, state, reason, beginsAt, endsAt, memberText, setBy, confirmedBy } = restraint;
  const refusal = useRefusal(restraints.liftRestraint);
  const [isOpen, setOpen] = useState(false);
  const isAnnounced = state === 'announced';
  return (
    <div className={styles.open}>
      <p>
        <StateMark state={isAnnounced ? 'pending' : 'warning'}>
          {isAnnounced ? 'Restriction announced' : kind === 'hold' ? 'On hold' : 'Restricted'}
        </StateMark>{' '}
        <b>{restraintReasons[reason]}</b>, {isAnnounced ? 'from' : 'since'} <DateText value={beginsAt} />
        {endsAt ? (
          <>
            {' '}
            until <DateText value={endsAt} />
          </>
        ) : (
          ', until it is lifted'
        )}
        . <span className="quiet">Set by {[setBy, confirmedBy].filter(Boolean).join(' and ')}.</span>
      </p>
      <p className="quiet">{memberText}</p>
      <Button size="s" refusal={refusal} onClick={() => setOpen(true)}>
        Lift the {kindWords[kind]}
      </Button>
      {isOpen && (
        <ReasonDialog
          endpoint={restraints.liftRestraint}
          params={{ accountName, restraintId }}
          body={restraints.liftRestraint.body}
          name="lift"
          title={`Lift the ${kindWords[kind]} on ${accountName}`}
          act={`Lift the ${kindWords[kind]}`}
          ifEmpty="Enter a reason. The member reads it."
          done={`The ${kindWords[kind]} is lifted. What waited goes on.`}
          refresh={[restraints.listRestraints]}
          onClose={() => setOpen(false)}
        >
          <p>It ends immediately. The corporate contacts get an e-mail with your reason, and open cases go on.</p>
        </ReasonDialog>
      )}
    </div>
  );
}

const kindWords: Readonly<Record<RestraintKind, string>> = { hold: 'hold', restrict: 'restriction' };

function Matrix({ kind, onChoose }: { kind: ActKind; onChoose: (kind: ActKind) => void }) {
  const name = useId();
  const isNarrow = useNarrow();
  const shown = isNarrow ? [kind] : actKinds;
  return (
    <>
      {isNarrow && (
        <div className={styles.choice}>
          <Segmented
            label="Act"
            value={kind}
            options={actKinds.map(value => ({ value, label: actNames[value].name }))}
            onChange={onChoose}
          />
        </div>
      )}
      <table className={styles.matrix}>
        <caption className="vh">Acts compared</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="vh">Subject</span>
            </th>
            {shown.map(each => (
              <th key={each} scope="col" data-on={each === kind || undefined}>
                {isNarrow || each === 'suspend' ? (
                  <b>{actNames[each].name}</b>
                ) : (
                  <label>
                    <input type="radio" name={name} checked={each === kind} onChange={() => onChoose(each)} />
                    {actNames[each].name}
                  </label>
                )}
                <small>{actNames[each].about}</small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {matrix.map(({ about, facts }) => (
            <tr key={about}>
              <th scope="row">{about}</th>
              {shown.map(each => (
                <td key={each} data-on={each === kind || undefined} data-mark={facts[each].mark ?? undefined}>
                  {facts[each].mark && <Icon name={markIcons[facts[each].mark]} />}
                  <span>{facts[each].words}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Setting({ kind, answer, onDone }: { kind: RestraintKind; answer: Answer; onDone: () => void }) {
  const { accountName, noticeEndsOn, holdEndsBy, today, holdNeedsSecond } = answer;
  const { notify } = useKit();
  const refusal = useRefusal(restraints.setRestraint);
  const change = useChange(restraints.setRestraint, {
    refresh: [restraints.listRestraints, proposals.listStaffProposals],
    showsErrors: true,
    onProposed: onDone,
    onDone: () => {
      notify({ text: `${accountName} is under ${restraintKinds[kind]}. Its corporate contacts get an e-mail.` });
      onDone();
    },
  });
  const form = useForm(
    restraints.setRestraint.body,
    { reason: 'hijack' as RestraintReason, endsOn: kind === 'hold' ? daysAfter(today, 7) : '', memberText: '' },
    {
      name: 'restraint',
      toBody: values => ({ ...values, kind, endsOn: values.endsOn === '' ? null : values.endsOn }),
      ifEmpty: { memberText: 'Enter what the member reads: what is stopped, why, and what ends it' },
      check: ({ endsOn }) => (kind === 'hold' && endsOn === '' ? { endsOn: `Choose a day until ${holdEndsBy}` } : {}),
      change,
      send: body => change.mutate({ accountName, body }),
    },
  );
  const { reason } = form.values;
  const needsSecond = kind === 'restrict' || holdNeedsSecond;
  const begins = kind === 'hold' || reason === 'hijack' ? null : noticeEndsOn;
  return (
    <Form form={form} label={actNames[kind].name} bare>
      <div className={styles.setting}>
        <div className={styles.fields}>
          <FormProblems form={form} />
          <div className={styles.two}>
            <Field label="Reason" {...form.field('reason')}>
              <Select options={restraintReasonNames.map(value => ({ value, label: restraintReasons[value] }))} {...form.input('reason')} />
            </Field>
            <Field
              label={kind === 'hold' ? 'Ends on' : 'Ends on (optional)'}
              help={kind === 'hold' ? 'At the beginning of that day.' : 'At the beginning of that day. Empty: until it is lifted.'}
              {...form.field('endsOn')}
            >
              <DateInput min={daysAfter(begins ?? today, 1)} max={kind === 'hold' ? holdEndsBy : undefined} {...form.input('endsOn')} />
            </Field>
          </div>
          <Field
            label="What the member reads"
            help={`Goes to ${toldInWords(answer.told)}, and every contact sees it on the home page.`}
            {...form.field('memberText')}
          >
            <TextArea rows={4} {...form.input('memberText')} />
          </Field>
        </div>
        <div className={styles.effects}>
          <h3>What will happen</h3>
          <Effects answer={answer} begins={begins} needsSecond={needsSecond} isHold={kind === 'hold'} />
          <ButtonRow>
            <Button type="submit" variant="commit" busy={form.busy} refusal={refusal}>
              {needsSecond ? `Ask a second person: ${actNames[kind].name.toLowerCase()} ${accountName}` : `Put ${accountName} on hold`}
            </Button>
            <Button onClick={onDone}>Cancel</Button>
          </ButtonRow>
        </div>
      </div>
    </Form>
  );
}

const toldInWords = (names: readonly string[]): string =>
  names.length === 0
    ? 'no one, because the account has no corporate contact'
    : names.length > 2
      ? `${names[0]} and ${names.length - 1} others`
      : names.join(' and ');

/** Effects of an act, in their order. */
function Effects({
  answer,
  begins,
  needsSecond,
  isHold,
}: {
  answer: Answer;
  begins: string | null;
  needsSecond: boolean;
  isHold: boolean;
}) {
  const others = [...new Set(answer.waiting.flatMap(({ otherParty }) => otherParty ?? []))];
  return (
    <ul>
      {needsSecond && (
        <li>
          <Icon name="contacts" />
          <span>
            <b>First:</b> a second person confirms it
            {isHold && `, because another hold ended less than ${nextHoldDays} days ago`}
          </span>
        </li>
      )}
      <li>
        <Icon name="mail" />
        <span>
          <b>{needsSecond ? 'After that:' : 'Immediately:'}</b> notice by e-mail, in the log and on their home page
        </span>
      </li>
      <li>
        <Icon name="clock" />
        <span>
          <b>{begins ? <DateText value={begins} shape="date" /> : 'With the notice'}:</b> it begins
          {begins && `, ${restrictionNoticeDays} days after the notice`}.{' '}
          {answer.waiting.length === 0 ? (
            'No open case waits'
          ) : (
            <>
              These wait:{' '}
              {answer.waiting.map(({ reference, link, what }, index) => (
                <span key={reference}>
                  {index > 0 && ', '}
                  <Link href={link} title={what}>
                    {reference}
                  </Link>
                </span>
              ))}
            </>
          )}
          {others.length > 0 && `. ${others.join(', ')} ${others.length === 1 ? 'is' : 'are'} notified, without the reason`}
        </span>
      </li>
      <li>
        <Icon name="check" />
        <span>One person lifts it; what waited goes on, with at least 14 days for answers</span>
      </li>
    </ul>
  );
}

function Earlier({ rows }: { rows: readonly Restraint[] }) {
  if (rows.length === 0) return null;
  return (
    <ul className={styles.earlier}>
      {rows.map(({ restraintId, kind, reason, setAt, endedAt, endsAt, liftedBy, liftReason }) => (
        <li key={restraintId}>
          {kind === 'hold' ? 'Hold' : 'Restriction'}, {restraintReasons[reason].toLowerCase()}, <DateText value={setAt} shape="date" /> to{' '}
          <DateText value={endedAt ?? endsAt ?? setAt} shape="date" />
          {liftedBy && `, lifted by ${liftedBy}: ${liftReason}`}
        </li>
      ))}
    </ul>
  );
}
