import { FailureBanner, Page, reading, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { later } from '@portal/app-kit/page/later';
import { ProposalActs } from '@portal/app-kit/proposals/ProposalList';
import { legal, type LegalTextDetails } from '@portal/contract/legal/legal';
import { pages } from '@portal/contract/pages';
import { proposals } from '@portal/contract/proposals/proposals';
import { Badge, Breadcrumb, Button, ButtonRow, DateText, Disclosure, formatCount, KeyValueList, Link, Sheet, Stack } from '@portal/ui';
import { TextChanges } from '@portal/ui/difference/TextChanges';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../shell/use-may.ts';
import { useSecondPerson } from '../shell/use-second-person.ts';
import styles from './Legal.module.css';
import { askedInWords, hrefOf, stateWords } from './legal-words.ts';

const LegalDraftForm = later(() => import('./LegalDraftForm.tsx'), 'LegalDraftForm');
const Preview = later(() => import('./LegalDraftForm.tsx'), 'Preview');
const Whole = later(() => import('./LegalDraftForm.tsx'), 'Whole');
const Acceptances = later(() => import('./Acceptances.tsx'), 'Acceptances');

const refresh = [legal.getLegalText, legal.listLegalTexts, proposals.listStaffProposals];

/** One legal text: its draft with what changes, the version to come, who accepted the one in force, and all versions. */
export function LegalTextView({ text }: { text: string }) {
  const details = useAnswer(legal.getLegalText, { text });
  const may = useMay();
  const [isWriting, setWriting] = useState(false);
  const { title, inForce, draft } = details;
  return (
    <Page
      title={title}
      sub={inForce ? `Version ${inForce.version} is in force. ${askedInWords(inForce)}` : 'No version is in force yet.'}
      breadcrumb={<Breadcrumb items={[{ label: pages.deskLegal.title, href: pages.deskLegal.path }, { label: title }]} />}
      actions={
        may(legal.saveLegalDraft) &&
        !isWriting && (
          <Button icon="edit" {...(!draft && { variant: 'primary' as const })} onClick={() => setWriting(true)}>
            {draft ? 'Change the draft' : 'Write the next version'}
          </Button>
        )
      }
    >
      <Stack gap={16}>
        {may(proposals.listStaffProposals) && <Waiting details={details} />}
        {isWriting ? (
          <LegalDraftForm key={details.edition} details={details} onClose={() => setWriting(false)} />
        ) : (
          draft && <Draft details={details} />
        )}
        <Coming details={details} />
        {may(legal.listAcceptances) && inForce && inForce.asks.some(each => each !== 'applicants') && <Acceptances text={text} />}
        <Versions details={details} />
      </Stack>
    </Page>
  );
}

/** Proposals about this text that wait for a second person. */
function Waiting({ details }: { details: LegalTextDetails }) {
  const { call } = useKit();
  const { data, error } = useQuery(reading(call, proposals.listStaffProposals, {}));
  const acts = useSecondPerson({ refresh });
  if (error) return <FailureBanner failure={error} />;
  return data?.waiting
    .filter(({ link }) => link === hrefOf(details.text))
    .map(proposal => (
      <Sheet key={proposal.proposalId} title={proposal.what} meta="Waits for a second person">
        <Stack gap={12}>
          <p>
            {proposal.isMine ? 'You' : <bdi>{proposal.proposedBy}</bdi>} proposed it on <DateText value={proposal.proposedAt} />. It waits
            until <DateText value={proposal.expiresAt} shape="day-time" />.{' '}
            {proposal.isMine ? '' : 'Compare the text below before you approve it.'}
          </p>
          <ProposalActs proposal={proposal} {...acts} />
        </Stack>
      </Sheet>
    ));
}

function Draft({ details: { text, edition, draft, draftBody, latest } }: { details: LegalTextDetails }) {
  const { notify } = useKit();
  const may = useMay();
  const confirm = useChange(legal.confirmLegalDraft, { refresh, showsErrors: true, onDone: () => notify({ text: 'Confirmed.' }) });
  const discard = useChange(legal.discardLegalDraft, {
    refresh,
    showsErrors: true,
    onDone: () => notify({ text: 'The draft is discarded.' }),
  });
  const refusal = useRefusal(legal.confirmLegalDraft);
  if (!draft) return null;
  return (
    <>
      <Sheet title="Draft" meta={`Saved by ${draft.preparedBy}`}>
        <Stack gap={12}>
          <KeyValueList
            align="left"
            items={[
              { key: 'In force from', value: <DateText value={draft.validFrom} shape="day" /> },
              { key: 'Asks', value: askedInWords(draft) },
              ...(latest && draft.asks.length > 0
                ? [{ key: 'Accepted again', value: draft.renews ? 'By everyone' : 'Only by those who accepted no version before' }]
                : []),
              ...(draft.changes === '' ? [] : [{ key: 'What is new', value: <bdi>{draft.changes}</bdi> }]),
              { key: 'Reason', value: <bdi>{draft.reason}</bdi> },
            ]}
          />
          <FailureBanner failure={confirm.error ?? discard.error} />
          {may(legal.confirmLegalDraft) && (
            <ButtonRow>
              <Button
                variant="commit"
                busy={confirm.isPending}
                refusal={refusal}
                refusalIn="note"
                onClick={() => confirm.mutate({ text, body: { edition } })}
              >
                Ask a second person to confirm
              </Button>
              <Button busy={discard.isPending} onClick={() => discard.mutate({ text })}>
                Discard
              </Button>
            </ButtonRow>
          )}
        </Stack>
      </Sheet>
      {latest && (
        <Sheet title={`Changes since version ${latest.version}`}>
          <TextChanges before={{ subject: latest.title, body: latest.body }} after={{ subject: draft.title, body: draftBody }} />
        </Sheet>
      )}
      <Preview body={draftBody} />
    </>
  );
}

/** The version to come: until its day two people can withdraw it. */
function Coming({ details: { text, coming } }: { details: LegalTextDetails }) {
  const { notify } = useKit();
  const may = useMay();
  const withdraw = useChange(legal.withdrawLegalVersion, { refresh, showsErrors: true, onDone: () => notify({ text: 'Withdrawn.' }) });
  const refusal = useRefusal(legal.withdrawLegalVersion);
  if (coming?.version == null) return null;
  const { version } = coming;
  return (
    <Sheet title={`Version ${version} is to come`} meta={`Confirmed by ${coming.confirmedBy}`}>
      <Stack gap={12}>
        <p>
          It takes effect on <DateText value={coming.validFrom} shape="day" />. {askedInWords(coming)} Everyone can read it already at{' '}
          <Link href={`/legal/${text}/${version}`}>
            /legal/{text}/{version}
          </Link>
          .
        </p>
        <FailureBanner failure={withdraw.error} />
        {may(legal.withdrawLegalVersion) && (
          <div>
            <Button
              busy={withdraw.isPending}
              refusal={refusal}
              refusalIn="note"
              onClick={() => withdraw.mutate({ text, body: { version } })}
            >
              Withdraw it
            </Button>
          </div>
        )}
      </Stack>
    </Sheet>
  );
}

function Versions({ details: { text, versions } }: { details: LegalTextDetails }) {
  return (
    <Sheet title="Versions">
      {versions.length === 0 ? (
        <p className="quiet">No versions yet. Each appears here once a second person confirmed it.</p>
      ) : (
        <ol className={styles.versions} reversed start={versions[0]!.version ?? 1}>
          {versions.map((each, place) => {
            const before = versions.slice(place + 1).find(({ state }) => state !== 'withdrawn');
            const accepted = [
              ...(each.people > 0 ? [`${formatCount(each.people)} ${each.people === 1 ? 'person' : 'people'}`] : []),
              ...(each.accounts > 0 ? [`${formatCount(each.accounts)} ${each.accounts === 1 ? 'account' : 'accounts'}`] : []),
            ].join(' and ');
            return (
              <li key={each.version}>
                <p>
                  {each.state === 'withdrawn' ? (
                    <b>Version {each.version}</b>
                  ) : (
                    <Link href={`/legal/${text}/${each.version}`}>Version {each.version}</Link>
                  )}{' '}
                  <Badge kind={each.state === 'in-force' ? 'valid' : 'line'}>{stateWords[each.state]}</Badge>
                </p>
                <p className="quiet small">
                  From <DateText value={each.validFrom} shape="date" />. Written by {each.preparedBy}, confirmed by {each.confirmedBy}.
                  {accepted !== '' && ` Accepted by ${accepted}.`}
                </p>
                <p>
                  <span className="quiet">Reason:</span> <bdi>{each.reason}</bdi>
                </p>
                <Disclosure summary={before ? `Changes since version ${before.version}` : 'Text'}>
                  {before ? (
                    <TextChanges before={{ subject: before.title, body: before.body }} after={{ subject: each.title, body: each.body }} />
                  ) : (
                    <Whole body={each.body} />
                  )}
                </Disclosure>
              </li>
            );
          })}
        </ol>
      )}
    </Sheet>
  );
}
