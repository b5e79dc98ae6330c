import { useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { requestDesk } from '@portal/contract/requests/desk';
import { type PoolRange, resourcePools } from '@portal/contract/resources/pools';
import { Checkbox, Field, TextArea, TextInput } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useState } from 'react';

const refresh = [resourcePools.listPoolRanges, requestDesk.listPools];
const noReason = 'Enter a reason. Other staff see it.';

/** Reserves numbers of a pool. */
export function ReserveDialog({ resource, onClose }: { resource: string; onClose: () => void }) {
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
      ifEmpty: { reason: noReason },
      change,
      send: body => change.mutate({ body }),
    },
  );
  return (
    <Dialog open onClose={onClose} title="Reserve a range">
      <ActForm form={form} act="Reserve" onClose={onClose}>
        <Field label="Range" help="All of it has to be free. A part of a free range is possible." {...form.field('resource')}>
          <TextInput mono {...form.input('resource')} spellCheck={false} />
        </Field>
        <Field label="Reason" {...form.field('reason')}>
          <TextArea rows={2} {...form.input('reason')} />
        </Field>
        <Field
          label="Until"
          help="On this day it’s free again. Without a day, it stays reserved until staff release it."
          optional
          {...form.field('until')}
        >
          <TextInput type="date" {...form.input('until')} />
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
        <Field label="Range" help="Enter a part of it to release only that." {...form.field('resource')}>
          <TextInput mono {...form.input('resource')} spellCheck={false} />
        </Field>
        <Field label="Reason" {...form.field('reason')}>
          <TextArea rows={2} {...form.input('reason')} />
        </Field>
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
        <Field label="Range" help="Enter a part of it to change only that." {...form.field('resource')}>
          <TextInput mono {...form.input('resource')} spellCheck={false} />
        </Field>
        <Checkbox checked={ends} onChange={event => setEnds(event.target.checked)}>
          End it now: the numbers can be delegated immediately
        </Checkbox>
        {!ends && (
          <Field label="Free again on" {...form.field('until')}>
            <TextInput type="date" {...form.input('until')} />
          </Field>
        )}
        <Field label="Reason" {...form.field('reason')}>
          <TextArea rows={2} {...form.input('reason')} />
        </Field>
      </ActForm>
    </Dialog>
  );
}
