import { useRefusal } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { type Aspa, rpkiAspas } from '@portal/contract/rpki/aspas';
import { Banner, Button, ButtonRow, Field, TextArea, TextInput } from '@portal/ui';
import { shown, useAspaForm } from './aspa-form.ts';
import { AspaReview } from './AspaReview.tsx';

/** The list as someone else saved it in the meantime. */
function StaleWords({ present }: { present: Aspa | null }) {
  if (present === null) return <>They were removed. Check again to see what your change does now.</>;
  return (
    <>
      The list is now <span className="mono">{shown(present.providers)}</span>
      {present.comment !== '' && `, with the comment “${present.comment}”`}. Check again to see what your change does to it.
    </>
  );
}

/** Edits the providers of an AS: the changes and their effect are shown before saving. */
export function AspaForm({
  aspa,
  asNumbers,
  onClose,
  onRemove,
}: {
  aspa: Aspa | null;
  asNumbers: readonly string[];
  onClose: () => void;
  onRemove: (aspa: Aspa) => void;
}) {
  const single = asNumbers.length === 1 && !asNumbers[0]!.includes('-') ? asNumbers[0]! : '';
  const refusal = useRefusal(rpkiAspas.saveAspa);
  const removal = useRefusal(rpkiAspas.removeAspa);
  const state = useAspaForm(aspa, single, onClose);
  const { form, effect, present, checkAgain } = state;
  return (
    <Form form={form} label="Upstream providers">
      {present !== undefined && (
        <Banner
          kind="warning"
          title="Someone else changed these providers."
          actions={
            <Button size="s" icon="refresh" onClick={checkAgain}>
              Check again
            </Button>
          }
        >
          <StaleWords present={present} />
        </Banner>
      )}
      <Field
        label="AS number"
        help={aspa ? 'Remove it and state another one to change the AS number.' : `One of yours: ${asNumbers.slice(0, 5).join(', ')}`}
        {...form.field('customer')}
      >
        <TextInput mono readOnly={aspa !== null} {...form.input('customer')} maxLength={20} />
      </Field>
      <Field
        label="Providers"
        help="Every network that carries your routes as its customer, also those of route servers at exchanges that add their AS. One on each line, such as AS64501. AS0 alone: this AS has no provider."
        {...form.field('providers')}
      >
        <TextArea mono rows={5} spellCheck={false} {...form.input('providers')} maxLength={8_000} />
      </Field>
      <Field label="Comment" optional help="Only contacts of the account see it." {...form.field('comment')}>
        <TextInput {...form.input('comment')} />
      </Field>
      {effect && <AspaReview effect={effect} aspa={state} />}
      <ButtonRow>
        {effect ? (
          <Button type="submit" variant="commit" busy={form.busy} refusal={refusal} refusalIn="note">
            Publish providers
          </Button>
        ) : (
          <Button type="submit" variant="primary" busy={form.busy}>
            Review
          </Button>
        )}
        <Button onClick={onClose}>Cancel</Button>
        {aspa && (
          <Button icon="trash" refusal={removal} refusalIn="note" onClick={() => onRemove(aspa)}>
            Remove
          </Button>
        )}
      </ButtonRow>
    </Form>
  );
}
