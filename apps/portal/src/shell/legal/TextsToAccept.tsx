import { FailureBanner, reading, useChange, useKit } from '@portal/app-kit';
import { TextBlocks } from '@portal/app-kit/words/TextBlocks';
import { announcements } from '@portal/contract/announcements/announcements';
import { ownTexts, type TextToAccept } from '@portal/contract/legal/own-texts';
import { readMarkdown } from '@portal/contract/markdown';
import { Banner, Button, DateText, Disclosure, Link, Stack } from '@portal/ui';
import { TextChanges } from '@portal/ui/difference/TextChanges';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import styles from './TextsToAccept.module.css';

/** Legal texts that the person has still to accept, each with its own banner and dialog. Shown once there are some. */
export function TextsToAccept() {
  const { call } = useKit();
  const { data } = useQuery(reading(call, ownTexts.listTextsToAccept, {}));
  return data?.texts.map(text => <Asking key={`${text.text} ${text.version}`} text={text} supportEmail={data.supportEmail} />);
}

type Props = { text: TextToAccept; supportEmail: string };

const list = new Intl.ListFormat('en');

function Asking({ text, supportEmail }: Props) {
  const { title, version, before, dueOn, isBlocking, accounts, forSelf } = text;
  const [isReading, setReading] = useState(false);
  return (
    <>
      <Banner
        kind={isBlocking ? 'error' : 'warning'}
        beside
        title={before ? `${title}: version ${version} is in force.` : `Please read and accept: ${title}.`}
        actions={
          <Button size="s" variant="primary" aria-label={`Read and accept: ${title}`} onClick={() => setReading(true)}>
            Read and accept
          </Button>
        }
      >
        {isBlocking ? 'Changes of whois, routing, reverse DNS and resources wait until it’s accepted' : 'Accept it'}
        {accounts.length > 0 && ` for ${list.format([...(forSelf ? ['yourself'] : []), ...shortened(accounts)])}`}
        {isBlocking ? '.' : ' until '}
        {!isBlocking && <DateText value={dueOn} shape="date" />}
        {!isBlocking && '.'}
      </Banner>
      {isReading && <Reading text={text} supportEmail={supportEmail} onClose={() => setReading(false)} />}
    </>
  );
}

/** The first accounts by name, and how many more. */
const shortened = (accounts: readonly string[]): string[] =>
  accounts.length > 3 ? [...accounts.slice(0, 2), `${accounts.length - 2} more accounts`] : [...accounts];

const refresh = [ownTexts.listTextsToAccept, ownTexts.listAcceptedTexts, announcements.listBanners];

/** The text with what changed in it, and the ways to accept or to decline it. */
function Reading({ text, supportEmail, onClose }: Props & { onClose: () => void }) {
  const { notify } = useKit();
  const { text: name, title, version, changes, body, validFrom, before, forSelf, accounts, dueOn, blocks } = text;
  const ofAccount = useChange(ownTexts.acceptTextForAccount, { showsErrors: true, refresh });
  const forOneself = useChange(ownTexts.acceptText, { showsErrors: true, refresh });
  const isBusy = ofAccount.isPending || forOneself.isPending;
  const accept = async () => {
    try {
      for (const account of accounts) await ofAccount.mutateAsync({ account, text: name, body: { version } });
      if (forSelf) await forOneself.mutateAsync({ text: name, body: { version } });
    } catch {
      // Shown in the dialog.
      return;
    }
    notify({ text: `You accepted “${title}”, version ${version}.` });
    onClose();
  };
  return (
    <Dialog
      open
      size="l"
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button variant="commit" busy={isBusy} onClick={() => void accept()}>
            Accept version {version}
          </Button>
          <Button onClick={onClose}>Later</Button>
        </>
      }
    >
      <Stack gap={12}>
        <p>
          Version {version}, in force since <DateText value={validFrom} shape="date" />. Accept it until{' '}
          <DateText value={dueOn} shape="date" />
          {blocks && '; after that day, changes of whois, routing, reverse DNS and resources wait until it’s accepted'}. As a page:{' '}
          <Link href={`/legal/${name}/${version}`} target="_blank">
            {title}, version {version}
          </Link>
        </p>
        {changes !== '' && (
          <p className={styles.new}>
            <b>What is new:</b> {changes}
          </p>
        )}
        {before && (
          <section aria-label="Changes">
            <h3>Changes since version {before.version}, which you accepted</h3>
            <TextChanges before={{ subject: '', body: before.body }} after={{ subject: '', body }} />
          </section>
        )}
        {before ? (
          <Disclosure summary="The whole text">
            <Whole body={body} />
          </Disclosure>
        ) : (
          <Whole body={body} />
        )}
        {accounts.length > 0 && (
          <p>
            You accept it {forSelf ? 'for yourself and, ' : ''}as a corporate contact{forSelf ? ',' : ''} for {list.format(accounts)}.
          </p>
        )}
        <Disclosure summary="If you don’t agree">
          <p>
            You can leave: a corporate contact closes the account under Organisation details, and for a login write to{' '}
            <a href={`mailto:${supportEmail}`}>{supportEmail}</a>. Until then you can read, pay, vote and write to us as before.
          </p>
        </Disclosure>
        <FailureBanner failure={ofAccount.error ?? forOneself.error} />
      </Stack>
    </Dialog>
  );
}

const Whole = ({ body }: { body: string }) => (
  <div className={styles.whole}>
    <TextBlocks blocks={readMarkdown(body).blocks} />
  </div>
);
