import { useAccount, useAnswer } from '@portal/app-kit';
import { webhooks } from '@portal/contract/webhooks/webhooks';
import { DateText, EmptyState, Link, LinkButton, Sheet, StateMark } from '@portal/ui';
import { newWebhookPath, outcomeOf, stateOf, subjectsOf, webhookPath, webhooksPath } from '../shell/webhook-words.ts';
import styles from './ApiKeys.module.css';

/** The webhooks of the account under its keys: where events go, and how the last delivery ended. */
export function WebhookSummary() {
  const { accountName: account } = useAccount();
  const { rows } = useAnswer(webhooks.listWebhooks, { account });
  const failing = rows.filter(({ failingSince }) => failingSince !== null).length;
  return (
    <Sheet
      flush
      title="Webhooks"
      meta={
        failing > 0 && (
          <StateMark state="warning">
            {failing} {failing === 1 ? 'endpoint' : 'endpoints'} failing
          </StateMark>
        )
      }
      actions={
        <>
          {rows.length > 0 && <Link href={webhooksPath}>All webhooks</Link>}
          <LinkButton size="s" icon="plus" href={newWebhookPath}>
            Add webhook
          </LinkButton>
        </>
      }
    >
      {rows.length === 0 ? (
        <EmptyState title="No webhooks yet" picture={false}>
          A webhook sends each change of {account} to an address of yours.
        </EmptyState>
      ) : (
        <ul className={styles.hooks}>
          {rows.map(row => {
            const [mark, words] = stateOf(row);
            return (
              <li key={row.webhookId}>
                <Link href={webhookPath(row.webhookId)} className="mono">
                  {row.url}
                </Link>
                <StateMark state={mark}>{words}</StateMark>
                <small>
                  {row.label}: {subjectsOf(row)}.{' '}
                  {row.lastAttempt ? (
                    <>
                      Last delivery <DateText value={row.lastAttempt.at} />: {outcomeOf(row.lastAttempt)}
                    </>
                  ) : (
                    'Nothing delivered yet'
                  )}
                  {row.waiting > 0 && `, ${row.waiting} waiting`}
                </small>
              </li>
            );
          })}
        </ul>
      )}
    </Sheet>
  );
}
