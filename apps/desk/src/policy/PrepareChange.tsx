import { Page, useAnswer, useChange, useKit } from '@portal/app-kit';
import { Form, FormProblems } from '@portal/app-kit/form/Form';
import { type Form as FormState, useForm } from '@portal/app-kit/form/use-form';
import { pages } from '@portal/contract/pages';
import { policy, type PolicyDesk } from '@portal/contract/policy/policy';
import {
  noticeOf,
  type PolicyGroup,
  policyGroups,
  policyRow,
  type PolicyValueName,
  policyValueNames,
  policyValues,
  policyValueWords,
} from '@portal/contract/policy/policy-values';
import { Breadcrumb, Button, ButtonRow, Field, Select, Sheet, Stack, TextArea, TextInput } from '@portal/ui';
import { DateInput } from '@portal/ui/form/DateInput';
import { useState } from 'react';
import styles from './Policy.module.css';
import { changeHref } from './policy-words.ts';

type Values = { validFrom: string; reason: string; decision: string; values: string } & Record<PolicyValueName, string>;

/** The form of a change. Nothing changes yet: its impact is shown first, then a second person confirms it. */
export function PrepareChange({ begin }: { begin: readonly { name: PolicyValueName; value: string | null }[] }) {
  const { notify, router } = useKit();
  const desk = useAnswer(policy.getPolicy, { query: {} });
  const inForce = (name: PolicyValueName): string => desk.values.find(each => each.name === name)!.value;
  const [names, setNames] = useState<PolicyValueName[]>(begin.map(({ name }) => name));
  const prepare = useChange(policy.preparePolicyChange, {
    refresh: [policy.getPolicy],
    showsErrors: true,
    onDone: ({ changeId }) => {
      notify({ text: 'Prepared. Nothing has changed yet.' });
      router.go(changeHref(changeId));
    },
  });
  const initial = {
    validFrom: '',
    values: '',
    ...Object.fromEntries(policyValueNames.map(name => [name, begin.find(each => each.name === name)?.value ?? inForce(name)])),
    reason: '',
    decision: '',
  } as Values;
  const form = useForm(policy.preparePolicyChange.body, initial, {
    name: 'policy',
    toBody: ({ validFrom, reason, decision, ...values }) => ({
      validFrom,
      reason,
      decision,
      values: names.map(name => ({ name, value: values[name] })),
    }),
    ifEmpty: { validFrom: 'Choose the day on which it takes effect', reason: 'Enter the reason, such as: The council decided it' },
    fieldAt: place => {
      const index = /^values\.(\d+)/.exec(place)?.[1];
      return index === undefined ? place : names[Number(index)]!;
    },
    change: prepare,
    send: body => prepare.mutate({ body }),
  });
  const notice = noticeOf(names);
  return (
    <Page
      title="Prepare a change of the policy"
      sub="Nothing changes yet. The next page shows its impact, and a second person confirms it there."
      breadcrumb={
        <Breadcrumb
          items={[
            { label: pages.deskHome.title, href: pages.deskHome.path },
            { label: pages.deskPolicy.title, href: pages.deskPolicy.path },
            { label: 'Prepare a change' },
          ]}
        />
      }
    >
      <Sheet title="Change">
        <Form form={form} label="Prepare a change of the policy" bare onClose={() => router.go(pages.deskPolicy.path)}>
          <Stack gap={16}>
            <FormProblems form={form} />
            <div className={styles.fields}>
              <Field
                label="Takes effect on"
                help={notice > 1 ? `At least ${notice} days from now: members plan with these values.` : 'From the beginning of this day.'}
                {...form.field('validFrom')}
              >
                <DateInput min={desk.earliest} {...form.input('validFrom')} />
              </Field>
            </div>
            <ChosenValues form={form} desk={desk} names={names} onNames={setNames} />
            <Field label="Reason" help="The second person and auditors read it." {...form.field('reason')}>
              <TextArea rows={3} {...form.input('reason')} />
            </Field>
            <div className={styles.fields}>
              <Field label="Decision" optional help="Such as minutes: EC-2026-09, item 5." {...form.field('decision')}>
                <TextInput {...form.input('decision')} />
              </Field>
            </div>
            <ButtonRow>
              <Button type="submit" variant="commit" busy={form.busy}>
                Show its impact
              </Button>
              <Button onClick={() => router.go(pages.deskPolicy.path)}>Cancel</Button>
            </ButtonRow>
          </Stack>
        </Form>
      </Sheet>
    </Page>
  );
}

type Chosen = { form: FormState<Values>; desk: PolicyDesk; names: PolicyValueName[]; onNames: (names: PolicyValueName[]) => void };

/** The values that the change sets, and a choice of others. */
function ChosenValues({ form, desk, names, onNames }: Chosen) {
  return (
    <>
      {names.map(name => {
        const { fixed, bounds, value } = desk.values.find(each => each.name === name)!;
        const { title } = policyRow(name);
        return (
          <div key={name} className={styles.chosen}>
            <Field label={title} help={`${policyValueWords(name, value, desk.currency)} today. It may be ${bounds}.`} {...form.field(name)}>
              <TextInput inputMode="decimal" disabled={fixed} {...form.input(name)} />
            </Field>
            <Button
              size="s"
              variant="quiet"
              aria-label={`Leave as it is: ${title}`}
              onClick={() => onNames(names.filter(each => each !== name))}
            >
              Leave as it is
            </Button>
          </div>
        );
      })}
      <div className={styles.fields}>
        <Field label={names.length === 0 ? 'Value to change' : 'Another value'} optional={names.length > 0} {...form.field('values')}>
          <Select
            value=""
            onChange={({ target }) => {
              form.leave('values');
              onNames([...names, target.value as PolicyValueName]);
            }}
          >
            <option value="">Choose a value</option>
            {(Object.keys(policyGroups) as PolicyGroup[]).map(group => (
              <optgroup key={group} label={policyGroups[group]}>
                {desk.values
                  .filter(({ name }) => policyValues[name].group === group && !names.includes(name))
                  .map(({ name, fixed }) => (
                    <option key={name} value={name} disabled={fixed}>
                      {policyRow(name).title}
                      {fixed ? ' (the profile file fixes it)' : ''}
                    </option>
                  ))}
              </optgroup>
            ))}
          </Select>
        </Field>
      </div>
    </>
  );
}
