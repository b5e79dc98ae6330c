import { read, useChange, useKit, useRead, useRefusal } from '@portal/app-kit';
import { ownFeeds } from '@portal/contract/announcements/own-feeds';
import { Button, ButtonRow, CopyButton, DateText, Stack } from '@portal/ui';
import { useState } from 'react';
import styles from './Announcements.module.css';

type Addresses = { atomUrl: string; jsonUrl: string };

export const ownFeedOf = () => read(ownFeeds.getOwnFeed, {});

/** The person's private feed: its address is created, shown once, and deleted here. */
export function OwnFeed() {
  const { madeAt } = useRead(ownFeedOf());
  const { notify } = useKit();
  const [made, setMade] = useState<Addresses | null>(null);
  const refusal = useRefusal(ownFeeds.makeOwnFeed);
  const refresh = [ownFeeds.getOwnFeed];
  const make = useChange(ownFeeds.makeOwnFeed, { refresh, onDone: setMade });
  const end = useChange(ownFeeds.endOwnFeed, {
    refresh,
    onDone: () => {
      setMade(null);
      notify({ text: 'The address of your private feed is deleted.' });
    },
  });
  return (
    <section aria-labelledby="own-feed">
      <Stack gap={8}>
        <h3 id="own-feed">Your private feed</h3>
        <p className="small quiet">
          All announcements for you, with maintenance that affects your accounts. Anyone who has the address can read it, so keep it to
          yourself.
        </p>
        {made ? (
          <ul className={styles.feeds} aria-label="Addresses of your private feed">
            {(
              [
                ['Atom', made.atomUrl],
                ['JSON Feed', made.jsonUrl],
              ] as const
            ).map(([name, url]) => (
              <li key={name}>
                {name} <code className={styles.address}>{url}</code> <CopyButton text={url} label={`Copy the private address of ${name}`} />
              </li>
            ))}
          </ul>
        ) : (
          madeAt && (
            <p className="small">
              Its address was made on <DateText value={madeAt} />. It isn’t shown again: make a new one if you lost it.
            </p>
          )
        )}
        {made && <p className="small">Copy an address now. It isn’t shown again.</p>}
        <ButtonRow>
          <Button size="s" busy={make.isPending} refusal={refusal} onClick={() => make.mutate({})}>
            {madeAt ? 'Make a new address' : 'Make an address'}
          </Button>
          {madeAt && (
            <Button size="s" variant="danger" busy={end.isPending} onClick={() => end.mutate({})}>
              Delete the address
            </Button>
          )}
        </ButtonRow>
        {madeAt && <p className="small quiet">Programs that use the old address stop getting announcements immediately.</p>}
      </Stack>
    </section>
  );
}
