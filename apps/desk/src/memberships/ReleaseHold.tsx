import { useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { type MembershipPlan, memberships } from '@portal/contract/billing/memberships';
import { Field } from '@portal/ui';
import { DateInput } from '@portal/ui/form/DateInput';
import { Dialog } from '@portal/ui/overlay/Dialog';

/** Lets the suspensions and closures that wait go on, or gives every account concerned more time first. */
export function ReleaseHold({ plan, holdId, onClose }: { plan: MembershipPlan; holdId: string; onClose: () => void }) {
  const { notify } = useKit();
  const held = plan.endings.filter(ending => ending.held);
  const closing = held.filter(({ step }) => step === 'closing').length;
  const release = useChange(memberships.releaseHold, {
    refresh: [memberships.getPlan],
    showsErrors: true,
    onDone: () => {
      notify({ text: 'Released. The clock takes the next steps within an hour.' });
      onClose();
    },
  });
  const form = useForm(
    memberships.releaseHold.body,
    { extendUntil: '' },
    {
      name: 'release-hold',
      toBody: ({ extendUntil }) => (extendUntil === '' ? {} : { extendUntil }),
      change: release,
      send: body => release.mutate({ holdId, body }),
    },
  );
  return (
    <Dialog open onClose={onClose} title="Release suspensions and closures?" role="alertdialog">
      <ActForm form={form} act="Release" kind="danger" keep="Keep waiting" onClose={onClose}>
        <p>
          Without more time, {held.length - closing} {held.length - closing === 1 ? 'account is' : 'accounts are'} suspended and {closing}{' '}
          {closing === 1 ? 'is' : 'are'} closed within an hour. A closed account can’t be opened again here.
        </p>
        <Field
          label="Give everyone more time until"
          help="Each of these accounts has until this day to pay, and gets an e-mail."
          optional
          {...form.field('extendUntil')}
        >
          <DateInput min={plan.today} {...form.input('extendUntil')} />
        </Field>
      </ActForm>
    </Dialog>
  );
}
