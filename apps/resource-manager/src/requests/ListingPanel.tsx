import { useAccount, useChange, useKit, useRefusal } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { recordAddress } from '@portal/contract/records/record-address';
import { type Listing, listingKinds, listings } from '@portal/contract/requests/listings';
import {
  Button,
  ButtonRow,
  Checkbox,
  DateText,
  Field,
  KeyValueList,
  Link,
  LinkButton,
  Panel,
  Stack,
  StateMark,
  TextArea,
} from '@portal/ui';
import { ConfirmDialog, Dialog } from '@portal/ui/overlay/Dialog';
import { useState } from 'react';
import { listingStateWords } from './listing-words.ts';

/** One listing beside the board: what it says, and what can be done about it. */
export function ListingPanel({ listing, onClose }: { listing: Listing; onClose: () => void }) {
  const {
    kind,
    length,
    resource,
    holder,
    economy,
    interRegistry,
    notes,
    state,
    listedAt,
    expiresOn,
    endedAt,
    endedWhy,
    own,
    messages,
    asked,
  } = listing;
  return (
    <Panel title={`${listingKinds[kind]} /${length}`} onClose={onClose} sub={own ? 'Your listing' : undefined}>
      <Stack gap={12}>
        <KeyValueList
          items={[
            {
              key: 'Block',
              value:
                resource === null ? (
                  kind === 'offer' ? (
                    'Not shown'
                  ) : (
                    'Any'
                  )
                ) : (
                  <Link href={recordAddress(resource)}>
                    <span className="mono">{resource}</span>
                  </Link>
                ),
            },
            { key: kind === 'offer' ? 'Holder' : 'Wanted by', value: holder ?? 'Not shown' },
            { key: 'Economy', value: economy ?? '' },
            { key: 'Other registries', value: interRegistry ? 'Yes' : 'No' },
            { key: 'Listed', value: <DateText value={listedAt} shape="date" /> },
            state === 'open'
              ? { key: 'Until', value: <DateText value={expiresOn} shape="date" /> }
              : { key: listingStateWords[state].words, value: <DateText value={endedAt!} shape="date" /> },
            ...(messages === null ? [] : [{ key: 'Messages', value: String(messages) }]),
          ]}
        />
        {endedWhy !== '' && <p className="small">The registry removed it: {endedWhy}</p>}
        {notes !== '' && <p className="small prewrap">{notes}</p>}
        {own ? <OwnActs listing={listing} /> : <OthersActs listing={listing} />}
        {asked && <StateMark state="info">You wrote about it</StateMark>}
      </Stack>
    </Panel>
  );
}

function OwnActs({ listing: { listingId, kind, state } }: { listing: Listing }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const refusal = useRefusal(listings.renewListing);
  const [asks, setAsks] = useState(false);
  const renew = useChange(listings.renewListing, { refresh: [listings.listListings], onDone: () => notify({ text: 'Renewed.' }) });
  const withdraw = useChange(listings.withdrawListing, {
    refresh: [listings.listListings],
    onDone: () => {
      setAsks(false);
      notify({ text: 'Listing withdrawn.' });
    },
  });
  if (state !== 'open') return null;
  return (
    <>
      <ButtonRow>
        <Button busy={renew.isPending} refusal={refusal} onClick={() => renew.mutate({ account, listingId })}>
          Renew
        </Button>
        <Button variant="danger" refusal={refusal} onClick={() => setAsks(true)}>
          Withdraw
        </Button>
      </ButtonRow>
      {kind === 'offer' && (
        <p className="small quiet">
          Found a recipient? <Link href="/resources/ipv4_transfer_request">Start the transfer</Link>. The listing ends when it completes.
        </p>
      )}
      <ConfirmDialog
        open={asks}
        onClose={() => setAsks(false)}
        title="Withdraw this listing?"
        act="Withdraw"
        kind="danger"
        busy={withdraw.isPending}
        onAct={() => withdraw.mutate({ account, listingId })}
      >
        It’s removed from the listings immediately. You can list the block again at any time.
      </ConfirmDialog>
    </>
  );
}

function OthersActs({ listing }: { listing: Listing }) {
  const refusal = useRefusal(listings.askAboutListing);
  const [writing, setWriting] = useState<'question' | 'report' | null>(null);
  return (
    <>
      <ButtonRow>
        <Button variant="primary" refusal={refusal} onClick={() => setWriting('question')}>
          Write to the holder
        </Button>
        <Button refusal={refusal} onClick={() => setWriting('report')}>
          Report
        </Button>
      </ButtonRow>
      {listing.kind === 'offer' && (
        <p className="small quiet">The registry doesn’t check listings. Get pre-approved before you agree on a transfer.</p>
      )}
      {listing.kind === 'offer' && (
        <div>
          <LinkButton size="s" href="/resources/ipv4_pre-approval_form">
            IPv4 pre-approval
          </LinkButton>
        </div>
      )}
      {writing === 'question' && <Ask listing={listing} onClose={() => setWriting(null)} />}
      {writing === 'report' && <Report listing={listing} onClose={() => setWriting(null)} />}
    </>
  );
}

function Ask({ listing: { listingId }, onClose }: { listing: Listing; onClose: () => void }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const ask = useChange(listings.askAboutListing, {
    refresh: [listings.listListings],
    showsErrors: true,
    onDone: () => {
      notify({ text: 'Sent. The holder answers to your e-mail address.' });
      onClose();
    },
  });
  const form = useForm(
    listings.askAboutListing.body,
    { words: '', consent: false },
    { name: 'ask', change: ask, ifEmpty: { words: 'Enter a message' }, send: body => ask.mutate({ account, listingId, body }) },
  );
  return (
    <Dialog open onClose={onClose} title="Write to the holder">
      <ActForm form={form} act="Send message" onClose={onClose}>
        <Field label="Message" {...form.field('words')}>
          <TextArea rows={5} {...form.input('words')} />
        </Field>
        <Field label="Your details" {...form.field('consent')}>
          <Checkbox
            checked={form.values.consent}
            help="The holder needs them to answer. Its own address stays hidden until then."
            onChange={({ target }) => form.set({ consent: target.checked })}
          >
            Share my name, account and e-mail address with the holder
          </Checkbox>
        </Field>
      </ActForm>
    </Dialog>
  );
}

function Report({ listing: { listingId }, onClose }: { listing: Listing; onClose: () => void }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const report = useChange(listings.reportListing, {
    showsErrors: true,
    onDone: () => {
      notify({ text: 'Reported. Registry staff look at it.' });
      onClose();
    },
  });
  const form = useForm(
    listings.reportListing.body,
    { words: '' },
    {
      name: 'report',
      change: report,
      ifEmpty: { words: 'Enter what is wrong' },
      send: body => report.mutate({ account, listingId, body }),
    },
  );
  return (
    <Dialog open onClose={onClose} title="Report this listing">
      <ActForm form={form} act="Send report" onClose={onClose}>
        <Field label="Problem" help="Only registry staff read it" {...form.field('words')}>
          <TextArea rows={4} {...form.input('words')} />
        </Field>
      </ActForm>
    </Dialog>
  );
}
