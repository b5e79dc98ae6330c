import { FailureBanner, type ServiceFailure, useAccount, useChange, useKit, useRefusal } from '@portal/app-kit';
import { type Aspa, rpkiAspas } from '@portal/contract/rpki/aspas';
import { rpki } from '@portal/contract/rpki/rpki';
import { printAsNumber } from '@portal/number-resources';
import { Banner, Button, ButtonRow, Field, FormColumn, formatCount, KeyValueList, Stack, TextArea, TextInput } from '@portal/ui';
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
  const [customer, setCustomer] = useState(aspa ? printAsNumber(aspa.customer) : single);
  const [providers, setProviders] = useState(aspa ? aspa.providers.map(printAsNumber).join('\n') : '');
  const [comment, setComment] = useState(aspa?.comment ?? '');
  const [failure, setFailure] = useState<ServiceFailure | null>(null);
  const refusal = useRefusal(rpkiAspas.saveAspa);
  const removal = useRefusal(rpkiAspas.removeAspa);
  const [typed, setTyped] = useState('');
  const facts = { customer: customer.trim(), providers: listOf(providers) };
  const missing =
    facts.customer === '' ? 'Enter an AS number' : facts.providers.length === 0 ? 'Enter at least one provider, or AS0' : null;
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
  const review = () => {
    setFailure(null);
    check.mutate({ account, body: facts });
  };
  const result = check.data;
  const problemOf = (field: string): string | undefined =>
    result?.problems
      .filter(each => each.field.split('.')[0] === field)
      .map(({ problem }) => problem)
      .join('. ') || undefined;
  const isRight = result !== undefined && result.problems.length === 0;
  const change = (set: (text: string) => void) => (event: { target: { value: string } }) => {
    set(event.target.value);
    setTyped('');
    check.reset();
  };
  /** Adds networks to the list, and checks it again. */
  const add = (numbers: readonly number[]) => {
    const longer = [...facts.providers.filter(each => !/^(AS)?0$/i.test(each)), ...numbers.map(printAsNumber)];
    setProviders(longer.join('\n'));
    setTyped('');
    setFailure(null);
    check.mutate({ account, body: { ...facts, providers: longer } });
  };
  const mustType = isRight && result.seen.toConfirm > 0;
  const isConfirmed = !mustType || typed.trim() === String(result.seen.toConfirm);
  return (
    <FormColumn>
      <FailureBanner failure={check.error} />
      {failure?.code === 'STALE' ? (
        <Banner
          kind="warning"
          title="Someone else changed these providers."
          actions={
            <Button size="s" icon="refresh" onClick={review}>
              Check again
            </Button>
          }
        >
          <StaleWords present={(failure.current ?? null) as Aspa | null} />
        </Banner>
      ) : (
        <FailureBanner failure={failure} />
      )}
      <Field
        label="AS number"
        help={aspa ? 'Remove it and state another one to change the AS number.' : `One of yours: ${asNumbers.slice(0, 5).join(', ')}`}
        error={problemOf('customer')}
      >
        <TextInput mono autoComplete="off" maxLength={20} readOnly={aspa !== null} value={customer} onChange={change(setCustomer)} />
      </Field>
      <Field
        label="Providers"
        help="Every network that carries your routes as its customer, also those of route servers at exchanges that add their AS. One on each line, such as AS64501. AS0 alone: this AS has no provider."
        error={problemOf('providers')}
      >
        <TextArea mono rows={5} spellCheck={false} maxLength={8_000} value={providers} onChange={change(setProviders)} />
      </Field>
      <Field label="Comment" optional help="Only contacts of the account see it.">
        <TextInput maxLength={200} value={comment} onChange={event => setComment(event.target.value)} />
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
          {mustType && (
            <Field
              label={`Type ${result.seen.toConfirm} to confirm`}
              help={`${result.seen.toConfirm === 1 ? '1 announcement' : `${formatCount(result.seen.toConfirm)} announcements`} through ${shown(result.seen.lacking)} become ASPA-invalid if that is a provider of ${facts.customer}. If it is a peer or a customer, it doesn’t belong in the list.`}
            >
              <TextInput mono inputMode="numeric" autoComplete="off" value={typed} onChange={({ target }) => setTyped(target.value)} />
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
          <Button
            variant="commit"
            busy={save.isPending}
            refusal={refusal ?? (isConfirmed ? null : { reason: `Type ${result.seen.toConfirm} to confirm` })}
            refusalIn="note"
            onClick={() =>
              save.mutate(
                {
                  account,
                  body: {
                    ...facts,
                    comment: comment.trim(),
                    version: result.version,
                    ...(mustType && { invalidating: result.seen.toConfirm }),
                  },
                },
                { onError: setFailure },
              )
            }
          >
            Publish providers
          </Button>
        ) : (
          <Button
            variant="primary"
            busy={check.isPending}
            refusal={missing === null ? null : { reason: missing }}
            refusalIn="note"
            onClick={review}
          >
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
    </FormColumn>
  );
}
