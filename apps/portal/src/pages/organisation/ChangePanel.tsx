import { type AnyEndpoint, type CallAnswer, type CallInput, type Change, useChange, useRefusal } from '@portal/app-kit';
import { organisationChanges, registryFields, type StaffOrganisationChange } from '@portal/contract/organisation-changes';
import { Button, DateText, KeyValueList, Link, Panel, StateMark } from '@portal/ui';
import { useState } from 'react';
import type { Deciding } from './deciding.ts';
import { Difference } from './Difference.tsx';
import styles from './OrganisationChangesPage.module.css';
import quotes from './OrganisationPage.module.css';
import { changeStates, economyWords, valueWords } from './organisation-words.ts';
import { WordsForm } from './WordsForm.tsx';

type Act = 'ask' | 'approve' | 'refuse';

/** One change a member asks for: what differs, who asked and why, and what staff make of it. */
export function ChangePanel({
  change,
  deciding,
  onClose,
}: {
  change: StaffOrganisationChange;
  deciding: Deciding<StaffOrganisationChange>;
  onClose: () => void;
}) {
  const { changeId, reference, field, accountName, state } = change;
  const refusal = useRefusal(organisationChanges.approveOrganisationChange);
  const [act, setAct] = useState<Act | null>(null);
  const after = (words: string) => ({
    onDone: (row: StaffOrganisationChange) => {
      setAct(null);
      deciding.done(row, words);
    },
  });
  const review = useDecision(organisationChanges.reviewOrganisationChange, after(`${reference} is in review.`), deciding.failed);
  const ask = useDecision(organisationChanges.askAboutOrganisationChange, after('The member was asked by e-mail.'), deciding.failed);
  const approve = useDecision(
    organisationChanges.approveOrganisationChange,
    after(`Approved and registered. The member gets an e-mail.`),
    deciding.failed,
  );
  const refuse = useDecision(organisationChanges.refuseOrganisationChange, after('Refused. The member gets an e-mail.'), deciding.failed);
  const open = change.resolvedAt === null;
  const label = registryFields[field].label;
  return (
    <Panel
      title={`${label} of ${accountName}`}
      sub={reference}
      actions={<StateMark state={changeStates[state].state}>{changeStates[state].words}</StateMark>}
      onClose={onClose}
      footer={
        open &&
        act === null && (
          <>
            <Button variant="primary" refusal={refusal} refusalIn="note" onClick={() => setAct('approve')}>
              Approve
            </Button>
            <Button refusal={refusal} refusalIn="note" onClick={() => setAct('refuse')}>
              Refuse
            </Button>
            {state !== 'INFO_REQUESTED' && (
              <Button refusal={refusal} refusalIn="note" onClick={() => setAct('ask')}>
                Ask for more
              </Button>
            )}
            {state === 'SUBMITTED' && (
              <Button
                variant="quiet"
                refusal={refusal}
                refusalIn="note"
                busy={review.isPending}
                onClick={() => review.mutate({ changeId })}
              >
                Take into review
              </Button>
            )}
          </>
        )
      }
    >
      {open && act === 'approve' && (
        <section className={styles.part}>
          <WordsForm
            label="Note"
            act="Approve"
            variant="commit"
            consequence={`${valueWords(field, change.wantedValue)} is registered at once.`}
            busy={approve.isPending}
            onSend={note => approve.mutate({ changeId, body: { note } })}
            onClose={() => setAct(null)}
          />
        </section>
      )}
      {open && act === 'refuse' && (
        <section className={styles.part}>
          <WordsForm
            label="Reason"
            act="Refuse"
            variant="danger"
            needed="Write the reason: the member reads it"
            consequence="Everything stays as it is."
            busy={refuse.isPending}
            onSend={reason => refuse.mutate({ changeId, body: { reason } })}
            onClose={() => setAct(null)}
          />
        </section>
      )}
      {open && act === 'ask' && (
        <section className={styles.part}>
          <WordsForm
            label="Question"
            act="Ask the member"
            variant="primary"
            needed="Write what you need"
            most={1000}
            consequence="The request waits until the member has answered."
            busy={ask.isPending}
            onSend={question => ask.mutate({ changeId, body: { question } })}
            onClose={() => setAct(null)}
          />
        </section>
      )}
      {!open && (
        <section className={styles.part}>
          <h3>The decision</h3>
          <p>
            {changeStates[state].words} by {change.resolvedBy ?? 'the registry'}
            {change.resolvedAt && (
              <>
                {' '}
                on <DateText value={change.resolvedAt} />
              </>
            )}
          </p>
          {change.note && <blockquote className={quotes.quote}>{change.note}</blockquote>}
        </section>
      )}
      <section className={styles.part}>
        <Difference
          label={label}
          before={valueWords(field, open ? change.valueNow : change.presentValue)}
          after={valueWords(field, change.wantedValue)}
        />
        {open && change.valueNow !== change.presentValue && (
          <p className="small muted">When it was asked for, it was {valueWords(field, change.presentValue)}.</p>
        )}
        <p className="quiet small">
          {change.requestedBy} ({change.requesterEmail}) asked on <DateText value={change.requestedAt} />.
          {registryFields[field].evidence && ` Papers come by mail with the reference ${reference}.`}
        </p>
        {change.reason === '' ? (
          <p className="quiet small">They gave no reason.</p>
        ) : (
          <blockquote className={quotes.quote}>{change.reason}</blockquote>
        )}
      </section>
      {change.question && (
        <section className={styles.part}>
          <h3>Asked by the registry</h3>
          <blockquote className={quotes.quote}>{change.question}</blockquote>
          <p className="quiet small">{change.answer ? 'The member answered:' : 'The member has not answered yet.'}</p>
          {change.answer && <blockquote className={quotes.quote}>{change.answer}</blockquote>}
        </section>
      )}
      <section className={styles.part}>
        <h3>The account</h3>
        <KeyValueList
          align="left"
          items={[
            {
              key: 'Account',
              value: (
                <Link href={`/${encodeURIComponent(accountName)}/index.html?to=/member-account-settings/organization-details`}>
                  {accountName}
                </Link>
              ),
            },
            { key: 'Legal name', value: change.orgName },
            { key: 'Economy', value: economyWords(change.economy) },
            { key: 'Status', value: change.accountStatus },
            ...(open && change.reviewer ? [{ key: 'Reviewer', value: change.reviewer }] : []),
          ]}
        />
      </section>
    </Panel>
  );
}

/** A decision; what is refused stands in the banner, and the request is shown as somebody else left it. */
export function useDecision<E extends AnyEndpoint>(
  endpoint: E,
  options: { onDone: (answer: CallAnswer<E>) => void },
  onFailed: Deciding<never>['failed'],
): Pick<Change<E>, 'isPending'> & { mutate: (input: CallInput<E>) => void } {
  const change = useChange(endpoint, options);
  return { isPending: change.isPending, mutate: input => change.mutate(input, { onError: onFailed }) };
}
