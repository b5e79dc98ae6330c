import { useChange, useKit } from '@portal/app-kit';
import { Form, FormProblems } from '@portal/app-kit/form/Form';
import { type Form as FormState, useForm } from '@portal/app-kit/form/use-form';
import { type FeeDesk, type FeeRules, feeSchedules, type ScheduleKind, scheduleKinds } from '@portal/contract/billing/fee-schedules';
import { Button, ButtonRow, Checkbox, Field, FieldGroup, Sheet, Stack, TextInput } from '@portal/ui';
import { DateInput } from '@portal/ui/form/DateInput';
import styles from './Fees.module.css';
import { draftHref, feeFields, feeRows, percentOf, plainNumber, shareOf } from './fee-words.ts';

const kinds = Object.keys(scheduleKinds) as ScheduleKind[];
type TypedField = Exclude<keyof FeeRules, 'countHistorical' | 'firstPi48Free'>;
type FlagField = 'countHistorical' | 'firstPi48Free';
const flags: readonly FlagField[] = ['countHistorical', 'firstPi48Free'];
const typed = feeFields.filter((field): field is TypedField => !(flags as readonly string[]).includes(field));

/** `member/baseFee`: a field of a kind of account. Every value of the form is at the top, as its controls take it. */
type TextName = `${ScheduleKind}/${TypedField}` | 'validFrom' | 'validUntil' | 'reason' | 'decision';
type FlagName = `${ScheduleKind}/${FlagField}` | 'hasNonMembers';
type Values = Record<TextName, string> & Record<FlagName, boolean>;

const empty: FeeRules = {
  baseFee: '',
  bitFactor: '',
  ipv4Base: 24,
  ipv6Base: 34,
  associateFee: '',
  nirMultiplier: '1',
  ldcShare: '1',
  asnFee: '0.00',
  freeAsns: 0,
  signUpFee: '0.00',
  countHistorical: false,
  firstPi48Free: false,
};

/** A value as it is typed: a prefix length with its slash, a share in percent, and factors without the zeros that a database adds. */
function typedOf(field: keyof FeeRules, value: string): string {
  if (value === '') return '';
  if (field === 'ipv4Base' || field === 'ipv6Base') return `/${value}`;
  if (field === 'ldcShare') return `${percentOf(value)} %`;
  return field === 'bitFactor' || field === 'nirMultiplier' ? plainNumber(value) : value;
}

/** The values to begin with: those of the last announced fees, for the time after them. */
function initialOf({ next, announced }: FeeDesk): Values {
  const [last] = announced;
  const of = (kind: ScheduleKind) => {
    const rules = last?.fees[kind] ?? empty;
    return Object.fromEntries(
      feeFields.map(field => {
        const value = rules[field];
        return [`${kind}/${field}`, typeof value === 'boolean' ? value : typedOf(field, String(value))];
      }),
    );
  };
  return {
    ...next,
    reason: '',
    decision: '',
    ...of('member'),
    hasNonMembers: last === undefined || last.fees['non-member'] !== undefined,
    ...of('non-member'),
  } as Values;
}

const whole = (text: string): number | string => (/^\/?\d{1,5}$/.test(text.trim()) ? Number(text.trim().replace('/', '')) : text);
const rulesOf = (values: Values, kind: ScheduleKind): unknown =>
  Object.fromEntries(
    feeFields.map(field => {
      const value = values[`${kind}/${field}` as TextName & FlagName] as string | boolean;
      if (typeof value !== 'string') return [field, value];
      if (field === 'ldcShare') return [field, shareOf(value) ?? value];
      return [field, ['ipv4Base', 'ipv6Base', 'freeAsns'].includes(field) ? whole(value) : value];
    }),
  );
const bodyOf = (values: Values): unknown => ({
  validFrom: values.validFrom,
  validUntil: values.validUntil,
  ...(values.reason.trim() !== '' && { reason: values.reason }),
  ...(values.decision.trim() !== '' && { decision: values.decision }),
  fees: { member: rulesOf(values, 'member'), ...(values.hasNonMembers && { 'non-member': rulesOf(values, 'non-member') }) },
});

/** Begins with the last announced fees. Nothing is announced here: the prepared fees show what they do to every bill first. */
export function PrepareFees({ desk, onClose }: { desk: FeeDesk; onClose: () => void }) {
  const { notify, router } = useKit();
  const prepare = useChange(feeSchedules.prepareFees, {
    refresh: [feeSchedules.getFees],
    showsErrors: true,
    onDone: ({ draftId }) => {
      notify({ text: 'Prepared. Nothing is announced yet.' });
      router.go(draftHref(draftId));
    },
  });
  const form = useForm(feeSchedules.prepareFees.body, initialOf(desk), {
    name: 'fees',
    toBody: bodyOf,
    // Said with what is wrong elsewhere: the contract compares the days once everything else is right.
    check: ({ validFrom, validUntil, ...values }) => ({
      ...Object.fromEntries(
        (values.hasNonMembers ? kinds : (['member'] as const))
          .map((kind): TextName => `${kind}/ldcShare`)
          .filter(name => shareOf(values[name as `${ScheduleKind}/ldcShare`]) === null)
          .map(name => [name, 'Enter a percentage from 0 to 100, such as 50 %']),
      ),
      ...(validFrom !== '' && validUntil !== '' && validUntil < validFrom && { validUntil: 'Choose a date on or after the first one' }),
    }),
    fieldAt: place => place.replace(/^fees\.(member|non-member)\.(\w+)$/, '$1/$2'),
    change: prepare,
    send: body => prepare.mutate({ body }),
  });
  return (
    <Sheet title="Prepare fees">
      <Form form={form} label="Prepare fees" bare onClose={onClose}>
        <Stack gap={16}>
          <FormProblems form={form} />
          <div className={styles.days}>
            <Field label="Terms that begin from" {...form.field('validFrom')}>
              <DateInput {...form.input('validFrom')} />
            </Field>
            <Field label="Until" {...form.field('validUntil')}>
              <DateInput {...form.input('validUntil')} />
            </Field>
          </div>
          <Checkbox checked={form.values.hasNonMembers} onChange={({ target }) => form.set({ hasNonMembers: target.checked })}>
            There are non-members
          </Checkbox>
          <div className={styles.kinds}>
            {kinds
              .filter(kind => kind === 'member' || form.values.hasNonMembers)
              .map(kind => (
                <Rules key={kind} kind={kind} form={form} currency={desk.currency} />
              ))}
          </div>
          <div className={styles.days}>
            <Field label="Reason" optional help="The second person and auditors read it." {...form.field('reason')}>
              <TextInput {...form.input('reason')} />
            </Field>
            <Field label="Decision" optional help="Such as minutes: EC-2026-09, item 5." {...form.field('decision')}>
              <TextInput {...form.input('decision')} />
            </Field>
          </div>
          <ButtonRow>
            <Button type="submit" variant="primary" busy={form.busy}>
              Save draft and show the effect
            </Button>
            <Button onClick={onClose}>Cancel</Button>
            <span className="quiet small">The draft is saved for all who prepare fees. Nothing is announced.</span>
          </ButtonRow>
        </Stack>
      </Form>
    </Sheet>
  );
}

function Rules({ kind, form, currency }: { kind: ScheduleKind; form: FormState<Values>; currency: string }) {
  return (
    <FieldGroup legend={scheduleKinds[kind]}>
      <Stack gap={16}>
        {typed.map(field => {
          const name: TextName = `${kind}/${field}`;
          const isMoney = ['baseFee', 'associateFee', 'asnFee', 'signUpFee'].includes(field);
          return (
            <Field key={field} label={`${feeRows[field].label}${isMoney ? `, ${currency}` : ''}`} {...form.field(name)}>
              <TextInput inputMode="decimal" {...form.input(name)} />
            </Field>
          );
        })}
        {flags.map(field => (
          <Checkbox
            key={field}
            checked={form.values[`${kind}/${field}`]}
            onChange={({ target }) => form.set({ [`${kind}/${field}`]: target.checked } as Partial<Values>)}
          >
            {feeRows[field].label}
          </Checkbox>
        ))}
      </Stack>
    </FieldGroup>
  );
}
