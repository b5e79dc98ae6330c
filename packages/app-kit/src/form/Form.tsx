import { Banner, ErrorSummary, FormColumn, Stack } from '@portal/ui';
import type { KeyboardEvent, ReactNode } from 'react';
import { ErrorWords } from '../page/ErrorWords.tsx';
import { useFormClosing } from './form-closing.ts';
import type { Form as FormState } from './use-form.ts';

/** The part of a form that its frame needs, whatever its fields are. */
export type FormFrame = Pick<FormState<object, never>, 'submit' | 'summary' | 'refused' | 'busy' | 'isChanged'>;

/**
 * The frame of a form: what is wrong with it, then its fields in a column. A `bare` form lays itself out and places `FormProblems` itself.
 * Ctrl or Cmd and Enter sends it from any of its fields.
 * @param label its name, where no dialog around it has one
 * @param onClose what its last button does, for a form that opens and closes: Escape then does it as well, unless there is input to lose
 */
export function Form({
  form,
  label,
  bare = false,
  onClose,
  children,
}: {
  form: FormFrame;
  label?: string;
  bare?: boolean;
  onClose?: () => void;
  children: ReactNode;
}) {
  const closing = useFormClosing({ onClose, inline: label !== undefined, isChanged: form.isChanged, busy: form.busy });
  const keys = {
    onKeyDown(event: KeyboardEvent<HTMLFormElement>) {
      // A search inside narrows a list, and sends nothing.
      if (event.key === 'Enter' && event.target instanceof HTMLInputElement && event.target.type === 'search') event.preventDefault();
      // In a field of several lines Enter begins a new one, and in a list of choices it does nothing.
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && isField(event.target) && !event.defaultPrevented) {
        event.preventDefault();
        event.currentTarget.requestSubmit();
      }
      closing.onKeyDown(event);
    },
  };
  return (
    <form {...closing} {...keys} onSubmit={form.submit} noValidate aria-label={label}>
      {bare ? (
        children
      ) : (
        <FormColumn>
          <FormProblems form={form} />
          {children}
        </FormColumn>
      )}
    </form>
  );
}

const isField = (target: EventTarget): boolean =>
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement ||
  (target instanceof HTMLInputElement && target.type !== 'search' && target.type !== 'file');

/** Problems of a submitted form: a list that links to the fields if there are several, and refusals of the form as a whole. */
export function FormProblems({ form: { summary, refused } }: { form: FormFrame }) {
  // A single problem already has the focus, and is read out with its field.
  const isList = summary.length > 1;
  if (!isList && refused.length === 0) return null;
  return (
    <Stack gap={12}>
      {isList && <ErrorSummary errors={summary} />}
      {refused.map(({ message, traceId }) => (
        <Banner key={message} kind="error" traceId={traceId}>
          <ErrorWords message={message} />
        </Banner>
      ))}
    </Stack>
  );
}
