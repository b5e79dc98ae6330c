import { useAccount, useChange, useKit, useRefusal } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { joinedChanges, useForm } from '@portal/app-kit/form/use-form';
import { type Aspa, rpkiAspas } from '@portal/contract/rpki/aspas';
import { rpki } from '@portal/contract/rpki/rpki';
import { printAsNumber } from '@portal/number-resources';
import { Banner, Button, ButtonRow, Field, formatCount, KeyValueList, Stack, TextArea, TextInput } from '@portal/ui';
import { SeenUpstreams } from './SeenUpstreams.tsx';
import { useState } from 'react';

const listOf = (text: string): string[] => text.split(/[\s,;]+/).filter(each => each !== '');
const shown = (numbers: readonly number[]): string => numbers.map(printAsNumber).join(', ');

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
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const single = asNumbers.length === 1 && !asNumbers[0]!.includes('-') ? asNumbers[0]! : '';
  const refusal = useRefusal(rpkiAspas.saveAspa);
  const removal = useRefusal(rpkiAspas.removeAspa);
  const check = useChange(rpkiAspas.checkAspa, { showsErrors: true });
  const save = useChange(rpkiAspas.saveAspa, {
    showsErrors: true,
    refresh: [rpkiAspas.listAspas, rpki.getStatus, rpki.listHistory],
    onProposed: onClose,
    onDone: saved => {
      notify({ text: `The providers of ${printAsNumber(saved.customer)} are published within seconds.` });
      onClose();
    },
  });
  const [reviewed, setReviewed] = useState('');
  const factsOf = ({ customer, providers }: { customer: string; providers: string }) => ({
    customer: customer.trim(),
    providers: listOf(providers),
  });
  const review = (facts: ReturnType<typeof factsOf>) => {
    save.reset();
    setReviewed(JSON.stringify(facts));
    check.mutate({ account, body: facts });
  };
  /** The result of the check of these values; an edit of them ends it. */
  const resultOf = (values: { customer: string; providers: string }) =>
    reviewed === JSON.stringify(factsOf(values)) && !check.isPending ? check.data : undefined;
  const toConfirmIn = (values: { customer: string; providers: string }): number => resultOf(values)?.seen.toConfirm ?? 0;
  const form = useForm(
    rpkiAspas.saveAspa.body,
    {
      customer: aspa ? printAsNumber(aspa.customer) : single,
      providers: aspa ? aspa.providers.map(printAsNumber).join('\n') : '',
      comment: aspa?.comment ?? '',
      invalidating: '',
    },
    {
      name: 'aspa',
      toBody: values => ({
        ...factsOf(values),
        comment: values.comment,
        version: resultOf(values)?.version ?? 0,
        ...(toConfirmIn(values) > 0 && { invalidating: toConfirmIn(values) }),
      }),
      check: values => ({
        ...(listOf(values.providers).length === 0 && { providers: 'Enter at least one provider, or AS0' }),
        ...(toConfirmIn(values) > 0 &&
          values.invalidating.trim() !== String(toConfirmIn(values)) && { invalidating: `Type ${toConfirmIn(values)} to confirm` }),
      }),
      ifEmpty: { customer: 'Enter an AS number' },
      found: values =>
        ['customer', 'providers'].flatMap(field => {
          const problems = resultOf(values)?.problems.filter(each => each.field.split('.')[0] === field) ?? [];
          return problems.length === 0 ? [] : [{ field, message: problems.map(({ problem }) => problem).join('. ') }];
        }),
      shownElsewhere: ['STALE'],
      change: joinedChanges(save, check),
      send(body, values) {
        if (resultOf(values)?.problems.length === 0 && save.error?.code !== 'STALE') save.mutate({ account, body });
        else review(factsOf(values));
      },
    },
  );
  const { values } = form;
  const facts = factsOf(values);
  const result = resultOf(values);
  const isRight = result !== undefined && result.problems.length === 0;
  /** Adds networks to the list, and checks it again. */
  const add = (numbers: readonly number[]) => {
    const providers = [...facts.providers.filter(each => !/^(AS)?0$/i.test(each)), ...numbers.map(printAsNumber)];
    form.set({ providers: providers.join('\n'), invalidating: '' });
    review({ ...facts, providers });
  };
  return (
    <Form form={form} label="Upstream providers">
      {save.error?.code === 'STALE' && (
        <Banner
          kind="warning"
          title="Someone else changed these providers."
          actions={
            <Button size="s" icon="refresh" onClick={() => review(facts)}>
              Check again
            </Button>
          }
        >
          <StaleWords present={(save.error.current ?? null) as Aspa | null} />
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
      {isRight && (
        <Stack gap={8}>
          <h3>Before you save</h3>
          <KeyValueList
            align="left"
            items={[
              { key: 'Added', numbers: result.added },
              { key: 'Removed', numbers: result.removed },
              { key: 'Kept', numbers: result.kept },
            ]
              .filter(({ numbers }) => numbers.length > 0)
              .map(({ key, numbers }) => ({ key, value: <span className="mono">{shown(numbers)}</span> }))}
          />
          <SeenUpstreams customer={facts.customer} seen={result.seen} onAdd={add} />
          {result.seen.toConfirm > 0 && (
            <Field
              label={`Type ${result.seen.toConfirm} to confirm`}
              help={`${result.seen.toConfirm === 1 ? '1 announcement' : `${formatCount(result.seen.toConfirm)} announcements`} through ${shown(result.seen.lacking)} become ASPA-invalid if that is a provider of ${facts.customer}. If it is a peer or a customer, it doesn’t belong in the list.`}
              {...form.field('invalidating')}
            >
              <TextInput mono inputMode="numeric" {...form.input('invalidating')} />
            </Field>
          )}
          {result.removed.length > 0 && result.version > 0 && (
            <Banner kind="warning" title={`Paths through ${shown(result.removed)} become invalid.`}>
              Networks that check ASPA drop them within about an hour. Make sure that the network no longer carries your routes.
            </Banner>
          )}
          {result.version === 0 && (
            <p className="small">
              Networks that check ASPA drop paths in which {facts.customer} is a customer of any network not listed here. A missing provider
              is unreachable through them, so list all, backup links too.
            </p>
          )}
        </Stack>
      )}
      <ButtonRow>
        {isRight ? (
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
