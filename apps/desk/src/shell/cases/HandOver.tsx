import { useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { applications } from '@portal/contract/applications/applications';
import { organisationChanges } from '@portal/contract/organisations/changes';
import { requestDesk } from '@portal/contract/requests/desk';
import { type CaseNotes, staffCases } from '@portal/contract/staff/cases';
import { desk } from '@portal/contract/staff/desk';
import { tickets } from '@portal/contract/tickets/tickets';
import { Field, Select, TextArea } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';

const refresh = [
  staffCases.getCase,
  desk.listRequests,
  requestDesk.getStaffRequest,
  applications.getStaffApplication,
  organisationChanges.getStaffOrganisationChange,
  tickets.getStaffTicket,
];

/** Hands a case over to a colleague, who gets an e-mail with the words. */
export function HandOver({ notes, open, onClose }: { notes: CaseNotes; open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Hand over to a colleague">
      <HandOverForm notes={notes} onClose={onClose} />
    </Dialog>
  );
}

function HandOverForm({ notes: { colleagues, case: line }, onClose }: { notes: CaseNotes; onClose: () => void }) {
  const { notify } = useKit();
  const hand = useChange(staffCases.handOverCase, {
    refresh,
    showsErrors: true,
    onDone: ({ case: { handler } }) => {
      onClose();
      notify({ text: `${handler} has it now, and gets an e-mail.` });
    },
  });
  const form = useForm(
    staffCases.handOverCase.body,
    { to: '', words: '' },
    {
      name: 'hand-over',
      ifEmpty: { to: 'Choose a colleague' },
      change: hand,
      send: body => hand.mutate({ kind: line.kind, caseId: line.caseId, body }),
    },
  );
  return (
    <ActForm form={form} act="Hand over" onClose={onClose}>
      <Field label="Colleague" help={line.handler ? `${line.handler} has it now.` : 'No one has it now.'} {...form.field('to')}>
        <Select
          {...form.input('to')}
          options={[{ value: '', label: 'Choose' }, ...colleagues.map(({ loginId, name }) => ({ value: loginId, label: name }))]}
        />
      </Field>
      <Field label="Note" optional help="Goes into the e-mail. The member doesn’t see it." {...form.field('words')}>
        <TextArea rows={3} {...form.input('words')} />
      </Field>
    </ActForm>
  );
}
