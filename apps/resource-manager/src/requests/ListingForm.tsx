import { useAccount, useAddress, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { listingDays, listingKinds, listingLengths, listings } from '@portal/contract/requests/listings';
import { requests } from '@portal/contract/requests/requests';
import { Button, ButtonRow, Checkbox, Field, Segmented, Select, Sheet, TextArea } from '@portal/ui';
import { ComboBox } from '@portal/ui/picker/ComboBox';

const lengths = Array.from({ length: listingLengths.smallest - listingLengths.largest + 1 }, (_, index) => listingLengths.smallest - index);

/** Adds an offer or a request to the board. */
export function ListingForm({ home }: { home: string }) {
  const address = useAddress();
  const refusal = useRefusal(listings.addListing);
  const form = useListingForm(home);
  const { values } = form;
  return (
    <Sheet aria-label="New listing">
      <Form form={form}>
        <Segmented
          label="Kind of listing"
          options={(['offer', 'wanted'] as const).map(value => ({ value, label: listingKinds[value] }))}
          value={values.kind}
          onChange={kind => form.set({ kind })}
        />
        <BlockField form={form} />
        <Field
          label="Notes"
          optional
          help="Every member reads this. Leave out e-mail addresses and telephone numbers; messages reach you through the registry."
          {...form.field('notes')}
        >
          <TextArea rows={3} {...form.input('notes')} />
        </Field>
        <Checkbox
          checked={values.namesHolder}
          help={
            values.kind === 'offer' ? 'Otherwise others see the size and your economy only.' : 'Otherwise others see your economy only.'
          }
          onChange={({ target }) => form.set({ namesHolder: target.checked })}
        >
          {values.kind === 'offer' ? 'Show the block and who holds it' : 'Show who is looking'}
        </Checkbox>
        <Checkbox checked={values.interRegistry} onChange={({ target }) => form.set({ interRegistry: target.checked })}>
          {values.kind === 'offer' ? 'Can go to another regional registry' : 'Can come from another regional registry'}
        </Checkbox>
        <Field label="Messages" {...form.field('consent')}>
          <Checkbox
            checked={values.consent}
            help="The registry mails them on. Your address isn’t shown."
            onChange={({ target }) => form.set({ consent: target.checked })}
          >
            Send us messages of other account holders by e-mail
          </Checkbox>
        </Field>
        <p className="small quiet">It stays listed for {listingDays} days. You can renew or withdraw it at any time.</p>
        <ButtonRow>
          <Button type="submit" variant="commit" busy={form.busy} refusal={refusal} refusalIn="note">
            List
          </Button>
          <Button onClick={() => address.go(home)}>Cancel</Button>
        </ButtonRow>
      </Form>
    </Sheet>
  );
}

/** The form of a new listing, sent to the board. */
function useListingForm(home: string) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const address = useAddress();
  const add = useChange(listings.addListing, {
    refresh: [listings.listListings],
    showsErrors: true,
    onDone: ({ listingId }) => {
      notify({ text: 'Listed. Other account holders can see it.' });
      address.go(`${home}?of=own&listing=${listingId}`);
    },
  });
  return useForm(
    listings.addListing.body,
    {
      kind: address.get('kind') === 'wanted' ? ('wanted' as const) : ('offer' as 'offer' | 'wanted'),
      resource: '',
      length: 24,
      notes: '',
      namesHolder: false,
      interRegistry: false,
      consent: false,
    },
    {
      name: 'listing',
      change: add,
      check: ({ kind, resource }) =>
        kind === 'offer' && resource.trim() === '' ? { resource: 'Enter a prefix you hold, such as 192.0.2.0/24' } : {},
      send: body => add.mutate({ account, body }),
    },
  );
}

/** The offered block, or the size that is wanted. */
function BlockField({ form }: { form: ReturnType<typeof useListingForm> }) {
  const { accountName: account } = useAccount();
  const { rows } = useAnswer(requests.listMovable, { account });
  const { values } = form;
  const movable = rows.filter(({ kind }) => kind === 'ipv4');
  return values.kind === 'offer' ? (
    <ComboBox
      label="Block"
      mono
      value={values.resource}
      placeholder="192.0.2.0/24"
      help="A prefix from /8 to /24 inside one of your delegations, which nothing uses any more"
      items={movable.map(({ resource, against }) => ({
        id: resource,
        text: resource,
        note: against.transfer ?? 'Can be transferred',
      }))}
      onChange={resource => form.set({ resource })}
      {...form.field('resource')}
    />
  ) : (
    <Field label="Size" {...form.field('length')}>
      <Select
        value={String(values.length)}
        onChange={event => form.set({ length: Number(event.target.value) })}
        options={lengths.map(each => ({ value: String(each), label: `/${each}` }))}
      />
    </Field>
  );
}
