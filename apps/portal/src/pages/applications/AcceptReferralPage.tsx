import { FailureBanner, Page, reading, useChange, useKit } from '@portal/app-kit';
import { economyWords } from '@portal/app-kit/words/organisation-words';
import { applications } from '@portal/contract/applications/applications';
import { type ReferralOffer, referrals } from '@portal/contract/applications/referrals';
import { pages } from '@portal/contract/pages';
import { Banner, Button, ButtonRow, DateText, EmptyState, FormColumn, KeyValueList, LinkButton, Sheet } from '@portal/ui';
import { useState } from 'react';
import { DeclineDialog, MailedLink } from '../joining/MailedLink.tsx';
import { wordsOfResources } from './application-words.ts';

const title = pages.acceptReferral.title;

/** `/accept-referral/{referralToken}`: a member refers the organisation that received the link. */
export default function AcceptReferralPage() {
  const { call, environment } = useKit();
  return (
    <MailedLink
      title={title}
      param="referralToken"
      read={referralToken => reading(call, referrals.getReferral, { referralToken })}
      unknown={{ code: 'REFERRAL_NOT_FOUND', title: 'Referral not found', ask: 'the member who referred you to send it again' }}
    >
      {(referral, referralToken) => (
        <Page
          title={title}
          heading={
            <>
              Membership of <bdi>{referral.orgName}</bdi>
            </>
          }
          sub={
            <>
              <bdi>{referral.referredBy}</bdi> of <bdi>{referral.referrer}</bdi> refers it as a member of {environment.registryName}.
            </>
          }
        >
          {referral.state === 'open' ? <Offer offer={referral} referralToken={referralToken} /> : <Ended offer={referral} />}
        </Page>
      )}
    </MailedLink>
  );
}

const ends: Record<Exclude<ReferralOffer['state'], 'open'>, { title: string; words: string }> = {
  expired: { title: 'This referral has expired', words: 'You can still apply without a referral.' },
  used: {
    title: 'This referral was already answered',
    words: 'If you accepted it with this login, the application is under Your applications.',
  },
  withdrawn: { title: 'This referral was withdrawn', words: 'You can still apply without a referral.' },
};

function Ended({ offer }: { offer: ReferralOffer }) {
  if (offer.state === 'open') return null;
  const { title: what, words } = ends[offer.state];
  return (
    <Sheet flush>
      <EmptyState title={what} action={<LinkButton href={pages.addAccount.path}>{pages.addAccount.title}</LinkButton>}>
        {words}
      </EmptyState>
    </Sheet>
  );
}

function Offer({ offer, referralToken }: { offer: ReferralOffer; referralToken: string }) {
  const { router, notify } = useKit();
  const [declining, setDeclining] = useState(false);
  const refresh = [applications.listApplications];
  const accept = useChange(referrals.acceptReferral, {
    refresh,
    showsErrors: true,
    onDone: ({ applicationId }) => router.go(`${pages.addAccount.path}?application=${applicationId}`),
  });
  const decline = useChange(referrals.declineReferral, {
    showsErrors: true,
    onDone: () => {
      notify({ text: `You declined. We told ${offer.referrer}.` });
      router.go('/');
    },
  });
  const failure = accept.error ?? decline.error;
  return (
    <FormColumn>
      <FailureBanner failure={failure} />
      <Sheet
        title="The referral"
        footer={
          <ButtonRow>
            <Button variant="primary" busy={accept.isPending} onClick={() => accept.mutate({ referralToken })}>
              Accept and start the application
            </Button>
            <Button onClick={() => setDeclining(true)}>Decline</Button>
          </ButtonRow>
        }
      >
        <KeyValueList
          align="left"
          items={[
            { key: 'Organisation', value: <bdi>{offer.orgName}</bdi> },
            { key: 'Economy', value: economyWords(offer.economy) },
            { key: 'Resources', value: wordsOfResources(offer.resources) },
            { key: 'Proposed by', value: <bdi>{`${offer.referredBy}, ${offer.referrer}`}</bdi> },
            ...(offer.technicalContact
              ? [{ key: 'Technical contact', value: <bdi>{`${offer.referredBy}, unless you choose another`}</bdi> }]
              : []),
            { key: 'Open until', value: <DateText value={offer.expiresAt} /> },
          ]}
        />
      </Sheet>
      <Banner kind="info" title="This is your application.">
        <bdi>{offer.referrer}</bdi> sees whether you submit it and the decision, but nothing you enter. You pay the fees.
      </Banner>
      <DeclineDialog
        what="the referral"
        open={declining}
        onClose={() => setDeclining(false)}
        busy={decline.isPending}
        onAct={() => decline.mutate({ referralToken })}
      >
        {offer.referrer} gets an e-mail. The link stops working.
      </DeclineDialog>
    </FormColumn>
  );
}
