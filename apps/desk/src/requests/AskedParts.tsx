import type { StaffResourceRequest } from '@portal/contract/requests/desk';
import { DateText } from '@portal/ui';
import { Quote } from '@portal/ui/text/Quote';
import { Part, RequestDocuments } from './Parts.tsx';
import { RequestAnswers } from './RequestAnswers.tsx';

/** The answers of the sender. @param isChecked those that a check rules are shown with it */
export function Asked({ request, isChecked }: { request: StaffResourceRequest; isChecked: boolean }) {
  const { kind, form } = request;
  return (
    <>
      <RequestAnswers
        kind={kind}
        form={form}
        whois={request.recipientName === null ? request.whois : null}
        except={isChecked ? request.checks : []}
      />
      {form.network && <Quote words={form.network} />}
      {form.reason && <Quote words={form.reason} />}
      <p className="quiet small">
        {request.requestedBy} ({request.requesterEmail}) {request.submittedAt && <DateText value={request.submittedAt} />}
      </p>
    </>
  );
}

/** The answers of the recipient of a transfer, with their documents. */
export function Received({ request }: { request: StaffResourceRequest }) {
  const { receiveForm, recipientPapers, otherParty } = request;
  if (!receiveForm && recipientPapers.length === 0) return null;
  return (
    <Part title={`What ${otherParty} answered`}>
      {receiveForm && <RequestAnswers kind="pre-approval" form={receiveForm} whois={request.whois} />}
      {receiveForm?.usePreApproval && <p>Uses its pre-approval.</p>}
      {receiveForm?.network && <Quote words={receiveForm.network} />}
      <RequestDocuments papers={recipientPapers} />
    </Part>
  );
}
