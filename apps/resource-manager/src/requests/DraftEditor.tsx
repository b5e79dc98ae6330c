import { money } from '@portal/app-kit/words/billing-words';
import { useAccount, useAddress, useChange, useKit, useRefusal } from '@portal/app-kit';
import { Confirmation } from '@portal/app-kit/form/Confirmation';
import { Form, FormProblems } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { UploadField } from '@portal/app-kit/documents/UploadField';
import { useUploads } from '@portal/app-kit/documents/uploads';
import { problemsOfForm } from '@portal/contract/requests/form-problems';
import type { RequestForm } from '@portal/contract/requests/request-form';
import { type ResourceRequestDetail, requests, type TransferPlan } from '@portal/contract/requests/requests';
import { Banner, Button, ButtonRow, DateText, FormColumn, Grid, KeyValueList, Sheet, Stack } from '@portal/ui';
import { type ReactNode, useEffect, useState } from 'react';
import { caseAddress } from '../shell/case-words.ts';
import { Checklist } from './Checklist.tsx';
import { EffectsList } from './EffectsList.tsx';
import { whoisNameRows } from './whois-name-words.ts';

type FieldsOf = (props: {
  form: RequestForm;
  errors: Partial<Record<string, string>>;
  onChange: (part: Partial<RequestForm>) => void;
}) => ReactNode;

/** Milliseconds after the last change before a draft is saved. */
const PAUSE = 1200;

/** The form of a draft: saved as it is filled in, checked against policy with every save, reviewed and sent. */
export function DraftEditor({
  request,
  fields,
  send = () => 'Send request',
  sendWords,
}: {
  request: ResourceRequestDetail;
  fields: FieldsOf;
  /** Label of the button. */
  send?: (form: RequestForm) => string;
  sendWords?: (form: RequestForm) => string;
}) {
  const { accountName: account } = useAccount();
  const { latest, uploads, save, submit, withdraw, isSavedAs, saveNow } = useDraftCalls(request);
  const refusal = useRefusal(requests.submitRequest);
  const form = useForm(
    requests.saveRequest.body,
    { ...request.form, truthful: false },
    {
      name: 'request',
      also: ['documents'],
      toBody: values => ({ version: latest.version, form: answersOf(values), documentIds: uploads.documentIds }),
      fieldAt: place => (place.startsWith('documentIds') ? 'documents' : place.replace(/^form\./, '')),
      check: values => ({
        ...Object.fromEntries(
          problemsOfForm(latest.kind, values)
            .toReversed()
            .map(({ field, message }) => [field, message]),
        ),
        ...(uploads.sending && { documents: 'Wait until the file is uploaded' }),
        ...(!values.truthful && { truthful: 'Confirm that the answers are true' }),
      }),
      change: submit,
      send: (_, values) =>
        saveNow(answersOf(values), answer =>
          submit.mutate({ account, requestId: answer.requestId, body: { version: answer.version, truthful: true } }),
        ),
    },
  );
  const { truthful } = form.values;
  const answers = answersOf(form.values);
  const isSaved = isSavedAs(answers);
  useEffect(() => {
    if (isSaved || save.isPending || save.error || uploads.sending) return;
    const timer = setTimeout(() => saveNow(answers), PAUSE);
    return () => clearTimeout(timer);
  });
  const refusedBySave = save.error?.errors ?? [];
  const errors: Partial<Record<string, string>> = Object.fromEntries(
    [...(Object.keys(form.values) as (keyof typeof form.values)[]), 'documents' as const].map(name => [name, form.field(name).error]),
  );
  for (const { field, message } of refusedBySave) if (field) errors[field.split('.')[0]!] ??= message;
  const general = refusedBySave.filter(({ field }) => !field);
  const onChange = (part: Partial<RequestForm>) => {
    if (save.error) save.reset();
    form.set(part);
  };
  const unmet = latest.checks.find(({ state }) => state === 'unmet');
  return (
    <Grid columns="split-wide">
      <Form form={form} label="Your request" bare>
        <Stack gap={16}>
          <Sheet title="Your answers" meta={save.isPending ? 'Saving…' : save.error ? 'Not saved' : isSaved ? 'Saved' : 'Not saved yet'}>
            <FormColumn>
              {fields({ form: answers, errors, onChange })}
              {latest.documents.length > 0 && <DraftDocuments documents={latest.documents} uploads={uploads} error={errors.documents} />}
            </FormColumn>
          </Sheet>
          {latest.plan && (
            <EffectsList plan={asChosen(latest.plan, answers)} onPlan={change => onChange({ plans: change(answers.plans) })} />
          )}
          <Sheet title="Review and send">
            <Stack gap={12}>
              <p className="strong">{latest.asked}</p>
              {sendWords && <p className="small">{sendWords(answers)}</p>}
              {latest.whois && <KeyValueList align="left" items={whoisNameRows(latest.whois, answers, latest.kind === 'asn')} />}
              {latest.fee && (
                <KeyValueList
                  items={[
                    { key: 'Annual fee now', value: money(latest.fee.currency, latest.fee.now) },
                    { key: 'Annual fee afterwards', value: money(latest.fee.currency, latest.fee.after) },
                  ]}
                />
              )}
              <Confirmation {...form.field('truthful')} checked={truthful} onChange={confirmed => form.set({ truthful: confirmed })}>
                The answers are true and I may act for {account}
              </Confirmation>
              {/* Shown beside the button: the fields may be a screen or two above it. */}
              <FormProblems form={form} />
              {general.map(({ message, traceId }) => (
                <Banner key={message} kind="error" traceId={traceId}>
                  {message}
                </Banner>
              ))}
              <ButtonRow>
                <Button
                  type="submit"
                  variant="commit"
                  busy={form.busy || (form.wasSent && save.isPending)}
                  refusal={refusal ?? (unmet && isSaved ? { reason: `${unmet.fact}: ${unmet.known}` } : null)}
                >
                  {send(answers)}
                </Button>
                <Button onClick={() => saveNow(answers)} busy={save.isPending && !form.wasSent}>
                  Save draft
                </Button>
                <Button variant="quiet" busy={withdraw.isPending} onClick={() => withdraw.mutate({ account, requestId: latest.requestId })}>
                  Delete draft
                </Button>
              </ButtonRow>
              {latest.expiresAt && (
                <p className="small quiet">
                  The draft is kept until <DateText value={latest.expiresAt} shape="date" />.
                </p>
              )}
            </Stack>
          </Sheet>
        </Stack>
      </Form>
      <Checklist checks={latest.checks} />
    </Grid>
  );
}

function DraftDocuments({
  documents,
  uploads,
  error,
}: {
  documents: ResourceRequestDetail['documents'];
  uploads: ReturnType<typeof useUploads>;
  error: string | undefined;
}) {
  return (
    <div>
      <UploadField
        id="request-documents"
        label="Documents"
        uploads={uploads}
        error={error}
        optional={!documents.some(({ required }) => required)}
      />
      <ul className="small muted">
        {documents.map(({ name, why, required }) => (
          <li key={name}>
            {name}
            {required ? '' : ' (optional)'}: {why}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The calls of a draft, and what of it is saved. */
function useDraftCalls(request: ResourceRequestDetail) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const address = useAddress();
  const [latest, setLatest] = useState(request);
  const uploads = useUploads({ initial: request.papers });
  const save = useChange(requests.saveRequest, { showsErrors: true, onDone: answer => setLatest(answer) });
  const submit = useChange(requests.submitRequest, {
    showsErrors: true,
    refresh: [requests.getRequest, requests.listRequests, requests.getEligibility, requests.listMovable],
    onDone: answer => {
      notify({ text: `${answer.reference} was sent.` });
      address.go(caseAddress(answer));
    },
  });
  const withdraw = useChange(requests.withdrawRequest, {
    refresh: [requests.getEligibility, requests.listRequests],
    onDone: () => {
      notify({ text: 'The draft is deleted.' });
      address.set({ request: null });
    },
  });
  const documentIds = uploads.documentIds.join();
  const [savedAs, setSavedAs] = useState(JSON.stringify([request.form, request.papers.map(({ documentId }) => documentId).join()]));
  const isSavedAs = (form: RequestForm): boolean => savedAs === JSON.stringify([form, documentIds]);
  const saveNow = (form: RequestForm, then?: (answer: ResourceRequestDetail) => void) => {
    const wanted = JSON.stringify([form, documentIds]);
    if (savedAs === wanted && then) return then(latest);
    save.mutate(
      { account, requestId: latest.requestId, body: { version: latest.version, form, documentIds: [...uploads.documentIds] } },
      {
        onSuccess: answer => {
          setSavedAs(wanted);
          then?.(answer);
        },
      },
    );
  };
  return { latest, uploads, save, submit, withdraw, isSavedAs, saveNow };
}

const answersOf = ({ truthful: _truthful, ...answers }: RequestForm & { truthful: boolean }): RequestForm => answers;

/** The plan with choices made since it was saved. */
const asChosen = (plan: TransferPlan, { plans }: RequestForm): TransferPlan => ({
  ...plan,
  effects: plan.effects.map(effect => {
    const own = effect.plan === null ? undefined : plans.find(({ what, name }) => what === effect.what && name === effect.name);
    return own ? { ...effect, plan: own.act } : effect;
  }),
});
