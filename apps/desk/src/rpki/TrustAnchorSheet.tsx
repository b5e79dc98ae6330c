import { useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { saveTextFile } from '@portal/app-kit/documents/save-text-file';
import { longestTrustAnchorResponse, rpkiDesk, type RpkiOverview } from '@portal/contract/rpki/desk';
import { Badge, Banner, Button, ButtonRow, DateText, EmptyState, formatCount, LinkButton, Sheet, Stack, StateMark } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { FileField } from '@portal/ui/picker/FileField';
import { useState } from 'react';
import { RootAuthorityFacts } from './RootAuthorityFacts.tsx';
import styles from './Rpki.module.css';

type TrustAnchor = RpkiOverview['trustAnchor'];

/** The trust anchor: its key and certificate, and where it is kept offline, its signings. */
export function TrustAnchorSheet({ trustAnchor }: { trustAnchor: TrustAnchor }) {
  const { authority, setting, locator, as0Locator } = trustAnchor;
  return (
    <Sheet
      title="Trust anchor"
      meta={setting === 'offline' && <Badge kind="line">Offline</Badge>}
      actions={
        <>
          {as0Locator !== null && (
            <LinkButton size="s" icon="download" href={as0Locator} download="as0.tal">
              AS0 locator
            </LinkButton>
          )}
          {locator !== null && (
            <LinkButton size="s" icon="download" href={locator} download="registry.tal">
              Locator (TAL)
            </LinkButton>
          )}
        </>
      }
    >
      {authority === null ? (
        <NotSetUp setting={setting} />
      ) : (
        <Stack gap={16}>
          <RootAuthorityFacts authority={authority} uncertified="Not signed yet" />
          {authority.keyPlace === 'offline' && <Signings trustAnchor={trustAnchor} />}
        </Stack>
      )}
    </Sheet>
  );
}

function NotSetUp({ setting }: Pick<TrustAnchor, 'setting'>) {
  if (setting === 'online')
    return (
      <EmptyState title="No trust anchor yet" picture={false}>
        The publisher makes it with the first publication, once a member enables RPKI.
      </EmptyState>
    );
  return (
    <Stack gap={8}>
      <p>Nothing is published until the offline trust anchor has signed for the first time. This is done at the command line:</p>
      <ol className={styles.steps}>
        <li>
          On the machine without a network: <code className={styles.command}>registry rpki ta init FOLDER</code>
        </li>
        <li>
          Here: <code className={styles.command}>registry rpki ta request REQUEST.json</code>
        </li>
        <li>
          There: <code className={styles.command}>registry rpki ta sign REQUEST.json --key FOLDER --to RESPONSE.json</code>
        </li>
        <li>
          Here: <code className={styles.command}>registry rpki ta import RESPONSE.json</code>
        </li>
      </ol>
    </Stack>
  );
}

/** The trust anchor signs on its machine what is downloaded here; the response is uploaded here. */
function Signings({ trustAnchor: { responseAwaitedSince } }: { trustAnchor: TrustAnchor }) {
  const [uploading, setUploading] = useState(false);
  const { notify } = useKit();
  const request = useChange(rpkiDesk.requestSignature, {
    refresh: [rpkiDesk.getOverview],
    onDone: ({ fileName, content }) => {
      saveTextFile(fileName, content);
      notify({ text: 'Saved the request file. Take it to the trust anchor’s machine.' });
    },
  });
  return (
    <Stack gap={12}>
      <ol className={styles.steps}>
        <li>Download a request file. It holds nothing secret.</li>
        <li>
          On the trust anchor’s machine:{' '}
          <code className={styles.command}>registry rpki ta sign REQUEST.json --key FOLDER --to RESPONSE.json</code>
        </li>
        <li>Upload the response file. It is checked as validators check it, then published.</li>
      </ol>
      {responseAwaitedSince !== null && (
        <p>
          <StateMark state="pending" plain>
            A request file was made on <DateText value={responseAwaitedSince} />, and its response hasn’t been uploaded.
          </StateMark>
        </p>
      )}
      <ButtonRow>
        <Button icon="download" busy={request.isPending} onClick={() => request.mutate({})}>
          Download request file
        </Button>
        <Button icon="upload" onClick={() => setUploading(true)}>
          Upload response file
        </Button>
      </ButtonRow>
      {uploading && <UploadResponse onClose={() => setUploading(false)} />}
    </Stack>
  );
}

function UploadResponse({ onClose }: { onClose: () => void }) {
  const { notify } = useKit();
  const send = useChange(rpkiDesk.importSignature, {
    refresh: [rpkiDesk.getOverview],
    showsErrors: true,
    onDone: ({ serial }) => {
      notify({ text: `Published in RRDP serial ${formatCount(serial)}.` });
      onClose();
    },
  });
  const [fileName, setFileName] = useState('');
  const form = useForm(
    rpkiDesk.importSignature.body,
    { response: '' },
    { name: 'response', ifEmpty: { response: 'Choose the response file' }, change: send, send: body => send.mutate({ body }) },
  );
  const { error, id } = form.field('response') as { error?: string; id?: string };
  const choose = async (file: File): Promise<void> => {
    setFileName(file.name);
    // A larger file is refused by its length.
    form.set({ response: await file.slice(0, longestTrustAnchorResponse + 1).text() });
  };
  return (
    <Dialog open onClose={onClose} title="Upload a response file">
      <ActForm form={form} act="Publish" onClose={onClose}>
        <Banner kind="info" title="Takes effect immediately.">
          The files that the trust anchor signed replace the present ones in the repository. This can’t be undone; another signing replaces
          them.
        </Banner>
        <FileField
          {...(id !== undefined && { id })}
          label="Response file"
          help="The file that “registry rpki ta sign” wrote."
          error={error}
          accept=".json,application/json"
          most={1}
          files={fileName === '' ? [] : [{ key: fileName, name: fileName, size: '', state: 'sent', share: 1 }]}
          onChoose={([file]) => void (file && choose(file))}
          onRemove={() => {
            setFileName('');
            form.set({ response: '' });
          }}
        />
      </ActForm>
    </Dialog>
  );
}
