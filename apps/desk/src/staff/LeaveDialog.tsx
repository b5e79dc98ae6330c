import { caseHandlers } from '@portal/contract';
import { useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { roles, type Staff, type StaffMember } from '@portal/contract/roles/roles';
import { Field, Select, TextArea } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useState } from 'react';

/** Ends the access of a person who leaves; open cases go to a colleague. */
export function LeaveDialog({ person, staff, onClose }: { person: StaffMember; staff: Staff; onClose: () => void }) {
  const { notify } = useKit();
  const { fullName, loginId, openCases } = person;
  const decides = new Set(staff.roles.filter(role => caseHandlers.some(each => role.permissions.includes(each))).map(({ key }) => key));
  const [now] = useState(() => new Date().toISOString());
  // As the registry accepts them: roles that count from now on, of people who can sign in.
  const colleagues = staff.members.filter(
    each =>
      each.loginId !== loginId &&
      !each.disabled &&
      !each.frozen &&
      each.roles.some(({ role, startsAt }) => startsAt <= now && decides.has(role)),
  );
  const change = useChange(roles.endStaff, {
    refresh: [roles.listStaff],
    showsErrors: true,
    onDone: () => {
      notify({ text: `The access of ${fullName} is ended.` });
      onClose();
    },
  });
  const form = useForm(
    roles.endStaff.body,
    { reason: '', casesTo: '' },
    {
      name: 'end-staff',
      ifEmpty: { reason: `Enter a reason. ${fullName} reads it.` },
      check: ({ casesTo }) => (openCases > 0 && casesTo === '' ? { casesTo: 'Choose a colleague' } : {}),
      toBody: ({ reason, casesTo }) => ({ reason, casesTo: casesTo || null }),
      change,
      send: body => change.mutate({ loginId, body }),
    },
  );
  return (
    <Dialog open onClose={onClose} title={`End the access of ${fullName}?`} role="alertdialog">
      <ActForm form={form} act="End access" kind="danger" keep="Keep access" onClose={onClose}>
        <p className="small">
          {fullName} is signed out and loses every role immediately. The login is disabled unless an account still uses it. Everything they
          did stays in the log.
        </p>
        {openCases > 0 && (
          <Field label={openCases === 1 ? 'Their open case goes to' : `Their ${openCases} open cases go to`} {...form.field('casesTo')}>
            <Select
              options={[
                { value: '', label: 'Choose a colleague' },
                ...colleagues.map(each => ({ value: each.loginId, label: `${each.fullName}, ${each.openCases} open` })),
              ]}
              {...form.input('casesTo')}
            />
          </Field>
        )}
        <Field label="Reason" {...form.field('reason')}>
          <TextArea rows={2} {...form.input('reason')} />
        </Field>
      </ActForm>
    </Dialog>
  );
}
