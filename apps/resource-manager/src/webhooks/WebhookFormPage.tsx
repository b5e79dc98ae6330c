import { Page, read, useAccount, useAddress, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { type Form as FormOf, useForm } from '@portal/app-kit/form/use-form';
import { type ActivityCategory, activityCategories } from '@portal/contract/activity-log/activity-log';
import { type Webhook, webhooks } from '@portal/contract/webhooks/webhooks';
import { Breadcrumb, Button, ButtonRow, Checkbox, Field, FieldGroup, LinkButton, Sheet, SkeletonLines, Stack, TextInput } from '@portal/ui';
import { AccountNote } from '../shell/AccountNote.tsx';
import { FirstRead } from '../shell/FirstRead.tsx';
import { WebhookSecret } from './WebhookSecret.tsx';
import { webhookPath, webhooksPath } from '../shell/webhook-words.ts';

/** Creates a webhook and shows its secret, once; or changes one (`?webhook=ID`). */
export default function WebhookFormPage() {
  const { accountName: account } = useAccount();
  const webhookId = useAddress().get('webhook') ?? '';
  const create = useChange(webhooks.createWebhook, { showsErrors: true, refresh: [webhooks.listWebhooks] });
  return (
    <Page
      title={webhookId === '' ? 'New webhook' : 'Edit webhook'}
      sub="Each activity of the account is posted to an address of yours as JSON."
      breadcrumb={
        <Breadcrumb items={[{ label: 'Webhooks', href: webhooksPath }, { label: webhookId === '' ? 'New webhook' : 'Edit webhook' }]} />
      }
    >
      <AccountNote />
      {create.data ? (
        <Sheet
          title={`${create.data.webhook.label} is ready`}
          footer={<LinkButton href={webhookPath(create.data.webhook.webhookId)}>Send a test event</LinkButton>}
        >
          <WebhookSecret {...create.data} />
        </Sheet>
      ) : webhookId === '' ? (
        <NewWebhook create={create} />
      ) : (
        <FirstRead
          reads={[read(webhooks.listWebhooks, { account })]}
          fallback={
            <Sheet aria-label="Webhook">
              <SkeletonLines lines={6} />
            </Sheet>
          }
        >
          <EditedWebhook webhookId={webhookId} />
        </FirstRead>
      )}
    </Page>
  );
}

const blank = { label: '', url: '', categories: [] as readonly ActivityCategory[], refusals: false };

function NewWebhook({ create }: { create: ReturnType<typeof useChange<typeof webhooks.createWebhook>> }) {
  const { accountName: account } = useAccount();
  const refusal = useRefusal(webhooks.createWebhook);
  const form = useForm(webhooks.createWebhook.body, blank, {
    name: 'webhook',
    ifEmpty: { label: 'Enter a label, such as noc-chat', url: 'Enter an address such as https://hooks.example.net/registry' },
    fieldOfCode: { WEBHOOK_LABEL_TAKEN: 'label' },
    change: create,
    send: body => create.mutate({ account, body }),
  });
  return <WebhookFields form={form} act="Create webhook" refusal={refusal} cancel={webhooksPath} />;
}

function EditedWebhook({ webhookId }: { webhookId: string }) {
  const { accountName: account } = useAccount();
  const { rows } = useAnswer(webhooks.listWebhooks, { account });
  const webhook = rows.find(each => each.webhookId === webhookId);
  if (!webhook) return <Sheet aria-label="Webhook">This webhook doesn’t exist, or was removed.</Sheet>;
  return <EditForm key={webhookId} webhook={webhook} />;
}

function EditForm({ webhook }: { webhook: Webhook }) {
  const { accountName: account } = useAccount();
  const { webhookId, label, url, categories, refusals } = webhook;
  const { notify } = useKit();
  const address = useAddress();
  const refusal = useRefusal(webhooks.saveWebhook);
  const save = useChange(webhooks.saveWebhook, {
    showsErrors: true,
    refresh: [webhooks.listWebhooks],
    onDone: saved => {
      notify({ text: `${saved.label} is saved.` });
      address.go(webhookPath(webhookId));
    },
  });
  const form = useForm(
    webhooks.saveWebhook.body,
    { label, url, categories: categories as readonly ActivityCategory[], refusals },
    {
      name: `webhook-${webhookId}`,
      ifEmpty: { label: 'Enter a label, such as noc-chat', url: 'Enter an address such as https://hooks.example.net/registry' },
      fieldOfCode: { WEBHOOK_LABEL_TAKEN: 'label' },
      change: save,
      send: body => save.mutate({ account, webhookId, body }),
    },
  );
  return <WebhookFields form={form} act="Save webhook" refusal={refusal} cancel={webhookPath(webhookId)} />;
}

type FieldsForm = FormOf<typeof blank, keyof typeof blank>;

function WebhookFields({
  form,
  act,
  refusal,
  cancel,
}: {
  form: FieldsForm;
  act: string;
  refusal: ReturnType<typeof useRefusal>;
  cancel: string;
}) {
  const address = useAddress();
  const { categories, refusals } = form.values;
  const keys = Object.keys(activityCategories) as ActivityCategory[];
  return (
    <Sheet aria-label={act}>
      <Form form={form} label={act}>
        <Stack gap={16}>
          <Field label="Label" help="What receives the events, such as noc-chat or monitoring." {...form.field('label')}>
            <TextInput {...form.input('label')} />
          </Field>
          <Field label="Address" help="Where events are posted. It has to answer 2xx within 15 seconds." {...form.field('url')}>
            <TextInput mono placeholder="https://hooks.example.net/registry" {...form.input('url')} />
          </Field>
          <FieldGroup legend="Activities" help="Without a choice, all activities are sent, also kinds that are added later.">
            {keys.map(category => (
              <Checkbox
                key={category}
                checked={categories.includes(category)}
                onChange={({ target }) =>
                  form.set({ categories: keys.filter(each => (each === category ? target.checked : categories.includes(each))) })
                }
              >
                {activityCategories[category]}
              </Checkbox>
            ))}
          </FieldGroup>
          <Checkbox checked={refusals} onChange={({ target }) => form.set({ refusals: target.checked })}>
            Send refused attempts too
          </Checkbox>
          <p className="small muted">All corporate contacts are notified. Nothing is sent once you are no longer a corporate contact.</p>
          <ButtonRow>
            <Button type="submit" variant="commit" busy={form.busy} refusal={refusal}>
              {act}
            </Button>
            <Button onClick={() => address.go(cancel)}>Cancel</Button>
          </ButtonRow>
        </Stack>
      </Form>
    </Sheet>
  );
}
