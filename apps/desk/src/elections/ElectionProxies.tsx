import { canMove } from '@portal/contract/life';
import { proxyLife } from '@portal/contract/elections/life';
import { useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { type ElectionProxy, proxies } from '@portal/contract/elections/proxies';
import { Button, DateText, EmptyState, Field, Link, Sheet, type State, StateMark, TextArea } from '@portal/ui';
import { useState } from 'react';
import styles from './Conferences.module.css';

const marks: Record<ElectionProxy['state'], { state: State; words: string }> = {
  active: { state: 'valid', words: 'Appointed' },
  used: { state: 'info', words: 'Voted' },
  revoked: { state: 'closed', words: 'Revoked' },
  voided: { state: 'invalid', words: 'Voided' },
  expired: { state: 'closed', words: 'Expired' },
};

/** The proxies of an election; staff void one that was appointed wrongly. */
export function ElectionProxies({ electionId }: { electionId: string }) {
  const { rows } = useAnswer(proxies.listElectionProxies, { electionId });
  return (
    <Sheet title="Proxies" meta={rows.length > 0 && <span>{rows.length}</span>} flush>
      {rows.length === 0 ? (
        <EmptyState title="No proxies yet" picture={false}>
          Proxies that members appoint in the portal appear here.
        </EmptyState>
      ) : (
        <ul className={styles.conferences}>
          {rows.map(proxy => (
            <ProxyRow key={proxy.proxyId} proxy={proxy} />
          ))}
        </ul>
      )}
    </Sheet>
  );
}

function ProxyRow({ proxy }: { proxy: ElectionProxy & { accountName: string } }) {
  const { proxyId, accountName, fullName, email, state, endReason, appointedBy, appointedAt } = proxy;
  const { notify } = useKit();
  const [voiding, setVoiding] = useState(false);
  const refusal = useRefusal(proxies.voidProxy);
  const change = useChange(proxies.voidProxy, {
    refresh: [proxies.listElectionProxies],
    showsErrors: true,
    onDone: () => {
      notify({ text: `${fullName} is no longer the proxy of ${accountName}.` });
      setVoiding(false);
    },
    onProposed: () => setVoiding(false),
  });
  const form = useForm(
    proxies.voidProxy.body,
    { reason: '' },
    {
      name: `void-${proxyId}`,
      ifEmpty: { reason: 'Enter a reason' },
      change,
      send: body => change.mutate({ proxyId, body }),
    },
  );
  return (
    <li>
      <div>
        <Link href={`/desk/accounts/${accountName}`}>{accountName}</Link> <bdi className="strong">{fullName}</bdi>{' '}
        <span className="quiet">{email}</span>
        <div className="small quiet">
          appointed by <bdi>{appointedBy}</bdi>, <DateText value={appointedAt} />
          {endReason && `. ${endReason}`}
        </div>
      </div>
      <StateMark state={marks[state].state}>{marks[state].words}</StateMark>
      {canMove(proxyLife.void, state) && !voiding && (
        <Button
          size="s"
          variant="danger"
          refusal={refusal}
          refusalIn="note"
          aria-label={`Void ${fullName}`}
          onClick={() => setVoiding(true)}
        >
          Void
        </Button>
      )}
      {voiding && (
        <ActForm form={form} label={`Void ${fullName}`} act="Void the proxy" kind="danger" onClose={() => setVoiding(false)}>
          <Field
            label="Reason"
            help="The account and the proxy read it, once a scrutineer approves it. The account can vote directly again."
            {...form.field('reason')}
          >
            <TextArea rows={2} {...form.input('reason')} />
          </Field>
        </ActForm>
      )}
    </li>
  );
}
