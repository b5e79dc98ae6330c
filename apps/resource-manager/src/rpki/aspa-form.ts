import { useAccount, useChange, useKit } from '@portal/app-kit';
import { joinedChanges, useForm } from '@portal/app-kit/form/use-form';
import { type Aspa, rpkiAspas } from '@portal/contract/rpki/aspas';
import { rpki } from '@portal/contract/rpki/rpki';
import { printAsNumber } from '@portal/number-resources';
import { useState } from 'react';

/** AS64500, AS64501 */
export const shown = (numbers: readonly number[]): string => numbers.map(printAsNumber).join(', ');

const listOf = (text: string): string[] => text.split(/[\s,;]+/).filter(each => each !== '');

type Providers = { customer: string; providers: string };
const factsOf = ({ customer, providers }: Providers) => ({ customer: customer.trim(), providers: listOf(providers) });

/**
 * The form of the providers of an AS. It is sent twice: first to be checked, then, as long as nothing is changed, to be saved.
 * @param aspa the stored list; null for a new one
 * @param single the only AS number of the account; '' if there are several
 */
export function useAspaForm(aspa: Aspa | null, single: string, onClose: () => void) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
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
  const review = (facts: ReturnType<typeof factsOf>) => {
    save.reset();
    setReviewed(JSON.stringify(facts));
    check.mutate({ account, body: facts });
  };
  /** The result of the check of these values; an edit of them ends it. */
  const resultOf = (values: Providers) => (reviewed === JSON.stringify(factsOf(values)) && !check.isPending ? check.data : undefined);
  const toConfirmIn = (values: Providers): number => resultOf(values)?.seen.toConfirm ?? 0;
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
  const facts = factsOf(form.values);
  const result = resultOf(form.values);
  /** Adds networks to the list, and checks it again. */
  const add = (numbers: readonly number[]) => {
    const providers = [...facts.providers.filter(each => !/^(AS)?0$/i.test(each)), ...numbers.map(printAsNumber)];
    form.set({ providers: providers.join('\n'), invalidating: '' });
    review({ ...facts, providers });
  };
  return {
    form,
    facts,
    /** The effect of saving; undefined until it is known that these values can be saved. */
    effect: result?.problems.length === 0 ? result : undefined,
    /** The list as someone else saved it in the meantime, null if they removed it; undefined if no one did. */
    present: save.error?.code === 'STALE' ? ((save.error.current ?? null) as Aspa | null) : undefined,
    checkAgain: () => review(facts),
    add,
  };
}

export type AspaFormState = ReturnType<typeof useAspaForm>;
