import { money } from '@portal/app-kit/words/billing-words';
import { useAccount, useAddress, useChange, useKit, useRefusal } from '@portal/app-kit';
import { UploadField } from '@portal/app-kit/documents/UploadField';
import { useUploads } from '@portal/app-kit/documents/uploads';
import { problemsOfForm } from '@portal/contract/requests/form-problems';
import type { RequestForm } from '@portal/contract/requests/request-form';
import { type ResourceRequestDetail, requests, type TransferPlan } from '@portal/contract/requests/requests';
import { Banner, Button, ButtonRow, Checkbox, DateText, ErrorSummary, FormColumn, Grid, KeyValueList, Sheet, Stack } from '@portal/ui';
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
  const { latest, form, setForm, uploads, save, submit, withdraw, isSaved, saveNow } = useSavedRequest(request);
  const [truthful, setTruthful] = useState(false);
  const [wasSent, setWasSent] = useState(false);
  const refusal = useRefusal(requests.submitRequest);
  const missing = problemsOfForm(latest.kind, form);
  const errors: Partial<Record<string, string>> = {};
  if (wasSent) for (const { field, message } of missing) errors[field] ??= message;
  for (const { field, message } of [...(save.error?.errors ?? []), ...(submit.error?.errors ?? [])])
    if (field) errors[field.split('.')[0]!] ??= message;
  const general = [...(save.error?.errors ?? []), ...(submit.error?.errors ?? [])].filter(({ field }) => !field);
  const onChange = (part: Partial<RequestForm>) => {
    if (save.error) save.reset();
    if (submit.error) submit.reset();
    setForm(before => ({ ...before, ...part }));
  };
  const unmet = latest.checks.find(({ state }) => state === 'unmet');
  const sendNow = () => {
    setWasSent(true);
    if (missing.length > 0 || !truthful) return;
    saveNow(answer => submit.mutate({ account, requestId: answer.requestId, body: { version: answer.version, truthful: true } }));
  };
  const listed = Object.entries(errors).map(([field, message]) => ({ fieldId: `request-${field}`, message: message! }));
  return (
    <Grid columns="split-wide">
      <Stack gap={16}>
        <Sheet title="Your answers" meta={save.isPending ? 'Saving…' : save.error ? 'Not saved' : isSaved ? 'Saved' : 'Not saved yet'}>
          <FormColumn>
            {fields({ form, errors, onChange })}
            {latest.documents.length > 0 && <DraftDocuments documents={latest.documents} uploads={uploads} error={errors.documents} />}
          </FormColumn>
        </Sheet>
        {latest.plan && <EffectsList plan={asChosen(latest.plan, form)} onPlan={change => onChange({ plans: change(form.plans) })} />}
        <Sheet title="Review and send">
          <Stack gap={12}>
            <p className="strong">{latest.asked}</p>
            {sendWords && <p className="small">{sendWords(form)}</p>}
            {latest.whois && <KeyValueList align="left" items={whoisNameRows(latest.whois, form, latest.kind === 'asn')} />}
            {latest.fee && (
              <KeyValueList
                items={[
                  { key: 'Annual fee now', value: money(latest.fee.currency, latest.fee.now) },
                  { key: 'Annual fee afterwards', value: money(latest.fee.currency, latest.fee.after) },
                ]}
              />
            )}
            <Checkbox checked={truthful} onChange={event => setTruthful(event.target.checked)} aria-invalid={wasSent && !truthful}>
              The answers are true and I may act for {account}
            </Checkbox>
            {wasSent && !truthful && <p className="small">Confirm that the answers are true.</p>}
            {/* Shown beside the button: the fields may be a screen or two above it. */}
            {listed.length > 0 && wasSent && <ErrorSummary errors={listed} />}
            {general.map(({ message, traceId }) => (
              <Banner key={message} kind="error" traceId={traceId}>
                {message}
              </Banner>
            ))}
            <ButtonRow>
              <Button
                variant="commit"
                busy={submit.isPending || (wasSent && save.isPending)}
                refusal={refusal ?? (unmet && isSaved ? { reason: `${unmet.fact}: ${unmet.known}` } : null)}
                onClick={sendNow}
              >
                {send(form)}
              </Button>
              <Button onClick={() => saveNow()} busy={save.isPending && !wasSent}>
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

/** A draft that is saved a moment after each change. */
function useSavedRequest(request: ResourceRequestDetail) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const address = useAddress();
  const [latest, setLatest] = useState(request);
  const [form, setForm] = useState(request.form);
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
  const isSaved = savedAs === JSON.stringify([form, documentIds]);
  const saveNow = (then?: (answer: ResourceRequestDetail) => void) => {
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
  useEffect(() => {
    if (isSaved || save.isPending || save.error || uploads.sending) return;
    const timer = setTimeout(() => saveNow(), PAUSE);
    return () => clearTimeout(timer);
  });
  return { latest, form, setForm, uploads, save, submit, withdraw, isSaved, saveNow };
}

/** The plan with choices made since it was saved. */
const asChosen = (plan: TransferPlan, { plans }: RequestForm): TransferPlan => ({
  ...plan,
  effects: plan.effects.map(effect => {
    const own = effect.plan === null ? undefined : plans.find(({ what, name }) => what === effect.what && name === effect.name);
    return own ? { ...effect, plan: own.act } : effect;
  }),
});
