import { type AnyEndpoint, type CallInput, useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import type { ParamsOf } from '@portal/contract';
import type { billing } from '@portal/contract/billing/billing';
import { Field, TextArea } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import type { ReactNode } from 'react';

/** The body of an act that has nothing but its reason, as of this one. */
type ReasonBody = typeof billing.cancelInvoice.body;
type ReasonEndpoint = AnyEndpoint & { body?: ReasonBody };

type Props<E extends ReasonEndpoint> = {
  endpoint: E;
  /** The parameters of the path. */
  params: ParamsOf<E>;
  /** The body of the endpoint, named where it is used: browsers have the bodies that forms name. */
  body: ReasonBody;
  /** Begins the id of the field. */
  name: string;
  title: string;
  /** Names the act: `Write off`. */
  act: string;
  /** Label of the button that closes a dangerous act; without it the act is none. */
  keep?: string;
  /** Says to give a reason, and who sees it. */
  ifEmpty: string;
  /** Says that it is done. */
  done: string;
  /** Reads that are fetched anew once it is done. */
  refresh: readonly AnyEndpoint[];
  onClose: () => void;
  /** Effects of the act. */
  children?: ReactNode;
};

/** Asks for the reason of an act on an account, and carries it out. Closes when it is done or waits for a second person. */
export function ReasonDialog<E extends ReasonEndpoint>(props: Props<E>) {
  const { endpoint, params, body: schema, name, title, act, keep, ifEmpty, done, refresh, onClose, children } = props;
  const { notify } = useKit();
  const change = useChange(endpoint, {
    refresh,
    showsErrors: true,
    onProposed: onClose,
    onDone: () => {
      notify({ text: done });
      onClose();
    },
  });
  const form = useForm(
    schema,
    { reason: '' },
    { name, ifEmpty: { reason: ifEmpty }, change, send: body => change.mutate({ ...params, body } as CallInput<E>) },
  );
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
