import { useAnswer, useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { listingKinds, listings, type StaffListing } from '@portal/contract/requests/listings';
import { Button, DateText, EmptyState, Field, Sheet, Stack, StateMark, TextInput } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useState } from 'react';
import styles from './PoolsPage.module.css';

/** The board of transfer listings, reported ones first; a listing that doesn't belong there is removed with a reason. */
export function ListingsSheet() {
  const { rows, total } = useAnswer(listings.listStaffListings, {});
  const [removing, setRemoving] = useState<StaffListing | null>(null);
  return (
    <Sheet title="Transfer listings" meta={`${total.toLocaleString('en')} open`}>
      {rows.length === 0 ? (
        <EmptyState title="No open listings" picture={false}>
          Blocks that members offer for transfer appear here.
        </EmptyState>
      ) : (
        <ul className={styles.blocks} aria-label="Transfer listings">
          {rows.map(listing => (
            <li key={listing.listingId}>
              <span>
                {listingKinds[listing.kind]} <span className="mono">{listing.resource ?? `/${listing.length}`}</span>
              </span>
              <div className="small">
                {listing.accountName}, until <DateText value={listing.expiresOn} shape="date" />
                {listing.notes !== '' && `: ${listing.notes}`}
                {listing.reports.map(({ accountName, words, at }) => (
                  <div key={at}>
                    <StateMark state="warning">Reported</StateMark> {accountName}: {words}
                  </div>
                ))}
              </div>
              <Button size="s" onClick={() => setRemoving(listing)}>
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      {removing && <Remove listing={removing} onClose={() => setRemoving(null)} />}
    </Sheet>
  );
}

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
          <p className="small">It’s off the board immediately. {accountName} can list it again.</p>
          <Field label="Reason" {...form.field('reason')}>
            <TextInput {...form.input('reason')} />
          </Field>
        </Stack>
      </ActForm>
    </Dialog>
  );
}
