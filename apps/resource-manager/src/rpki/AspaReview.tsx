import { Banner, Field, formatCount, KeyValueList, Stack, TextInput } from '@portal/ui';
import { type AspaFormState, shown } from './aspa-form.ts';
import { SeenUpstreams } from './SeenUpstreams.tsx';

/** Changes and effect of a list of providers before it is saved. */
export function AspaReview({ effect, aspa: { form, facts, add } }: { effect: NonNullable<AspaFormState['effect']>; aspa: AspaFormState }) {
  return (
    <Stack gap={8}>
      <h3>Before you save</h3>
      <KeyValueList
        align="left"
        items={[
          { key: 'Added', numbers: effect.added },
          { key: 'Removed', numbers: effect.removed },
          { key: 'Kept', numbers: effect.kept },
        ]
          .filter(({ numbers }) => numbers.length > 0)
          .map(({ key, numbers }) => ({ key, value: <span className="mono">{shown(numbers)}</span> }))}
      />
      <SeenUpstreams customer={facts.customer} seen={effect.seen} onAdd={add} />
      {effect.seen.toConfirm > 0 && (
        <Field
          label={`Type ${effect.seen.toConfirm} to confirm`}
          help={`${effect.seen.toConfirm === 1 ? '1 announcement' : `${formatCount(effect.seen.toConfirm)} announcements`} through ${shown(effect.seen.lacking)} become ASPA-invalid if that is a provider of ${facts.customer}. If it is a peer or a customer, it doesn’t belong in the list.`}
          {...form.field('invalidating')}
        >
          <TextInput mono inputMode="numeric" {...form.input('invalidating')} />
        </Field>
      )}
      {effect.removed.length > 0 && effect.version > 0 && (
        <Banner kind="warning" title={`Paths through ${shown(effect.removed)} become invalid.`}>
          Networks that check ASPA drop them within about an hour. Make sure that the network no longer carries your routes.
        </Banner>
      )}
      {effect.version === 0 && (
        <p className="small">
          Networks that check ASPA drop paths in which {facts.customer} is a customer of any network not listed here. A missing provider is
          unreachable through them, so list all, backup links too.
        </p>
      )}
    </Stack>
  );
}
