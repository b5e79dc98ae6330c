import { ActForm } from '@portal/app-kit/form/ActForm';
import { type FormOptions, useForm } from '@portal/app-kit/form/use-form';
import type { billing } from '@portal/contract/billing/billing';
import { Field, TextArea } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import type { ReactNode } from 'react';

type Reason = { reason: string };
/** The body of an act that has nothing but its reason, as of this one. */
type ReasonBody = typeof billing.cancelInvoice.body;

type Props = {
  /** Begins the id of the field. */
  name: string;
  title: string;
  /** Names the act: `Write off`. */
  act: string;
  /** Label of the button that closes a dangerous act; without it the act is none. */
  keep?: string;
  /** Says to give a reason, and who sees it. */
  ifEmpty: string;
  /** The body of the endpoint that is called. */
  body: ReasonBody;
  change: FormOptions<Reason, NonNullable<ReasonBody>, never>['change'];
  send: (body: Reason) => void;
  onClose: () => void;
  /** Effects of the act. */
  children?: ReactNode;
};

/** Asks for the reason of an act on an account. */
export function ReasonDialog({ name, title, act, keep, ifEmpty, body, change, send, onClose, children }: Props) {
  const form = useForm(body, { reason: '' }, { name, ifEmpty: { reason: ifEmpty }, change, send });
  return (
    <Dialog open onClose={onClose} title={title} {...(keep !== undefined && { role: 'alertdialog' })}>
      <ActForm form={form} act={act} {...(keep !== undefined && { kind: 'danger', keep })} onClose={onClose}>
        {children}
        <Field label="Reason" {...form.field('reason')}>
          <TextArea rows={2} {...form.input('reason')} />
        </Field>
      </ActForm>
    </Dialog>
  );
}
