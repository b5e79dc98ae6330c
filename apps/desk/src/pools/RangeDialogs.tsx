import { useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { type Form, useForm } from '@portal/app-kit/form/use-form';
import { requestDesk } from '@portal/contract/requests/desk';
import { type PoolRange, resourcePools } from '@portal/contract/resources/pools';
import type { ResourceKind } from '@portal/contract/resources/resource-kinds';
import { parseResource } from '@portal/number-resources';
import { Checkbox, Field, TextArea, TextInput } from '@portal/ui';
import { DateInput } from '@portal/ui/form/DateInput';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useState } from 'react';
import { poolNames } from '../shell/pool-words.ts';

const refresh = [resourcePools.listPoolRanges, requestDesk.listPools];
const noReason = 'Enter a reason. Other staff see it.';

const examples: Record<ResourceKind, string> = {
  ipv4: 'a prefix or a range, such as 192.0.2.0/24',
  ipv6: 'a prefix or a range, such as 2001:db8::/32',
  asn: 'AS numbers, such as AS64500 or AS64500 - AS64503',
};

/** Numbers of another kind are in another pool: they would be reserved without being seen here. */
function problemOf(kind: ResourceKind, given: string): { resource?: string } {
  const text = given.trim();
  if (text === '') return {};
  try {
    return parseResource(text).family === kind
      ? {}
      : { resource: `${text} isn’t in the pool of ${poolNames[kind]}. Enter ${examples[kind]}` };
  } catch {
    return { resource: `${text} can’t be read. Enter ${examples[kind]}` };
  }
}

type FormOf<Name extends string> = Pick<Form<Record<Name, string>>, 'field' | 'input'>;

const RangeField = ({ form, help }: { form: FormOf<'resource'>; help: string }) => (
  <Field label="Range" help={help} {...form.field('resource')}>
    <TextInput mono {...form.input('resource')} spellCheck={false} />
  </Field>
);

const ReasonField = ({ form }: { form: FormOf<'reason'> }) => (
  <Field label="Reason" {...form.field('reason')}>
    <TextArea rows={2} {...form.input('reason')} />
  </Field>
);

/** Reserves numbers of a pool. */
export function ReserveDialog({ kind, resource, onClose }: { kind: ResourceKind; resource: string; onClose: () => void }) {
  const { notify } = useKit();
  const change = useChange(resourcePools.reserveRange, {
    refresh,
    showsErrors: true,
    onDone: ({ resource: reserved }) => {
      notify({ text: `${reserved} is reserved.` });
      onClose();
    },
  });
  const form = useForm(
    resourcePools.reserveRange.body,
    { resource, reason: '', until: '' },
    {
      name: 'reserve-range',
      toBody: values => ({ ...values, until: values.until === '' ? null : values.until }),
      ifEmpty: { resource: `Enter ${examples[kind]}`, reason: noReason },
      check: values => problemOf(kind, values.resource),
      change,
      send: body => change.mutate({ body }),
    },
  );
  return (
    <Dialog open onClose={onClose} title="Reserve a range">
      <ActForm form={form} act="Reserve" onClose={onClose}>
        <RangeField help="All of it has to be free. A part of a free range is possible." form={form} />
        <ReasonField form={form} />
        <Field
          label="Until"
          help="On this day it’s free again. Without a day, it stays reserved until staff release it."
          optional
          {...form.field('until')}
        >
          <DateInput {...form.input('until')} />
        </Field>
      </ActForm>
    </Dialog>
  );
}

/** Releases reserved numbers. */
export function ReleaseDialog({ range, onClose }: { range: PoolRange; onClose: () => void }) {
  const { notify } = useKit();
  const change = useChange(resourcePools.releaseRange, {
    refresh,
    showsErrors: true,
    onDone: ({ resource }) => {
      notify({ text: `${resource} is free again.` });
      onClose();
    },
  });
  const form = useForm(
    resourcePools.releaseRange.body,
    { resource: range.resource, reason: '' },
    { name: 'release-range', ifEmpty: { reason: noReason }, change, send: body => change.mutate({ body }) },
  );
  return (
    <Dialog open onClose={onClose} title={`Release ${range.resource}`}>
      <ActForm form={form} act="Release" onClose={onClose}>
        {range.reason !== null && <p>Reserved for this reason: {range.reason}</p>}
        <RangeField help="Enter a part of it to release only that." form={form} />
        <ReasonField form={form} />
      </ActForm>
    </Dialog>
  );
}

/** Sets another end of a quarantine, or ends it. */
export function QuarantineDialog({ range, onClose }: { range: PoolRange; onClose: () => void }) {
  const { notify } = useKit();
  const [ends, setEnds] = useState(false);
  const change = useChange(resourcePools.setQuarantine, {
    refresh,
    showsErrors: true,
    onDone: ({ resource, until }) => {
      notify({ text: until === null ? `${resource} is free again.` : `${resource} stays in quarantine until ${until}.` });
      onClose();
    },
  });
  const form = useForm(
    resourcePools.setQuarantine.body,
    { resource: range.resource, reason: '', until: range.until ?? '' },
    {
      name: 'quarantine',
      toBody: values => ({ ...values, until: ends ? null : values.until }),
      ifEmpty: { reason: noReason },
      check: ({ until }) => (!ends && until === '' ? { until: 'Choose the day on which it’s free again' } : {}),
      change,
      send: body => change.mutate({ body }),
    },
  );
  return (
    <Dialog open onClose={onClose} title={`Quarantine of ${range.resource}`}>
      <ActForm form={form} act={ends ? 'End the quarantine' : 'Set the day'} onClose={onClose}>
        <RangeField help="Enter a part of it to change only that." form={form} />
        <Checkbox checked={ends} onChange={event => setEnds(event.target.checked)}>
          End it now: the numbers can be delegated immediately
        </Checkbox>
        {!ends && (
          <Field label="Free again on" {...form.field('until')}>
            <DateInput {...form.input('until')} />
          </Field>
        )}
        <ReasonField form={form} />
      </ActForm>
    </Dialog>
  );
}
