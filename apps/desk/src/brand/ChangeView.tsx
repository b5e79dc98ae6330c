import { Page, reading, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { brand, type BrandChange } from '@portal/contract/brand/brand';
import { brandPreviewCookie, brandPreviewMinutes, brandRow } from '@portal/contract/brand/brand-values';
import { pages } from '@portal/contract/pages';
import { type Proposal, proposals } from '@portal/contract/proposals/proposals';
import { Banner, Breadcrumb, Button, ButtonRow, DateText, LinkButton, Panel, Sheet, Stack } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { AskSecond, ConfirmChange, TakeBack } from '../shell/DatedChangeActs.tsx';
import { Letter } from '../shell/Letter.tsx';
import { useMay } from '../shell/use-may.ts';
import styles from './Brand.module.css';
import { backHref, changeHref, titlesOf, Value } from './brand-words.tsx';

/** A change of the brand: its values beside those before, its preview, and who confirms it. */
export function ChangeView({ changeId }: { changeId: string }) {
  const { changes } = useAnswer(brand.getBrand, {});
  const change = changes.find(each => each.changeId === changeId);
  return (
    <Page
      title={change ? titlesOf(change) : 'Change of the brand'}
      sub={change?.reason}
      breadcrumb={
        <Breadcrumb
          items={[
            { label: pages.deskHome.title, href: pages.deskHome.path },
            { label: pages.deskBrand.title, href: pages.deskBrand.path },
            { label: change ? `Change ${changeId}` : 'Change' },
          ]}
        />
      }
    >
      {change ? (
        <div className={styles.sides}>
          <Stack gap={16}>
            <Difference change={change} />
            {change.preview !== null && <Preview change={change} code={change.preview} />}
          </Stack>
          <Deciding change={change} />
        </div>
      ) : (
        <Banner kind="warning" title="This change isn’t listed.">
          It was discarded some time ago, or never prepared.
        </Banner>
      )}
    </Page>
  );
}

function Difference({ change }: { change: BrandChange }) {
  return (
    <Sheet flush title={change.values.length === 1 ? 'The value before and after' : 'The values before and after'}>
      <ul className={styles.difference}>
        {change.values.map(({ name, before, after }) => (
          <li key={name}>
            <b>{brandRow(name).title}</b>
            <span>
              <small>Before</small>
              <Value name={name} value={before} />
            </span>
            <span>
              <small>After</small>
              <Value name={name} value={after} />
            </span>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}

/** Pages that show what a change does, each opened in a tab of its own. */
const previewed = { '/': 'Portal home', '/help': 'Public page', '/account/reset': 'Sign-in page' } as const;

/** Has this browser show pages with the change, for a while, and shows a mail. */
function Preview({ change, code }: { change: BrandChange; code: string }) {
  const { call, environment } = useKit();
  const [shows, setShows] = useState(false);
  const mail = useQuery(reading(call, brand.previewBrandMail, { changeId: change.changeId }));
  const keep = (seconds: number) => {
    const secure = location.protocol === 'https:' ? '; Secure' : '';
    document.cookie = `${brandPreviewCookie}=${code}; path=/; max-age=${seconds}; SameSite=Strict${secure}`;
    setShows(seconds > 0);
  };
  return (
    <>
      <Sheet title="Preview on pages">
        <Stack gap={12}>
          <p>
            This browser {shows ? 'shows' : 'will show'} {environment.portalName} with the change for {brandPreviewMinutes} minutes. No one
            else sees it, and mails stay as they are.
          </p>
          {shows ? (
            <>
              <div className={styles.previewed}>
                {Object.entries(previewed).map(([href, label]) => (
                  <a key={href} href={href} target="_blank" rel="noopener">
                    {label}
                  </a>
                ))}
              </div>
              <ButtonRow>
                <Button onClick={() => keep(0)}>End the preview</Button>
              </ButtonRow>
            </>
          ) : (
            <ButtonRow>
              <Button variant="primary" onClick={() => keep(brandPreviewMinutes * 60)}>
                Start the preview
              </Button>
            </ButtonRow>
          )}
        </Stack>
      </Sheet>
      {mail.data && (
        <Sheet title="Preview of a mail">
          <Letter subject={mail.data.subject} text={mail.data.text} />
        </Sheet>
      )}
    </>
  );
}

const refresh = [brand.getBrand, proposals.listStaffProposals];

const titles: Record<BrandChange['state'], string> = {
  prepared: 'Prepared',
  confirmed: 'Confirmed by two people',
  'in-force': 'Took effect',
  withdrawn: 'Withdrawn before its day',
  discarded: 'Discarded',
};

/** Who confirms the change, and when it takes effect. */
function Deciding({ change }: { change: BrandChange }) {
  const { call } = useKit();
  const may = useMay();
  const enabled = may(proposals.listStaffProposals);
  const waiting = useQuery({ ...reading(call, proposals.listStaffProposals, {}), enabled }).data?.waiting ?? [];
  const proposal = waiting.find(({ link }) => link === changeHref(change.changeId)) ?? null;
  const acts = may(brand.confirmBrandChange);
  const isOpen = change.state === 'prepared' || change.state === 'confirmed';
  const title = !proposal ? titles[change.state] : acts && !proposal.isMine ? 'You are the second person' : 'It waits for a second person';
  return (
    <Panel title={title} pending={isOpen} footer={acts && <Acts change={change} proposal={proposal} />}>
      <Stack gap={8}>
        <p>
          {change.beginsAt !== null ? (
            <>
              {change.state === 'in-force' ? 'Since' : 'From'} <DateText value={change.beginsAt} />
            </>
          ) : change.validFrom !== null ? (
            <>
              Takes effect on <DateText value={change.validFrom} shape="date" />
            </>
          ) : (
            'Takes effect when it is confirmed: immediately here, within two minutes in every process.'
          )}
        </p>
        <p>
          Prepared by {change.preparedBy}, <DateText value={change.preparedAt} shape="date" />
        </p>
        {change.confirmedBy !== null && (
          <p>
            Proposed by {change.proposedBy}, confirmed by {change.confirmedBy}, <DateText value={change.confirmedAt!} shape="date" />
          </p>
        )}
        {change.endedBy !== null && (
          <p>
            {change.state === 'withdrawn' ? 'Withdrawn' : 'Discarded'} by {change.endedBy},{' '}
            <DateText value={change.endedAt!} shape="date" />
          </p>
        )}
        {proposal?.isMine && (
          <p>
            {proposal.waitsFor.length === 0 ? 'No one can confirm it now' : `${proposal.waitsFor.slice(0, 3).join(', ')} can confirm it`}{' '}
            until <DateText value={proposal.expiresAt} />
          </p>
        )}
      </Stack>
    </Panel>
  );
}

function Acts({ change, proposal }: { change: BrandChange; proposal: Proposal | null }) {
  const isWithdrawal = change.state === 'confirmed';
  if (proposal)
    return proposal.isMine ? (
      <TakeBack proposal={proposal} refresh={refresh} />
    ) : (
      <ConfirmChange
        proposal={proposal}
        refresh={refresh}
        isWithdrawal={isWithdrawal}
        confirmed="Confirmed. Pages that are opened from now on show it."
        looked="I looked at the values and their preview"
        first="Look at the preview first"
        act={isWithdrawal ? 'Withdraw the change' : 'Confirm the change'}
      />
    );
  if (change.state === 'prepared') return <Ask changeId={change.changeId} />;
  if (change.state === 'confirmed') return <Withdraw changeId={change.changeId} />;
  if (change.version === null) return null;
  return (
    <LinkButton icon="reply" href={backHref(change.changeId)}>
      Go back to this version
    </LinkButton>
  );
}

/** One person asks for the confirmation, or discards the change. */
function Ask({ changeId }: { changeId: string }) {
  const { notify, router } = useKit();
  const confirm = useChange(brand.confirmBrandChange, { refresh, onDone: () => notify({ text: 'The brand changes.' }) });
  const discard = useChange(brand.discardBrandChange, {
    refresh,
    onDone: () => {
      notify({ text: 'Discarded. Nothing has changed.' });
      router.go(pages.deskBrand.path);
    },
  });
  const refusals = { confirm: useRefusal(brand.confirmBrandChange), discard: useRefusal(brand.discardBrandChange) };
  return (
    <AskSecond
      ask="Ask a second person to confirm"
      asking={{ refusal: refusals.confirm, busy: confirm.isPending, onClick: () => confirm.mutate({ changeId }) }}
      discarding={{ refusal: refusals.discard, busy: discard.isPending, onClick: () => discard.mutate({ changeId }) }}
    />
  );
}

function Withdraw({ changeId }: { changeId: string }) {
  const { notify } = useKit();
  const refusal = useRefusal(brand.withdrawBrandChange);
  const withdraw = useChange(brand.withdrawBrandChange, { refresh, onDone: () => notify({ text: 'The change is withdrawn.' }) });
  return (
    <Stack gap={8}>
      <Button refusal={refusal} refusalIn="note" busy={withdraw.isPending} onClick={() => withdraw.mutate({ changeId })}>
        Withdraw the change
      </Button>
      <span className="quiet small">A second person has to approve it.</span>
    </Stack>
  );
}
