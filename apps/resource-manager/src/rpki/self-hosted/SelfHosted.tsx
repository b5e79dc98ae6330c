import { reading, useAccount, useAddress, useAnswer, useKit, useRefusal } from '@portal/app-kit';
import { HOUR_MS } from '@portal/contract/days';
import { endingPublicationHours, rpki, type RpkiStatus } from '@portal/contract/rpki/rpki';
import { rpkiSelfHosted, type SelfHosted as State } from '@portal/contract/rpki/self-hosted';
import { Banner, Button, DateText, Disclosure, formatCount, KeyValueList, Row, Sheet, Stack, StateMark } from '@portal/ui';
import { AddressText } from '@portal/ui/action/AddressText';
import { later } from '@portal/app-kit/page/later';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useInlineForm } from '../../shell/inline-form.ts';
import { usePollingDelay } from '../../shell/polling.ts';
import { saveTextFile } from '@portal/app-kit/documents/save-text-file';
import { ResourceList } from '../ResourceList.tsx';
import { SetupFile } from './SetupFile.tsx';

const DisconnectDialog = later(() => import('./DisconnectDialog.tsx'), 'DisconnectDialog');

type Authority = NonNullable<State['authority']>;

/** The certificate authority that an account runs itself: connecting it, what it does, and how it takes over from hosted RPKI. */
export function SelfHosted({ status }: { status: RpkiStatus }) {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const address = useAddress();
  const delay = usePollingDelay();
  const { authority, certifiable } = useAnswer(rpkiSelfHosted.getSelfHosted, { account });
  const publication = authority?.publication;
  const isBeingMade = authority?.parentResponse === null || publication?.repositoryResponse === null || publication?.beingChecked;
  useQuery({ ...reading(call, rpkiSelfHosted.getSelfHosted, { account }), refetchInterval: isBeingMade ? delay : false });
  const connecting = useRefusal(rpkiSelfHosted.connect);
  const disconnecting = useRefusal(rpkiSelfHosted.disconnect);
  const isConnecting = !authority && address.get('act') === 'connect';
  const { opener, box } = useInlineForm(isConnecting);
  if (!authority)
    return (
      <Sheet
        title="Run your own certificate authority"
        actions={
          !isConnecting && (
            <Button
              ref={opener}
              size="s"
              refusal={connecting ?? (certifiable.length === 0 ? { reason: 'The account holds nothing that can be certified' } : null)}
              refusalIn="note"
              onClick={() => address.set({ act: 'connect' })}
            >
              Connect yours
            </Button>
          )
        }
      >
        <Stack gap={16}>
          <p>
            Keep the keys yourself, with Krill or rpkid for example: your certificate authority (CA) gets its certificate from the registry
            and makes its own ROAs. It can publish here or elsewhere.
            {status.mode !== 'off' && ' Hosted RPKI stays on until you turn it off, so no announcement is without its ROA in between.'}
          </p>
          {isConnecting && (
            <div ref={box} tabIndex={-1}>
              <SetupFile kind="child" onClose={() => address.set({ act: null })} />
            </div>
          )}
        </Stack>
      </Sheet>
    );
  return (
    <Sheet
      title="Your own certificate authority"
      meta={<CertifiedMark authority={authority} />}
      actions={
        <Button size="s" variant="danger" refusal={disconnecting} refusalIn="note" onClick={() => address.set({ act: 'disconnect' })}>
          Disconnect
        </Button>
      }
    >
      <Stack gap={16}>
        <SwitchAdvice status={status} authority={authority} />
        <Setup authority={authority} />
        <Facts authority={authority} />
        {authority.keys[0] && <ResourceList resources={authority.keys[0].resources} />}
      </Stack>
      <Suspense>
        {address.get('act') === 'disconnect' && <DisconnectDialog authority={authority} onClose={() => address.set({ act: null })} />}
      </Suspense>
    </Sheet>
  );
}

function CertifiedMark({ authority: { keys, lastAskedAt, publication } }: { authority: Authority }) {
  if (publication && publication.problems.length > 0) return <StateMark state="invalid">Validators refuse files</StateMark>;
  if (keys.length > 0) return <StateMark state="valid">Certified</StateMark>;
  return <StateMark state="pending">{lastAskedAt ? 'Connected, not certified' : 'Not heard of yet'}</StateMark>;
}

/** Advice on the next step from hosted to self-hosted, or back. */
function SwitchAdvice({ status, authority: { hostedAlone, vrps, keys } }: { status: RpkiStatus; authority: Authority }) {
  const address = useAddress();
  const revoking = useRefusal(rpki.revoke);
  if (status.mode === 'off')
    return (
      <p className="small muted">
        To go back, enable hosted RPKI below and add your ROAs there, then disconnect your certificate authority.
      </p>
    );
  if (keys.length === 0 || vrps === 0)
    return (
      <Banner kind="info" title="Hosted RPKI is still on.">
        Your ROAs stay with it until your own certificate authority publishes them too.
      </Banner>
    );
  if (hostedAlone.count > 0)
    return (
      <Banner
        kind="warning"
        title={`${formatCount(hostedAlone.count)} hosted ${hostedAlone.count === 1 ? 'ROA is' : 'ROAs are'} not published here by your own.`}
      >
        Add {hostedAlone.count === 1 ? 'it' : 'them'} there before you turn hosted RPKI off: {hostedAlone.roas.slice(0, 5).join('; ')}
        {hostedAlone.count > 5 && ' …'}
      </Banner>
    );
  return (
    <Banner
      kind="success"
      title="Your own certificate authority publishes every hosted ROA."
      actions={
        <Button size="s" refusal={revoking} onClick={() => address.set({ act: 'revoke' })}>
          Turn hosted RPKI off
        </Button>
      }
    >
      You can turn hosted RPKI off: no announcement loses its ROA.
    </Banner>
  );
}

/** The files to exchange (RFC 8183), in order. */
function Setup({ authority: { parentResponse, publication, handle } }: { authority: Authority }) {
  const address = useAddress();
  const save = (name: string, text: string | null) => (
    <Button
      size="s"
      icon="download"
      refusal={text === null ? { reason: 'It is being made. This takes a few seconds' } : null}
      onClick={() => text !== null && saveTextFile(name, text)}
    >
      {name}
    </Button>
  );
  const isChanging = address.get('act') === 'publish';
  return (
    <Stack gap={12}>
      <KeyValueList
        align="left"
        items={[
          { key: 'Your authority', value: <span className="mono">{handle}</span> },
          { key: 'As its parent', value: save('parent_response.xml', parentResponse) },
          {
            key: 'Publishing here',
            value: (
              <Row gap={8} wrap>
                {publication && save('repository_response.xml', publication.repositoryResponse)}
                {!isChanging && (
                  <Button size="s" onClick={() => address.set({ act: 'publish' })}>
                    {publication ? 'Replace publisher_request.xml' : 'Upload publisher_request.xml'}
                  </Button>
                )}
                {!publication && <span className="small muted">Not needed if it publishes elsewhere</span>}
              </Row>
            ),
          },
        ]}
      />
      {isChanging && <SetupFile kind="publisher" onClose={() => address.set({ act: null })} />}
    </Stack>
  );
}

const Moment = ({ at }: { at: string | null }) => (at ? <DateText value={at} /> : <span className="quiet">Not yet</span>);

type Publication = NonNullable<Authority['publication']>;

/** Until when validators use what it publishes, unless it publishes again before. */
const UsedUntil = ({ publication: { endsAt, files, beingChecked } }: { publication: Publication }) =>
  endsAt === null && beingChecked ? (
    <span className="quiet">Being checked</span>
  ) : endsAt === null && files > 0 ? (
    <span className="quiet">They don’t use it now</span>
  ) : (
    <Moment at={endsAt} />
  );

/** True if it should have published long ago: programs republish many hours before the end of validity. */
const hasStopped = ({ endsAt }: Publication): boolean =>
  endsAt !== null && Date.parse(endsAt) - Date.now() < endingPublicationHours * HOUR_MS;

/** Its state, as the registry sees it. */
function Facts({ authority: { lastAskedAt, keys, publication, vrps } }: { authority: Authority }) {
  const shrinking = keys.find(({ shrinksAt }) => shrinksAt !== null);
  const elsewhere = keys.find(({ publishesHere }) => !publishesHere);
  return (
    <Stack gap={12}>
      {shrinking?.shrinksAt && (
        <Banner kind="warning" title="Resources leave its certificate.">
          The account no longer holds all of them. They stay until <DateText value={shrinking.shrinksAt} />, so that your certificate
          authority can remove its ROAs first.
        </Banner>
      )}
      {publication?.endsAt && hasStopped(publication) && (
        <Banner kind="warning" title="Its publication ends soon.">
          Its manifest, revocation list or a certificate ends on <DateText value={publication.endsAt} />. Unless it publishes before,
          validators drop the ROAs that depend on it. Check that its program runs.
        </Banner>
      )}
      {publication && publication.problems.length > 0 && (
        <Banner kind="error" title="Validators refuse some of what it publishes.">
          {publication.problems.slice(0, 5).join('. ')}.
        </Banner>
      )}
      {publication && publication.hints.length > 0 && (
        <Disclosure
          summary={
            publication.hints.length === 1 ? '1 hint about its files' : `${formatCount(publication.hints.length)} hints about its files`
          }
        >
          <p className="small">Validators accept this, so you don’t have to change anything. {publication.hints.slice(0, 5).join('. ')}.</p>
        </Disclosure>
      )}
      <KeyValueList
        items={[
          { key: 'Last asked for certificates', value: <Moment at={lastAskedAt} /> },
          ...keys.map(({ keyIdentifier, notAfter }) => ({
            id: keyIdentifier,
            key: (
              <>
                Key <span className="mono">{keyIdentifier.slice(0, 12)}…</span>
              </>
            ),
            value: (
              <>
                Certified until <DateText value={notAfter} shape="date" />
              </>
            ),
          })),
          ...(publication
            ? [
                { key: 'Last published here', value: <Moment at={publication.lastPublishedAt} /> },
                { key: 'Validators use it until', value: <UsedUntil publication={publication} /> },
                { key: 'Files here', value: formatCount(publication.files) },
                {
                  key: 'ROA payloads that validators find',
                  value: publication.beingChecked ? `${formatCount(vrps)}. What it published last is being checked` : formatCount(vrps),
                },
              ]
            : []),
          ...(elsewhere ? [{ key: 'Publishes at', value: <AddressText text={elsewhere.repositoryUri} /> }] : []),
        ]}
      />
    </Stack>
  );
}
