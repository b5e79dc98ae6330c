import { Page, read, reading, useAccount, useAddress, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { Confirmation } from '@portal/app-kit/form/Confirmation';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { UploadField } from '@portal/app-kit/documents/UploadField';
import { useUploads } from '@portal/app-kit/documents/uploads';
import { emptyForm, type RequestForm } from '@portal/contract/requests/request-form';
import { whoisNameFields } from '@portal/contract/requests/whois-names';
import { type ResourceRequestDetail, requests } from '@portal/contract/requests/requests';
import { Breadcrumb, Button, ButtonRow, Checkbox, EmptyState, LinkButton, formatCount, Sheet, SkeletonRows } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { FirstRead } from '../shell/FirstRead.tsx';
import { useCaseHead } from './case-head.ts';
import { CaseView } from './CaseView.tsx';
import { DraftEditor } from './DraftEditor.tsx';
import { IncomingFields } from './IncomingFields.tsx';
import { NeedFields } from './ResourceFields.tsx';
import { WhoisNameFields } from './WhoisNameFields.tsx';

/** An offer for its recipient to answer: the space, the plan for it or a pre-approval, and then the case. */
export function ReceivePage({ title }: { title: string }) {
  const { accountName: account } = useAccount();
  const requestId = useAddress().get('request');
  const { call } = useKit();
  const { data } = useQuery({
    ...reading(call, requests.getRequest, { account, requestId: requestId ?? '' }),
    enabled: requestId !== null,
  });
  const isIncoming = data?.form.incoming ?? false;
  const head = useCaseHead(data?.state === 'draft' ? null : requestId, {
    heading: isIncoming ? 'Receive from another registry' : title,
    sub: isIncoming
      ? `Show your need here; the holder starts the transfer at ${data?.form.otherRegistry || 'its registry'}. Both registries have to approve it.`
      : 'Acknowledge or decline what another holder offers you.',
  });
  return (
    <Page
      title={title}
      heading={head.heading}
      sub={head.sub}
      breadcrumb={<Breadcrumb items={[{ label: 'Transfer in', href: '/resources/transfer_receive_select' }, { label: title }]} />}
    >
      {requestId === null ? (
        <EmptyState title="No offer chosen" action={<LinkButton href="/resources/transfer_receive_select">View offers</LinkButton>}>
          Open an offer to answer it.
        </EmptyState>
      ) : (
        <FirstRead
          key={requestId}
          reads={[read(requests.getRequest, { account, requestId })]}
          fallback={<SkeletonRows rows={6} label="Loading the offer" />}
        >
          <Offer requestId={requestId} />
        </FirstRead>
      )}
    </Page>
  );
}

function Offer({ requestId }: { requestId: string }) {
  const request = useAnswer(requests.getRequest, { account: useAccount().accountName, requestId });
  if (request.state === 'draft')
    return (
      <DraftEditor
        key={requestId}
        request={request}
        send="Send transfer in"
        sendWords="Your request stays here until the other registry has confirmed the transfer to us."
        fields={props => <IncomingFields whois={request.whois} {...props} />}
      />
    );
  return (
    <CaseView request={request}>
      {request.state === 'offered' && request.role === 'recipient' && <Acknowledge key={request.requestId} request={request} />}
    </CaseView>
  );
}

const reads = [requests.getRequest, requests.listRequests];

function Acknowledge({ request }: { request: ResourceRequestDetail }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const uploads = useUploads();
  const refusal = useRefusal(requests.acknowledgeTransfer);
  const accept = useChange(requests.acknowledgeTransfer, {
    showsErrors: true,
    refresh: reads,
    onDone: () => notify({ text: 'Acknowledged. The registry reviews the transfer now.' }),
  });
  const decline = useChange(requests.declineTransfer, {
    refresh: reads,
    onDone: () => notify({ text: 'Declined. The sender was notified.' }),
  });
  const asksNeed = request.kind === 'transfer';
  const form = useForm(
    requests.acknowledgeTransfer.body,
    { ...emptyForm, truthful: false },
    {
      name: 'request',
      also: ['documents'],
      toBody: ({ truthful, ...answers }) => ({
        version: request.version,
        form: answers,
        documentIds: uploads.documentIds,
        truthful,
      }),
      fieldAt: place => (place.startsWith('documentIds') ? 'documents' : place.replace(/^form\./, '')),
      fieldOfCode: { FILE_UNUSABLE: 'documents' },
      check: () => ({ ...(uploads.problem && { documents: uploads.problem }) }),
      change: accept,
      send: body => accept.mutate({ account, requestId: request.requestId, body }),
    },
  );
  const { values, set } = form;
  const errors = Object.fromEntries(
    ['plan', 'network', ...whoisNameFields].map(name => [name, form.field(name as keyof RequestForm).error]),
  );
  return (
    <Sheet title="Your answer">
      <Form form={form} label="Your answer">
        {asksNeed && (
          <NeedFields
            aside="The amount is set aside now and used when the transfer completes."
            form={values}
            errors={errors}
            onChange={set}
          />
        )}
        {request.whois && (
          <WhoisNameFields
            whois={request.whois}
            form={values}
            asNumbers={request.form.resources.every(text => text.startsWith('AS'))}
            errors={errors}
            onChange={set}
          />
        )}
        <Signatures request={request} form={values} onChange={set} />
        <UploadField
          label="Documents"
          uploads={uploads}
          optional={!request.documents.some(({ required }) => required)}
          {...form.field('documents')}
        />
        <Confirmation {...form.field('truthful')} checked={values.truthful} onChange={truthful => set({ truthful })}>
          The answers are true and I may act for {account}
        </Confirmation>
        <ButtonRow>
          <Button type="submit" variant="commit" busy={form.busy} refusal={refusal}>
            Acknowledge
          </Button>
          <Button
            variant="danger"
            busy={decline.isPending}
            refusal={refusal}
            onClick={() => decline.mutate({ account, requestId: request.requestId, body: { version: request.version, reason: '' } })}
          >
            Decline
          </Button>
        </ButtonRow>
      </Form>
    </Sheet>
  );
}

/** The sets that the recipient would sign: ROAs, and providers of AS numbers. Each set can be taken or declined; what they are is in the list of effects. */
function Signatures({
  request,
  form,
  onChange,
}: {
  request: ResourceRequestDetail;
  form: RequestForm;
  onChange: (part: Partial<RequestForm>) => void;
}) {
  const effects = request.plan?.effects ?? [];
  const roas = effects.flatMap(({ signs }) => signs ?? []);
  const isKept = roas.length === 0 && effects.some(({ what }) => what === 'roa');
  const aspas = effects.filter(({ what, today }) => what === 'aspa' && today.startsWith('States'));
  if (roas.length + aspas.length === 0)
    return isKept ? <p className="small">No ROA comes with this space. Publish one for the AS that announces it.</p> : null;
  return (
    <fieldset>
      <legend>Your obligations from then on</legend>
      {roas.length > 0 && (
        <Checkbox checked={form.takesRoas} onChange={event => onChange({ takesRoas: event.target.checked })}>
          {roas.length === 1 ? 'The ROA' : `${formatCount(roas.length)} ROAs`} of the space: {listOf(roas)}
        </Checkbox>
      )}
      {aspas.length > 0 && (
        <Checkbox checked={form.takesAspas} onChange={event => onChange({ takesAspas: event.target.checked })}>
          The providers of AS numbers (ASPA): {listOf(aspas.map(({ name }) => name))}
        </Checkbox>
      )}
    </fieldset>
  );
}

const listOf = (names: readonly string[]): string =>
  names.length > 5 ? `${names.slice(0, 5).join('; ')} and ${formatCount(names.length - 5)} more` : names.join('; ');
