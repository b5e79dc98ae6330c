import { useRefusal } from '@portal/app-kit';
import { accountClosures, type StaffAccountClosure } from '@portal/contract/account-closures';
import { Button, DateText, KeyValueList, Link, Panel, StateMark } from '@portal/ui';
import { useState } from 'react';
import { useDecision } from './ChangePanel.tsx';
import type { Deciding } from './deciding.ts';
import styles from './OrganisationChangesPage.module.css';
import quotes from './OrganisationPage.module.css';
import { closureStates, handlingWords } from './organisation-words.ts';
import { WordsForm } from './WordsForm.tsx';

/** What staff do until the day, besides approving. */
function nextSteps({ delegations, resources, closeOn }: StaffAccountClosure): string {
  const held = delegations === 1 ? 'one delegation' : `${delegations} delegations`;
  if (delegations === 0) return `It holds no number resources. The account closes by itself on ${closeOn}.`;
  if (resources === 'transfer')
    return `It still holds ${held}. See that they are transferred before ${closeOn}, when the account closes by itself.`;
  return `It still holds ${held}. Take them back, with whois objects, reverse DNS and certificates, by ${closeOn}, when the account closes by itself.`;
}

/** One request to end an account, and the decision. */
export function ClosurePanel({
  closure,
  deciding,
  onClose,
}: {
  closure: StaffAccountClosure;
  deciding: Deciding<StaffAccountClosure>;
  onClose: () => void;
}) {
  const { closureId, reference, accountName, state } = closure;
  const refusal = useRefusal(accountClosures.approveAccountClosure);
  const [act, setAct] = useState<'approve' | 'refuse' | null>(null);
  const after = (words: string) => ({
    onDone: (row: StaffAccountClosure) => {
      setAct(null);
      deciding.done(row, words);
    },
  });
  const approve = useDecision(
    accountClosures.approveAccountClosure,
    after(`Approved. ${accountName} closes on ${closure.closeOn}.`),
    deciding.failed,
  );
  const refuse = useDecision(accountClosures.refuseAccountClosure, after('Refused. The account stays open.'), deciding.failed);
  const open = state === 'SUBMITTED' || state === 'APPROVED';
  return (
    <Panel
      title={`End of ${accountName}`}
      sub={reference}
      actions={<StateMark state={closureStates[state].state}>{closureStates[state].words}</StateMark>}
      onClose={onClose}
      footer={
        open &&
        act === null && (
          <>
            {state === 'SUBMITTED' && (
              <Button variant="primary" refusal={refusal} refusalIn="note" onClick={() => setAct('approve')}>
                Approve
              </Button>
            )}
            <Button refusal={refusal} refusalIn="note" onClick={() => setAct('refuse')}>
              {state === 'APPROVED' ? 'Refuse after all' : 'Refuse'}
            </Button>
          </>
        )
      }
    >
      {act === 'approve' && state === 'SUBMITTED' && (
        <section className={styles.part}>
          <WordsForm
            label="Note"
            act="Approve"
            variant="commit"
            consequence={nextSteps(closure)}
            busy={approve.isPending}
            onSend={note => approve.mutate({ closureId, body: { note } })}
            onClose={() => setAct(null)}
          />
        </section>
      )}
      {act === 'refuse' && open && (
        <section className={styles.part}>
          <WordsForm
            label="Reason"
            act="Refuse"
            variant="danger"
            needed="Write the reason: the member reads it"
            consequence="The account stays open."
            busy={refuse.isPending}
            onSend={reason => refuse.mutate({ closureId, body: { reason } })}
            onClose={() => setAct(null)}
          />
        </section>
      )}
      {state === 'APPROVED' && (
        <section className={styles.part}>
          <h3>What is left to do</h3>
          <p>{nextSteps(closure)}</p>
        </section>
      )}
      <section className={styles.part}>
        <KeyValueList
          align="left"
          items={[
            { key: 'Closes on', value: <DateText value={closure.closeOn} shape="date" format={{ timeZone: 'UTC', hourCycle: 'h23' }} /> },
            { key: 'Number resources', value: handlingWords[closure.resources] },
            {
              key: 'Account',
              value: (
                <Link href={`/${encodeURIComponent(accountName)}/index.html?to=/member-account-settings/organization-details`}>
                  {accountName}
                </Link>
              ),
            },
            { key: 'Legal name', value: closure.orgName },
            { key: 'Status', value: closure.accountStatus },
          ]}
        />
        <p className="quiet small">
          {closure.requestedBy} ({closure.requesterEmail}) asked on <DateText value={closure.requestedAt} />:
        </p>
        <blockquote className={quotes.quote}>{closure.reason}</blockquote>
      </section>
      {closure.resolvedAt && (
        <section className={styles.part}>
          <h3>The decision</h3>
          <p>
            {closureStates[state].words} by {closure.resolvedBy ?? 'the registry'} on <DateText value={closure.resolvedAt} />
          </p>
          {closure.note && <blockquote className={quotes.quote}>{closure.note}</blockquote>}
        </section>
      )}
    </Panel>
  );
}
