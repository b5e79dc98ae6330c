import { money } from '@portal/app-kit/words/billing-words';
import { useAddress, useKit } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import type { ResourceRequestDetail } from '@portal/contract/requests/requests';
import { DateText, FormColumn, Grid, KeyValueList, Sheet, Stack } from '@portal/ui';
import type { ReactNode } from 'react';
import { caseAddress } from '../shell/case-words.ts';
import { Checklist } from './Checklist.tsx';
import { DraftDocuments } from './DraftDocuments.tsx';
import { type DraftFields, useDraftForm } from './draft-form.ts';
import { SendDraft } from './SendDraft.tsx';
import { whoisNameRows } from './whois-name-words.ts';

/** The form of a draft that asks for one thing: its answers, the review and what is sent, beside the checks. */
export function DraftEditor({
  request,
  fields,
  send = 'Send request',
  sendWords,
}: {
  request: ResourceRequestDetail;
  fields: (props: DraftFields) => ReactNode;
  /** Label of the button. */
  send?: string;
  sendWords?: string;
}) {
  const { notify } = useKit();
  const address = useAddress();
  const draft = useDraftForm(request, {
    onSent(sent) {
      notify({ text: `${sent.reference} was sent.` });
      address.go(caseAddress(sent));
    },
  });
  const { latest, form, answers, errors, onChange } = draft;
  return (
    <Grid columns="split-wide">
      <Form form={form} label="Your request" bare>
        <Stack gap={16}>
          <Sheet title="Your answers" meta={draft.savedWords}>
            <FormColumn>
              {fields({ form: answers, errors, onChange })}
              <DraftDocuments documents={latest.documents} uploads={draft.uploads} error={errors.documents} />
            </FormColumn>
          </Sheet>
          <Sheet title="Review and send">
            <Stack gap={12}>
              <p className="strong">{latest.asked}</p>
              {sendWords && <p className="small">{sendWords}</p>}
              {latest.whois && <KeyValueList align="left" items={whoisNameRows(latest.whois, answers, latest.kind === 'asn')} />}
              {latest.fee && (
                <KeyValueList
                  items={[
                    { key: 'Annual fee now, without tax', value: money(latest.fee.currency, latest.fee.now) },
                    { key: 'Annual fee afterwards, without tax', value: money(latest.fee.currency, latest.fee.after) },
                  ]}
                />
              )}
              <SendDraft draft={draft} act={send} />
              {latest.expiresAt && (
                <p className="small quiet">
                  The draft is kept until <DateText value={latest.expiresAt} shape="date" />.
                </p>
              )}
            </Stack>
          </Sheet>
        </Stack>
      </Form>
      <Checklist checks={latest.checks} kind={latest.kind} />
    </Grid>
  );
}
