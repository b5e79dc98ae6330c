import { planMonths, type RequestForm, type RequestKind } from '@portal/contract/requests/request-form';
import type { RequestEligibility } from '@portal/contract/requests/requests';
import { Button, ButtonRow, Checkbox, Disclosure, Field, formatCount, Segmented, Select, TextArea, TextInput } from '@portal/ui';
import { DateInput } from '@portal/ui/form/DateInput';
import type { PlanLimit } from './PlanChart.tsx';
import { PlanTable } from './PlanTable.tsx';
import styles from './Requests.module.css';

export type FieldsProps = {
  kind: RequestKind;
  /** Before the ids of the fields. */
  name?: string;
  /** Sizes that the plan of use is drawn against. */
  limits?: readonly PlanLimit[];
  /** Networks that routing data shows beside the account. */
  seen?: RequestEligibility['networks'];
  /** It asks about the network; otherwise another part of the form does. */
  asksNetwork?: boolean;
  /** Why the AS numbers held aren't enough has to be said. */
  needsReason?: boolean;
  form: RequestForm;
  paths: RequestEligibility['paths'];
  errors: Partial<Record<string, string>>;
  onChange: (part: Partial<RequestForm>) => void;
};

const sizeWords = (kind: RequestKind, length: number): string =>
  kind === 'ipv4' ? `/${length}, ${formatCount(2 ** (32 - length))} addresses` : `/${length}`;

/** The questions of a request; which are asked depends on its kind and grounds. */
export function RequestFields({
  kind,
  name = 'request',
  limits = [],
  seen = [],
  asksNetwork = true,
  needsReason = false,
  form,
  paths,
  errors,
  onChange,
}: FieldsProps) {
  const { text, at } = bound({ name, form, errors, onChange });
  const event = form.path === 'temporary';
  const asksNeighbours = kind === 'asn' || form.path === 'ixp';
  return (
    <>
      <PurposeFields kind={kind} name={name} paths={paths} form={form} errors={errors} onChange={onChange} />
      {kind === 'pre-approval' && (
        <Field label="/24 blocks" help="256 addresses each." {...at('blocks')}>
          <CountInput most={5} value={form.blocks} onChange={blocks => onChange({ blocks })} />
        </Field>
      )}
      {((kind === 'ipv4' && !['ixp', 'temporary'].includes(form.path)) || kind === 'pre-approval') && (
        <PlanTable
          id={`${name}-plan`}
          limits={limits}
          plan={form.plan}
          months={kind === 'ipv4' ? planMonths.ipv4 : planMonths['pre-approval']}
          error={errors.plan}
          onChange={plan => onChange({ plan })}
        />
      )}
      {kind === 'ipv4' && form.path === 'lir' && (
        <Field label="Space from a provider in use now" optional help="One prefix per line." {...at('providerSpace')}>
          <TextArea rows={2} mono maxLength={1000} {...text('providerSpace')} />
        </Field>
      )}
      {(kind === 'asn' || form.path === 'multihoming') && (
        <Field label="Connected to several networks" {...at('multihomed')}>
          <Select
            value={form.multihomed}
            options={[
              { value: '', label: 'Choose' },
              { value: 'now', label: 'Yes, today' },
              { value: 'planned', label: 'Planned' },
              { value: 'no', label: kind === 'asn' ? 'No, own routing policy' : 'No' },
            ]}
            onChange={event => onChange({ multihomed: event.target.value as RequestForm['multihomed'] })}
          />
        </Field>
      )}
      {asksNeighbours && (
        <Neighbours
          id={`${name}-neighbours`}
          seen={seen}
          label={form.path === 'ixp' ? 'Participants' : 'Networks you connect to'}
          rows={form.neighbours}
          error={errors.neighbours}
          onChange={neighbours => onChange({ neighbours })}
        />
      )}
      {kind === 'ipv6' && form.path === 'lir' && (
        <Field label="Customers and sites within two years" help="Each is counted as a /56." {...at('sites')}>
          <CountInput most={10} value={form.sites} onChange={sites => onChange({ sites })} />
        </Field>
      )}
      {(kind === 'ipv6' || event || form.multihomed === 'planned') && (
        <Field label={event ? 'First day' : kind === 'ipv6' ? 'Announced from' : 'Connected from'} {...at('startsOn')}>
          <DateInput {...text('startsOn')} />
        </Field>
      )}
      {event && (
        <Field label="Last day" help="On the day after, its return starts automatically." {...at('endsOn')}>
          <DateInput {...text('endsOn')} />
        </Field>
      )}
      {kind === 'asn' && <NumberFields name={name} needsReason={needsReason} form={form} errors={errors} onChange={onChange} />}
      {asksNetwork && (
        <Field label="The network" help="Sites, equipment and routing in a few sentences." {...at('network')}>
          <TextArea rows={4} maxLength={4000} {...text('network')} />
        </Field>
      )}
    </>
  );
}

/** Digits of a count; nothing stands for 0. @param most digits at most */
const CountInput = ({ most, value, onChange }: { most: number; value: number; onChange: (count: number) => void }) => (
  <TextInput
    inputMode="numeric"
    maxLength={most}
    value={value ? String(value) : ''}
    onChange={event => onChange(Number(event.target.value.replaceAll(/\D/g, '')) || 0)}
  />
);

/** Fields of an AS number: why another one is needed, and what few ask for on demand. */
function NumberFields({ name, needsReason, form, errors, onChange }: Bound & { needsReason: boolean }) {
  const { text, at } = bound({ name, form, errors, onChange });
  const event = form.path === 'temporary';
  const isRare = event || form.twoByte || form.customer !== '';
  return (
    <>
      {(needsReason || form.twoByte || form.reason !== '' || errors.reason) && (
        <Field
          label={form.twoByte ? 'Why four bytes can’t be used' : 'Why another number is needed'}
          help={form.twoByte ? undefined : 'Say which routing policy it has that none of your numbers can have.'}
          {...at('reason')}
        >
          <TextArea rows={2} maxLength={2000} {...text('reason')} />
        </Field>
      )}
      <Disclosure summary="Less common" open={isRare || Boolean(errors.customer)}>
        <div className={styles.rare}>
          <Checkbox checked={event} onChange={({ target }) => onChange({ path: target.checked ? 'temporary' : '' })}>
            Only for an event or experiment: it goes back after its last day
          </Checkbox>
          <Checkbox checked={form.twoByte} onChange={({ target }) => onChange({ twoByte: target.checked })}>
            A number of two bytes is needed
          </Checkbox>
          <Field label="Customer" optional help="Only if the number is for a customer’s network." {...at('customer')}>
            <TextInput maxLength={200} {...text('customer')} />
          </Field>
        </div>
      </Disclosure>
    </>
  );
}

/** The purpose of the numbers, and the size that goes with it. */
function PurposeFields({ kind, name = 'request', paths, form, errors, onChange }: FieldsProps) {
  const chosen = paths.find(({ path }) => path === form.path);
  const { at } = bound({ name, form, errors, onChange });
  return (
    <>
      {paths.length > 0 && (
        <Field label="Purpose" help={chosen?.words} {...at('path')}>
          <Select
            value={form.path}
            options={[{ value: '', label: 'Choose' }, ...paths.map(({ path, label }) => ({ value: path, label }))]}
            onChange={event => {
              const path = event.target.value as RequestForm['path'];
              onChange({ path, length: paths.find(each => each.path === path)?.lengths[0] ?? 0 });
            }}
          />
        </Field>
      )}
      {chosen && (
        <Field label="Size" {...at('length')}>
          <SizeChoice kind={kind} lengths={chosen.lengths} length={form.length} onChange={length => onChange({ length })} />
        </Field>
      )}
    </>
  );
}

/** A size: a few side by side, more as a list. */
function SizeChoice({
  kind,
  lengths,
  length,
  onChange,
}: {
  kind: RequestKind;
  lengths: readonly number[];
  length: number;
  onChange: (length: number) => void;
}) {
  const options = lengths.map(each => ({ value: String(each), label: sizeWords(kind, each) }));
  return options.length <= 2 ? (
    <Segmented label="Size" value={String(length)} options={options} onChange={value => onChange(Number(value))} />
  ) : (
    <Select value={String(length)} options={options} onChange={event => onChange(Number(event.target.value))} />
  );
}

type Bound = Pick<FieldsProps, 'form' | 'errors' | 'onChange'> & { name: string };

/** Returns how a field of text is bound to the form, and where the errors of a field are. */
function bound({ name: formName, form, errors, onChange }: Bound) {
  const text = (name: 'network' | 'reason' | 'providerSpace' | 'prefixes' | 'customer' | 'startsOn' | 'endsOn') => ({
    value: form[name],
    onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
  });
  const at = (name: string) => ({ id: `${formName}-${name}`, error: errors[name] });
  return { text, at };
}

function Neighbours({
  id,
  seen,
  label,
  rows,
  error,
  onChange,
}: {
  id: string;
  seen: RequestEligibility['networks'];
  label: string;
  rows: RequestForm['neighbours'];
  error?: string | undefined;
  onChange: (rows: RequestForm['neighbours']) => void;
}) {
  const lines = rows.length > 0 ? rows : [{ asn: '', name: '' }];
  const set = (index: number, part: Partial<(typeof lines)[number]>) =>
    onChange(lines.map((line, at) => (at === index ? { ...line, ...part } : line)));
  return (
    <fieldset className={styles.plan}>
      <legend className="strong">{label}</legend>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no names of their own
        <div className={styles.neighbour} key={index}>
          <Field label="AS number" error={index === 0 ? error : undefined} {...(index === 0 && { id })}>
            <TextInput
              mono
              maxLength={20}
              autoComplete="off"
              value={line.asn}
              onChange={event => set(index, { asn: event.target.value })}
            />
          </Field>
          <Field label="Network" optional>
            <TextInput maxLength={200} autoComplete="off" value={line.name} onChange={event => set(index, { name: event.target.value })} />
          </Field>
          <Button
            variant="quiet"
            size="s"
            icon="close"
            aria-label={`Remove network ${index + 1}`}
            onClick={() => onChange(lines.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <ButtonRow>
        <Button size="s" icon="plus" onClick={() => onChange([...lines, { asn: '', name: '' }])}>
          Add a network
        </Button>
        {seen
          .filter(({ asn }) => !lines.some(line => line.asn.trim().toUpperCase().replace(/^AS/, '') === String(asn)))
          .map(({ asn }) => (
            <Button
              key={asn}
              size="s"
              onClick={() => onChange([...lines.filter(line => line.asn.trim() !== ''), { asn: `AS${asn}`, name: '' }])}
            >
              Add AS{asn}
            </Button>
          ))}
      </ButtonRow>
      {seen.length > 0 && (
        <p className="small quiet">
          Found in routing data:{' '}
          {seen
            .map(
              ({ asn, peers, seen: how }) =>
                `AS${asn} ${how === 'neighbour' ? 'in front of your network' : 'announces your addresses'}, seen by ${formatCount(peers)} peers`,
            )
            .join('; ')}
          .
        </p>
      )}
    </fieldset>
  );
}
