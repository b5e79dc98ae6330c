import { Page, read, useAccount, useAddress, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { type Webhook, webhooks } from '@portal/contract/webhooks/webhooks';
import {
  Banner,
  Breadcrumb,
  Button,
  ButtonRow,
  DateText,
  KeyValueList,
  LinkButton,
  Sheet,
  SkeletonLines,
  Stack,
  StateMark,
} from '@portal/ui';
import { ConfirmDialog, Dialog } from '@portal/ui/overlay/Dialog';
import { AccountNote } from '../shell/AccountNote.tsx';
import { FirstRead } from '../shell/FirstRead.tsx';
import { Deliveries } from './Deliveries.tsx';
import { WebhookSecret } from './WebhookSecret.tsx';
import styles from './Webhooks.module.css';
import { newWebhookPath, outcomeOf, stateOf, subjectsOf, webhooksPath } from '../shell/webhook-words.ts';

/** One webhook (`?webhook=ID`): its state, what was delivered, a test, a new secret (`?act=rotate`), removal (`?act=remove`). */
export default function WebhookPage() {
  const { accountName: account } = useAccount();
  const webhookId = useAddress().get('webhook') ?? '';
  return (
    <Page title="Webhook" breadcrumb={<Breadcrumb items={[{ label: 'Webhooks', href: webhooksPath }, { label: 'Webhook' }]} />}>
      <AccountNote />
      <FirstRead
        reads={[read(webhooks.listWebhooks, { account })]}
        fallback={
          <Sheet aria-label="Webhook">
            <SkeletonLines lines={6} />
          </Sheet>
        }
      >
        <Found key={webhookId} webhookId={webhookId} />
      </FirstRead>
    </Page>
  );
}

function Found({ webhookId }: { webhookId: string }) {
  const { accountName: account } = useAccount();
  const { rows } = useAnswer(webhooks.listWebhooks, { account });
  const webhook = rows.find(each => each.webhookId === webhookId);
  if (!webhook)
    return (
      <Sheet aria-label="Webhook" footer={<LinkButton href={webhooksPath}>View webhooks</LinkButton>}>
        <p>This webhook doesn’t exist, or was removed.</p>
      </Sheet>
    );
  return (
    <Stack gap={16}>
      <Facts webhook={webhook} />
      <Deliveries webhook={webhook} />
    </Stack>
  );
}

const refresh = [webhooks.listWebhooks, webhooks.listDeliveries];

function Facts({ webhook }: { webhook: Webhook }) {
  const { label, url, refusals, state, lastAttempt } = webhook;
  const [mark, words] = stateOf(webhook);
  return (
    <Sheet title={label}>
      <Stack gap={16}>
        {webhook.disabledWhy !== null && (
          <Banner kind="error" title="The registry turned this webhook off.">
            Reason: {webhook.disabledWhy}. Fix the receiver, then turn it on.
          </Banner>
        )}
        {state === 'creator-gone' && (
          <Banner kind="warning" title="Nothing is sent.">
            {webhook.savedBy}, who saved it last, is no longer a corporate contact. Turn it on to own it.
          </Banner>
        )}
        <KeyValueList
          align="left"
          items={[
            { key: 'State', value: <StateMark state={mark}>{words}</StateMark> },
            { key: 'Address', value: <span className={`mono ${styles.address}`}>{url}</span> },
            { key: 'Sends', value: `${subjectsOf(webhook)}${refusals ? ', refused attempts too' : ''}` },
            { key: 'Owner', value: webhook.savedBy },
            {
              key: 'Last attempt',
              value:
                lastAttempt === null ? (
                  'never'
                ) : (
                  <>
                    <DateText value={lastAttempt.at} /> · {outcomeOf(lastAttempt)}
                  </>
                ),
            },
            ...(webhook.failingSince === null ? [] : [{ key: 'Failing since', value: <DateText value={webhook.failingSince} /> }]),
            ...(webhook.oldSecretUntil === null
              ? []
              : [{ key: 'Old secret signs until', value: <DateText value={webhook.oldSecretUntil} /> }]),
          ]}
        />
        <WebhookActs webhook={webhook} />
      </Stack>
      <WebhookDialogs webhook={webhook} />
    </Sheet>
  );
}

/** Rotation of the secret, and removal, as the address asks for them. */
function WebhookDialogs({ webhook: { webhookId, label, url } }: { webhook: Webhook }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const address = useAddress();
  const one = { account, webhookId };
  const act = address.get('act');
  const close = () => address.set({ act: null });
  const rotate = useChange(webhooks.rotateWebhookSecret, { refresh });
  const remove = useChange(webhooks.removeWebhook, {
    refresh: [webhooks.listWebhooks],
    onDone: () => {
      notify({ text: `${label} is removed.` });
      address.go(webhooksPath);
    },
  });
  return (
    <>
      {rotate.data ? (
        <Dialog
          open
          onClose={() => {
            rotate.reset();
            close();
          }}
          title={`New secret of ${label}`}
        >
          <WebhookSecret {...rotate.data} />
        </Dialog>
      ) : (
        <ConfirmDialog
          open={act === 'rotate'}
          onClose={close}
          title={`Rotate the secret of ${label}?`}
          act="Rotate secret"
          busy={rotate.isPending}
          onAct={() => rotate.mutate(one)}
        >
          <p>Events are signed with both secrets for 24 hours, so that you can change your receiver in between.</p>
        </ConfirmDialog>
      )}
      <ConfirmDialog
        open={act === 'remove'}
        onClose={close}
        title={`Remove ${label}?`}
        act="Remove webhook"
        kind="danger"
        busy={remove.isPending}
        onAct={() => remove.mutate(one)}
      >
        <p>Nothing is sent to {url} any more, and its deliveries are deleted. This can’t be undone.</p>
      </ConfirmDialog>
    </>
  );
}

function WebhookActs({ webhook: { webhookId, label, url, categories, refusals, state } }: { webhook: Webhook }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const address = useAddress();
  const one = { account, webhookId };
  const test = useChange(webhooks.testWebhook, { refresh, onDone: () => notify({ text: 'A test event is on its way.' }) });
  const pause = useChange(webhooks.pauseWebhook, {
    refresh,
    onDone: () => notify({ text: `${label} is paused. Events are not kept for it.` }),
  });
  const turnOn = useChange(webhooks.saveWebhook, { refresh, onDone: () => notify({ text: `${label} is on. You own it now.` }) });
  const canTest = useRefusal(webhooks.testWebhook);
  const canSave = useRefusal(webhooks.saveWebhook);
  const canRotate = useRefusal(webhooks.rotateWebhookSecret);
  const canRemove = useRefusal(webhooks.removeWebhook);
  const isOn = state === 'active';
  return (
    <ButtonRow>
      {isOn ? (
        <Button variant="primary" refusal={canTest} refusalIn="note" busy={test.isPending} onClick={() => test.mutate(one)}>
          Send test event
        </Button>
      ) : (
        <Button
          variant="commit"
          refusal={canSave}
          refusalIn="note"
          busy={turnOn.isPending}
          onClick={() => turnOn.mutate({ ...one, body: { label, url, categories, refusals } })}
        >
          Turn on
        </Button>
      )}
      <LinkButton href={`${newWebhookPath}?webhook=${webhookId}`}>Edit</LinkButton>
      {isOn && (
        <Button busy={pause.isPending} refusal={canRemove} refusalIn="note" onClick={() => pause.mutate(one)}>
          Pause
        </Button>
      )}
      <Button refusal={canRotate} refusalIn="note" onClick={() => address.set({ act: 'rotate' }, { step: true })}>
        Rotate secret
      </Button>
      <Button refusal={canRemove} refusalIn="note" onClick={() => address.set({ act: 'remove' }, { step: true })}>
        Remove
      </Button>
    </ButtonRow>
  );
}
