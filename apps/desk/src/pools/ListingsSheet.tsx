import { useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { listingKinds, listings, type StaffListing } from '@portal/contract/requests/listings';
import { Button, DateText, EmptyState, Field, formatCount, Link, type RefusalReason, Sheet, Stack, StateMark, TextInput } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { useState } from 'react';
import styles from './PoolsPage.module.css';

/** The board of transfer listings, reported ones first; a listing that doesn't belong there is removed with a reason. */
export function ListingsSheet() {
  const { rows, total } = useAnswer(listings.listStaffListings, {});
  const refusal = useRefusal(listings.removeListing);
  const [removing, setRemoving] = useState<StaffListing | null>(null);
  const [table, setTable] = useState(emptyTableState);
  return (
    <Sheet title="Transfer listings" meta={`${formatCount(total)} open`} flush>
      <DataTable
        caption="Transfer listings"
        columns={refusal?.hides ? columns : [...columns, actions(setRemoving, refusal)]}
        rows={rows}
        rowId={({ listingId }) => listingId}
        state={table}
        onStateChange={setTable}
        empty={
          <EmptyState title="No open listings" picture={false}>
            Blocks that members offer for transfer appear here.
          </EmptyState>
        }
      />
      {removing && <Remove listing={removing} onClose={() => setRemoving(null)} />}
    </Sheet>
  );
}

const columns: Column<StaffListing>[] = [
  {
    id: 'block',
    label: 'Block',
    cell: ({ resource, length }) => <span className="mono nw">{resource ?? `/${length}`}</span>,
    text: ({ resource, length }) => resource ?? `/${length}`,
    fixed: true,
    card: 'key',
  },
  { id: 'kind', label: 'Kind', cell: ({ kind }) => listingKinds[kind] },
  {
    id: 'account',
    label: 'Account',
    cell: ({ accountName }) => <Link href={`/desk/accounts/${encodeURIComponent(accountName)}`}>{accountName}</Link>,
    text: ({ accountName }) => accountName,
  },
  {
    id: 'notes',
    label: 'Notes and reports',
    cell: ({ notes, reports }) => (
      <>
        {notes}
        {reports.map(({ accountName, words, at }) => (
          <span key={at} className={styles.report}>
            <StateMark state="warning">Reported</StateMark> {accountName}: {words}
          </span>
        ))}
      </>
    ),
    text: ({ notes }) => notes,
    wrap: true,
  },
  { id: 'until', label: 'Until', cell: ({ expiresOn }) => <DateText value={expiresOn} shape="date" />, look: 'quiet' },
];

const actions = (onRemove: (listing: StaffListing) => void, refusal: RefusalReason | null): Column<StaffListing> => ({
  id: 'remove',
  label: 'Action',
  cell: listing => (
    <Button
      size="s"
      refusal={refusal}
      aria-label={`Remove ${listing.resource ?? `/${listing.length}`} of ${listing.accountName}`}
      onClick={() => onRemove(listing)}
    >
      Remove
    </Button>
  ),
});

function Remove({ listing: { listingId, accountName, resource, length }, onClose }: { listing: StaffListing; onClose: () => void }) {
  const { notify } = useKit();
  const remove = useChange(listings.removeListing, {
    refresh: [listings.listStaffListings],
    showsErrors: true,
    onDone: () => {
      notify({ text: `The listing of ${accountName} is removed. It gets an e-mail.` });
      onClose();
    },
  });
  const form = useForm(
    listings.removeListing.body,
    { reason: '' },
    {
      name: 'remove-listing',
      ifEmpty: { reason: 'Enter a reason. The member sees it.' },
      change: remove,
      send: body => remove.mutate({ listingId, body }),
    },
  );
  return (
    <Dialog open onClose={onClose} title={`Remove the listing of ${resource ?? `/${length}`}?`} role="alertdialog">
      <ActForm form={form} act="Remove" kind="danger" onClose={onClose}>
        <Stack gap={12}>
          <p className="small">It’s removed from the listings immediately. {accountName} can list it again.</p>
          <Field label="Reason" {...form.field('reason')}>
            <TextInput {...form.input('reason')} />
          </Field>
        </Stack>
      </ActForm>
    </Dialog>
  );
}
